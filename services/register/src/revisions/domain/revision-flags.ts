/** Bits of `revision.flags`. */
export const REVISION_FLAGS = {
  /** The revision comes from a listing of the owner: its cause and the revisions before it are not known. */
  baseline: 1,
  /** Revisions between it and the one before were lost: the register was away for longer than the log is kept. */
  folded: 2,
  /** The text could not be read: columns are as before. */
  unread: 4,
  /** A member was removed by law (register.md 11.5). */
  redacted: 8,
} as const;
