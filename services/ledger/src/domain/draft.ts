import { deriveBlind, deriveCommitment } from '@procurement/proof/commitments';
import { writeMember, writeEntry, type Entry } from '@procurement/proof/entries';
import { leafHash } from '@procurement/proof/tree';

/** A text that an entry commits to: SHA-256 in hex, and its length. */
export interface TextDigest {
  readonly sha256: string;
  readonly bytes: number;
}

/** A state of a tender, as tenders names it. */
export interface StateName {
  readonly tender: string;
  readonly rev: number;
  readonly position: number;
}

/** What becomes an entry when its place in the log is known: the commitment is of the index of the leaf. */
export type Draft =
  | ({ readonly kind: 'publication'; readonly number: number } & StateName & TextDigest)
  | ({ readonly kind: 'baseline' } & StateName & TextDigest)
  /** `member`: a JSON Pointer. The digest is of the text without it. */
  | ({ readonly kind: 'redaction'; readonly member: string } & StateName & TextDigest)
  | { readonly kind: 'restore'; readonly epoch: number; readonly to: number; readonly began: number }
  | { readonly kind: 'hole'; readonly after: number; readonly before: number };

/** An entry in its place. */
export interface Leaf {
  readonly index: number;
  readonly kind: Entry['kind'];
  readonly state: StateName | undefined;
  readonly text: string;
  readonly hash: Buffer;
}

/** The leaf that a draft becomes at an index. Throws for a draft that no entry can say. */
export function buildLeaf(draft: Draft, index: number, blindKey: Uint8Array): Leaf {
  const text = writeEntry(buildEntry(draft, deriveBlind(blindKey, index)));
  return { index, kind: draft.kind, state: stateNameOf(draft), text, hash: leafHash(text) };
}

/** Whether an entry can say it, in any place of the log. */
export function isWritable(draft: Draft): boolean {
  try {
    buildLeaf(draft, 0, Buffer.alloc(32));
    return true;
  } catch {
    return false;
  }
}

function stateNameOf(draft: Draft): StateName | undefined {
  return 'tender' in draft ? { tender: draft.tender, rev: draft.rev, position: draft.position } : undefined;
}

function buildEntry(draft: Draft, blind: Uint8Array): Entry {
  if (draft.kind === 'restore')
    return { kind: 'restore', epoch: BigInt(draft.epoch), to: BigInt(draft.to), began: BigInt(draft.began) };
  if (draft.kind === 'hole') return { kind: 'hole', after: BigInt(draft.after), before: BigInt(draft.before) };
  const state = {
    tender: draft.tender,
    rev: BigInt(draft.rev),
    position: BigInt(draft.position),
    commit: deriveCommitment(blind, Buffer.from(draft.sha256, 'hex')),
    bytes: BigInt(draft.bytes),
  };
  switch (draft.kind) {
    case 'publication':
      return { kind: 'publication', number: BigInt(draft.number), ...state };
    case 'baseline':
      return { kind: 'baseline', ...state };
    case 'redaction':
      return { kind: 'redaction', ...state, member: writeMember(draft.member) };
    default:
      return draft satisfies never;
  }
}

/** The leaf of an entry that is in the log already; undefined for a text that is no entry. */
export function leafOfEntry(entry: Entry | undefined, index: number, text: string): Leaf | undefined {
  if (entry === undefined) return undefined;
  const state =
    'tender' in entry ? { tender: entry.tender, rev: Number(entry.rev), position: Number(entry.position) } : undefined;
  return { index, kind: entry.kind, state, text, hash: leafHash(text) };
}
