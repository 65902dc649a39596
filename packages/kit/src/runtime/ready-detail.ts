/** Something that is stuck, in the body of `/ready`. It does not make the service unready, and makes `/health` red. */
export interface ReadyDetail {
  /** What kind of thing: `flow`, `clock`, `dead-letters`, `repair`, `owner`, `consumer`, `outbox`, `bus`. */
  readonly kind: string;
  /** Which of its kind. */
  readonly name: string;
  readonly count: number;
  /** Age of the oldest. */
  readonly oldestSeconds?: number;
  /** Text for operators. Contains no data of requests. */
  readonly text?: string;
}

/** Longer than the retries of an event take before it becomes a dead letter, and than NATS takes for a restart. */
export const STUCK_SECONDS = 60;

/** The connection to NATS as a detail, when it is away for long. */
export function busDetails(
  fault: { readonly text: string; readonly seconds: number } | undefined,
): readonly ReadyDetail[] {
  if (fault === undefined || fault.seconds < STUCK_SECONDS) return [];
  return [{ kind: 'bus', name: 'nats', count: 1, oldestSeconds: Math.round(fault.seconds), text: fault.text }];
}

/** Events that wait for long to be published, as a detail. */
export function outboxDetails(backlog: {
  readonly waiting: number;
  readonly oldestSeconds: number;
}): readonly ReadyDetail[] {
  const { waiting, oldestSeconds } = backlog;
  if (oldestSeconds < STUCK_SECONDS) return [];
  return [{ kind: 'outbox', name: 'events', count: waiting, oldestSeconds: Math.round(oldestSeconds) }];
}

/** Reads what is stuck now; no details when nothing is. */
export type ReadDetails = () => Promise<readonly ReadyDetail[]>;
