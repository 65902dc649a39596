import { makeFairQueue, type FairQueue } from '@procurement/kit/runtime/fair-queue';

/** What handlers of several features share. */
export interface RequestDeps {
  readonly config: {
    readonly PUBLIC_BASE_URL: string;
    /** They sign cursors. */
    readonly REGISTER_KEYS: readonly string[];
  };
  /** Places of searches and statistics. */
  readonly searches: FairQueue;
}

export function makeSearches(): FairQueue {
  return makeFairQueue({ runningMax: 8, runningOfClientMax: 4, waitingMax: 32, waitMsMax: 1_000 });
}
