import type { AttemptOutcome, DeliveryAttempt } from './domain/webhook.ts';
import type { RedeliveryRange } from './webhook-delivery.store.ts';

/** What a sender has settled and not stored, beside its window. */
export interface UnsavedProgress {
  readonly attempts: DeliveryAttempt[];
  readonly ranges: Map<string, RedeliveryRange>;
  readonly rangesDone: string[];
}

export function emptyUnsaved(): UnsavedProgress {
  return { attempts: [], ranges: new Map(), rangesDone: [] };
}

export function mergeUnsaved(one: UnsavedProgress, later: UnsavedProgress): UnsavedProgress {
  return {
    attempts: [...one.attempts, ...later.attempts],
    ranges: new Map([...one.ranges, ...later.ranges]),
    rangesDone: [...one.rangesDone, ...later.rangesDone],
  };
}

type AttemptOf = Pick<DeliveryAttempt, 'type' | 'position' | 'at' | 'attempt'>;

/** An attempt, as its owner may see it. */
export function attemptOf({ status, error, milliseconds }: AttemptOutcome, what: AttemptOf): DeliveryAttempt {
  return {
    ...what,
    milliseconds,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
  };
}
