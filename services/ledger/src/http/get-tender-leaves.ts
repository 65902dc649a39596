import { problem } from '@procurement/contracts/problems/problems';
import { JSON_TYPE } from '@procurement/kit/http/server';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { deriveBlind } from '@procurement/proof/commitments';
import { hasTender, tenderLeaves, type TenderLeaf } from '../store/leaf.store.ts';
import { parseInteger, notFound, publishedSize, type LogAnswer, type ReadDeps } from './log-answer.ts';

const LEAVES_MAX = 1_000;
const ID = /^[0-9a-f]{32}$/;

/** The leaves of a tender, with the blinds that open their commitments. A help for readers: each leaf is proven from tiles. */
export async function getTenderLeaves(
  { pool, blindKey }: ReadDeps,
  tender: string,
  query: URLSearchParams,
): Promise<LogAnswer> {
  const after = parseAfter(query);
  const size = ID.test(tender) ? await publishedSize(pool) : 0;
  if (size === 0 || !(await hasTender(pool, tender, size))) throw notFound('tender_id');
  const found = await tenderLeaves(pool, { tender, after, size, rowsMax: LEAVES_MAX + 1 });
  const leaves = found.slice(0, LEAVES_MAX);
  const next = found.length > LEAVES_MAX ? { next: leaves.at(-1)?.index } : {};
  const body = { tender, size, leaves: leaves.map((leaf) => shown(leaf, { size, blindKey })), ...next };
  return { body: JSON.stringify(body), type: JSON_TYPE, cache: 'public, max-age=5' };
}

function parseAfter(query: URLSearchParams): number {
  const given = query.getAll('after');
  const [text] = given;
  if (text === undefined) return -1;
  const after = given.length === 1 ? parseInteger(text) : undefined;
  if (after === undefined) throw new ProblemError(problem('params.invalid', { name: 'after' }));
  return after;
}

/** The blind of a state is not told any more after its redaction, also while that is not published yet. */
function shown(
  { index, kind, rev, position, redactedBy }: TenderLeaf,
  { size, blindKey }: { readonly size: number; readonly blindKey: Uint8Array },
): object {
  return {
    index,
    kind,
    rev,
    position: String(position),
    blind: redactedBy === undefined ? deriveBlind(blindKey, index).toString('hex') : null,
    ...(redactedBy !== undefined && redactedBy < size ? { redacted: redactedBy } : {}),
  };
}
