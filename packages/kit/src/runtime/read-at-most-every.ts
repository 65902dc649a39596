import { monotonicMs } from './clock.ts';

/**
 * Reads when somebody asks, at most once in `ageMs`. All who ask in that time share the read, also while it still runs, and its error.
 * So an answer is from a read that began less than `ageMs` before it was asked for.
 */
export function readAtMostEvery<T>(ageMs: number, read: () => Promise<T>, nowMs = monotonicMs): () => Promise<T> {
  let last: { readonly beganAtMs: number; readonly value: Promise<T> } | undefined;
  return async () => {
    const now = nowMs();
    if (last === undefined || now - last.beganAtMs >= ageMs) last = { beganAtMs: now, value: read() };
    return last.value;
  };
}
