/** Counts what is in progress by key, for example the requests of an address. */
export interface Counter {
  /** False, without counting, when the key has as many as it may. */
  enter(key: string): boolean;
  leave(key: string): void;
}

const UNLIMITED: Counter = { enter: () => true, leave: () => undefined };

/** 0 means no limit. Keys with nothing in progress are not remembered. */
export function makeCounter(max: number): Counter {
  if (max === 0) return UNLIMITED;
  const counts = new Map<string, number>();
  return {
    enter: (key) => {
      const count = counts.get(key) ?? 0;
      if (count >= max) return false;
      counts.set(key, count + 1);
      return true;
    },
    leave: (key) => {
      const remaining = (counts.get(key) ?? 0) - 1;
      if (remaining > 0) counts.set(key, remaining);
      else counts.delete(key);
    },
  };
}
