import type { Logger } from '../runtime/log.ts';

export interface BusFault {
  /** The last reason that the server or the system has given. For operators: contains no credentials. */
  readonly text: string;
  /** Seconds since the last connection, or since the start. */
  readonly seconds: number;
}

interface Outage {
  begin(): void;
  /** An attempt has failed for this reason. */
  because(reason: unknown): void;
  end(): void;
  fault(): BusFault | undefined;
}

/** Remembers why there is no connection, and logs each reason once: attempts go on for as long as it lasts. Begins without a connection. */
export function makeOutage(log: Pick<Logger, 'error'>, nowMs: () => number): Outage {
  let beganMs: number | undefined = nowMs();
  let text: string | undefined;
  const begin = (): void => {
    beganMs ??= nowMs();
  };
  return {
    begin,
    because(reason) {
      begin();
      const next = reason instanceof Error ? reason.message : 'closed';
      if (next !== text) log.error({ err: reason }, 'bus unusable, will be opened again');
      text = next;
    },
    end() {
      beganMs = undefined;
      text = undefined;
    },
    fault: () =>
      beganMs === undefined ? undefined : { text: text ?? 'not connected', seconds: (nowMs() - beganMs) / 1_000 },
  };
}
