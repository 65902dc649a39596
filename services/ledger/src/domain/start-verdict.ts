/** The log as the database has it. */
export interface OwnLog {
  readonly size: number;
  readonly published: number;
}

/** What the store's `checkpoint` says, as far as it could be checked. */
export type StoredCheckpoint =
  | { readonly kind: 'none' }
  /** No checkpoint, or not signed by a key of this log, or of another origin. */
  | { readonly kind: 'foreign' }
  | {
      readonly kind: 'ours';
      readonly size: number;
      /** Whether the first `size` leaves of the database have its root; undefined where the database has fewer. */
      readonly hasOurRoot: boolean | undefined;
    };

/** What follows from the two (proof.md 3.2, "Start"). */
export type StartVerdict =
  | { readonly kind: 'begin' }
  /** The uploads are finished, and the log goes on. */
  | { readonly kind: 'go-on' }
  /** The database is older than the store: its leaves are taken from there, if they give the root. */
  | { readonly kind: 'take-leaves'; readonly size: number }
  | { readonly kind: 'halt'; readonly why: string };

/** Nothing is signed over a contradiction between the database and the store. */
export function judgeStart({ size, published }: OwnLog, stored: StoredCheckpoint): StartVerdict {
  switch (stored.kind) {
    case 'none':
      if (size === 0) return { kind: 'begin' };
      // The process ended after its first commit and before its first upload.
      return published === 0 ? { kind: 'go-on' } : { kind: 'halt', why: 'the store has no checkpoint: ledger refill' };
    case 'foreign':
      return { kind: 'halt', why: 'the checkpoint in the store is not of this log' };
    case 'ours':
      if (stored.size > size) return { kind: 'take-leaves', size: stored.size };
      return stored.hasOurRoot === true
        ? { kind: 'go-on' }
        : {
            kind: 'halt',
            why: `the checkpoint in the store has another root than the database at size ${stored.size}`,
          };
    default:
      return stored satisfies never;
  }
}
