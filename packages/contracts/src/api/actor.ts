/** Who asks, as decisions know them: what the gateway vouches for. */
export interface Actor {
  /** Name of the broker or component; absent when anonymous. */
  readonly broker?: string;
  /** Group of the caller (http.md 3.4), `anonymous` without credentials. */
  readonly group: string;
  /** Why a caller is anonymous. */
  readonly credentials?: 'missing' | 'unknown';
  /** Accreditation levels and flags, one character each. */
  readonly levels: string;
  /** SHA-256 hex of the owner token that came with the request. */
  readonly tokenHash?: string;
  /** Version segment by which the request came. */
  readonly segment: string;
}
