import type { z } from 'zod';
import type { TextKind } from '../limits.ts';
import { text, type TextRules } from '../reading/scalars.ts';

type Optional = z.ZodOptional<z.ZodType<string>>;

/** A text and its translations `_en` and `_ru`, all optional. */
export function multilingual<N extends string>(
  name: N,
  kind: TextKind,
): Record<N, Optional> & Record<`${N}_en` | `${N}_ru`, Optional> {
  return withTranslations(name, kind, text(kind).optional());
}

/** A text, required, and its optional translations `_en` and `_ru`. */
export function multilingualRequired<N extends string>(
  name: N,
  kind: TextKind,
  rules: TextRules = {},
): Record<N, z.ZodType<string>> & Record<`${N}_en` | `${N}_ru`, Optional> {
  return withTranslations(name, kind, text(kind, rules));
}

function withTranslations<N extends string, T extends z.ZodType>(name: N, kind: TextKind, main: T) {
  const optional = text(kind).optional();
  // Safe cast: computed names lose their literal types; these are the three of the return type.
  return { [name]: main, [`${name}_en`]: optional, [`${name}_ru`]: optional } as Record<N, T> &
    Record<`${N}_en` | `${N}_ru`, Optional>;
}
