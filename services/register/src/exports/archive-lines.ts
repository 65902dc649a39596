import { readDecimalOffset } from '@procurement/domain/feed-offset';
import { z } from 'zod';
import { TENDER_OF_LINE } from './domain/export-lines.ts';
import { causeBits } from '@procurement/contracts/resources/causes';
import type { Publication } from '../revisions/domain/publication.ts';

/** A line of an export of `revisions`, as it is applied again. */
export type ArchivedLine =
  | {
      readonly kind: 'publication';
      readonly publication: Publication;
      readonly isBaseline: boolean;
    }
  /** It has become a test tender: what it is now comes from the owner's listing. */
  | { readonly kind: 'hidden'; readonly position: number; readonly id: string };

const TenderHead = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), mode: z.unknown().optional() });
const LineHead = z.object({
  position: z.string(),
  rev: z.int().min(1),
  id: z.string().optional(),
  removed: z.literal(true).optional(),
  mode: z.literal('test').optional(),
  first: z.literal(true).optional(),
  redacted: z.literal(true).optional(),
  causes: z.array(z.string()).default([]),
});

/** Throws when it is no such line. */
export function readArchivedLine(line: string): ArchivedLine {
  const at = line.indexOf(TENDER_OF_LINE);
  const head = LineHead.parse(JSON.parse(at < 0 ? line : `${line.slice(0, at)}}`));
  const text = at < 0 ? undefined : `{"data":${line.slice(at + TENDER_OF_LINE.length, -1)}}`;
  const position = parsePosition(head.position);
  const { id, mode } = TenderHead.parse(text === undefined ? head : JSON.parse(text).data);
  if (text === undefined && head.removed !== true) throw new Error('neither a tender nor one that was removed');
  if (text === undefined && head.mode === 'test') return { kind: 'hidden', position, id };
  return {
    kind: 'publication',
    isBaseline: head.causes.includes('baseline'),
    publication: {
      position,
      previous: undefined,
      id,
      rev: head.rev,
      ...(head.first === true ? { isFirst: true } : {}),
      listed: text !== undefined,
      isTest: mode === 'test',
      causes: causeBits(head.causes),
      text,
      ...(head.redacted === true ? { redacted: true } : {}),
    },
  };
}

function parsePosition(text: string): number {
  const position = readDecimalOffset(text);
  if (position === undefined) throw new Error(`no position: ${text}`);
  return Number(position);
}
