/** A durable as the server describes it. */
export interface ConsumerState {
  /** Events not yet applied. */
  readonly lag: number;
  /** Every event up to this sequence was applied. */
  readonly ackFloorSeq: number;
}

/** Tells for how long a durable makes no progress, whatever the reason. */
export interface Progress {
  /** Undefined: the state is not known, which is no progress. */
  observe(state: ConsumerState | undefined): void;
  stuckMs(): number;
}

export function makeProgress(nowMs: () => number): Progress {
  let since: number | undefined;
  let ackFloorSeq: number | undefined;
  return {
    observe(state) {
      const isDone = state !== undefined && state.lag === 0;
      const hasMoved = state !== undefined && state.ackFloorSeq !== ackFloorSeq;
      if (state !== undefined) ackFloorSeq = state.ackFloorSeq;
      if (isDone) since = undefined;
      else if (hasMoved || since === undefined) since = nowMs();
    },
    stuckMs: () => (since === undefined ? 0 : nowMs() - since),
  };
}
