import type { Draft, TextDigest } from './draft.ts';

/** How the next publication is joined to the log (`head.phase`). */
export type Phase = 'listing' | 'begins' | 'follows';

/** How far tenders was read. Positions are microseconds since 1970 UTC. */
export interface Progress {
  readonly phase: Phase;
  readonly position: number;
  readonly number: number | undefined;
  readonly epoch: number | undefined;
  /** Id of the last redaction that was read. */
  readonly redaction: number;
}

/** A publication without its text. Digest and number are absent where tenders has an older release. */
export interface PublishedRow {
  readonly position: number;
  readonly id: string;
  readonly rev: number;
  readonly listed: boolean;
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly number?: number | undefined;
}

/** What a page adds to the log, or why it is refused whole. */
export type PagePlan =
  | { readonly drafts: readonly Draft[]; readonly position: number; readonly number: number | undefined }
  | { readonly refused: string };

const SHA256 = /^[0-9a-f]{64}$/;

/** The entries of listed publications that follow each other (L2 and L3 of proof.md 3.1). `rows` are linked already, one after the other. */
export function planPublications(progress: Progress, rows: readonly PublishedRow[]): PagePlan {
  const drafts: Draft[] = [];
  let { position, number } = progress;
  let isFree = progress.phase === 'begins';
  for (const row of rows) {
    if (row.position <= position) return refused(row, `is not after ${position}`);
    position = row.position;
    if (!row.listed) continue;
    const digest = readDigest(row);
    if (digest === undefined) return refused(row, 'has no digest');
    if (row.number === undefined) return refused(row, 'has no number');
    const isNext = isFree ? row.number > (number ?? 0) : row.number === (number ?? 0) + 1;
    if (!isNext) return refused(row, `has number ${row.number} after ${number ?? 'none'}`);
    number = row.number;
    isFree = false;
    drafts.push({ kind: 'publication', number, tender: row.id, rev: row.rev, position, ...digest });
  }
  return { drafts, position, number };
}

/** The entries of the present states of listed tenders. */
export function planBaselines(progress: Progress, rows: readonly PublishedRow[]): PagePlan {
  const drafts: Draft[] = [];
  let { position } = progress;
  for (const row of rows) {
    if (row.position <= position) return refused(row, `is not after ${position}`);
    position = row.position;
    if (!row.listed) continue;
    const digest = readDigest(row);
    if (digest === undefined) return refused(row, 'has no digest');
    drafts.push({ kind: 'baseline', tender: row.id, rev: row.rev, position, ...digest });
  }
  return { drafts, position, number: progress.number };
}

function readDigest({ sha256, bytes }: PublishedRow): TextDigest | undefined {
  return sha256 !== undefined && SHA256.test(sha256) && bytes > 0 ? { sha256, bytes } : undefined;
}

function refused({ position }: PublishedRow, why: string): PagePlan {
  return { refused: `publication ${position} ${why}` };
}
