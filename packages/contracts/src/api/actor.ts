/** Groups whose callers have rights over their own objects only. */
const ORDINARY_GROUPS: ReadonlySet<string> = new Set(['brokers', 'anonymous']);

/** Whether a group has rights over objects of others: every group but these two, so that a new one counts until it is named. */
export function isPrivileged(group: string): boolean {
  return !ORDINARY_GROUPS.has(group);
}

/** The caller of a request, as the gateway identified it. */
export interface Actor {
  /** Name of the broker or component; absent when anonymous. */
  readonly broker?: string;
  /** Group of the caller (http.md 3.4); `anonymous` without credentials. */
  readonly group: string;
  /** Why a caller is anonymous. */
  readonly credentials?: 'missing' | 'unknown';
  /** Accreditation levels and flags, one character each. */
  readonly levels: string;
  /** SHA-256 of the owner token in the request, as hex digits. */
  readonly tokenHash?: string;
  /** Version segment of the request. */
  readonly segment: string;
}
