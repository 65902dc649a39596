/** Something that is stuck, in the body of `/ready`. It does not make the service unready, and makes `/health` red. */
export interface ReadyDetail {
  /** What kind of thing: `flow`, `clock`, `dead-letters`, `repair`, `consumer`, `outbox`. */
  readonly kind: string;
  /** Which of its kind. */
  readonly name: string;
  readonly count: number;
  /** Age of the oldest. */
  readonly oldestSeconds?: number;
  /** For operators. Contains no data of requests. */
  readonly text?: string;
}

/** Reads what is stuck now; no details when nothing is. */
export type ReadDetails = () => Promise<readonly ReadyDetail[]>;
