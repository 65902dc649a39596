import type { ComponentChildren, VNode } from 'preact';
import { translations } from '../texts/translations.ts';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { more: (n: number) => `Показати ще ${n}`, raw: (n: number) => `Ще ${n} є у відкритих даних.` },
  en: { more: (n: number) => `Show ${n} more`, raw: (n: number) => `${n} more are in the open data.` },
});

const SHOWN = 50;
const FOLDED_MAX = 450;

interface LongListProps<T> {
  readonly entries: readonly T[];
  /** Shows a part of the entries; called for those in sight and for those that are folded. */
  readonly show: (entries: readonly T[]) => ComponentChildren;
}

/** Shows 50 entries, folds those up to the 500th, and names the rest (portal.md 5.3). */
export function LongList<T>({ entries, show }: LongListProps<T>): VNode {
  const { lang } = usePage();
  const folded = entries.slice(SHOWN, SHOWN + FOLDED_MAX);
  const rest = entries.length - SHOWN - FOLDED_MAX;
  return (
    <>
      {show(entries.slice(0, SHOWN))}
      {folded.length > 0 && (
        <details>
          <summary>{TEXTS[lang].more(folded.length)}</summary>
          {show(folded)}
        </details>
      )}
      {rest > 0 && <p class="quiet">{TEXTS[lang].raw(rest)}</p>}
    </>
  );
}
