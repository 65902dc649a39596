/** Attempts at the same time over all webhooks of a process (register.md 5.4, W3). */
export interface AttemptSlots {
  /** Takes a slot. `own`: slots that the caller has. False: none is left; `onFree` is called once when one is. */
  take(own: number, onFree: () => void): boolean;
  give(): void;
}

const SLOTS = 64;
/** Slots for callers that have none: receivers that let attempts time out cannot take these from others. */
const RESERVED = 16;

export function makeAttemptSlots(): AttemptSlots {
  let used = 0;
  const waiting = new Set<() => void>();
  return {
    take(own, onFree) {
      if (used < (own === 0 ? SLOTS : SLOTS - RESERVED)) {
        used += 1;
        return true;
      }
      waiting.add(onFree);
      return false;
    },
    give() {
      used -= 1;
      const callers = [...waiting];
      waiting.clear();
      for (const onFree of callers) onFree();
    },
  };
}
