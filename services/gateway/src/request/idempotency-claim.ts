/** One forwarding of a request. Times are seconds since 1970 with all digits of PostgreSQL, compared as text. */
export interface IdempotencyAttempt {
  readonly keyHash: string;
  /** First use of the key. */
  readonly firstUsed: string;
  readonly started: string;
}

/** Parts of a request that identify its repeats. */
export interface IdempotentRequest {
  readonly broker: string;
  /** The path as the client wrote it, without the query. */
  readonly path: string;
  /** Value of `Idempotency-Key`. */
  readonly key: string;
}

/** A request whose response will be stored. */
export interface IdempotencyClaim extends IdempotentRequest {
  /** Changes each time the claim is renewed. */
  attempt: IdempotencyAttempt;
  /** Part of the signed identity that the service receives. */
  readonly seed: string;
}
