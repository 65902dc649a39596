/**
 * How often those who follow commits are told of them, and how often they look: what is committed meanwhile is one message, or one page. The
 * first commit after a pause is told and looked for at once.
 */
export const EVERY_MS = 20;
/** While many commits come: a message and a page have a cost of their own. */
const BUSY_EVERY_MS = 100;
/** Just above the load with which the lag of readers is measured (docs/spec/register.md 13, B2). */
const CALM_PER_SECOND = 60;
const BUSY_PER_SECOND = 100;
/** For each commit above the calm rate. */
const MS_PER_COMMIT = (BUSY_EVERY_MS - EVERY_MS) / (BUSY_PER_SECOND - CALM_PER_SECOND);
/** Longer than the chance clusters of commits at a lower rate. */
const MEAN_MS = 500;

/** Commits in a second, as a mean that forgets: with `count` more in the last `sinceMs`. */
export function perSecondAfter(before: number, count: number, sinceMs: number): number {
  const kept = Math.exp(-sinceMs / MEAN_MS);
  return before * kept + (count * 1_000 * (1 - kept)) / Math.max(sinceMs, 1);
}

/** Milliseconds from one message, or from the beginning of a page, to the next. */
export function everyMsAt(perSecond: number): number {
  return Math.min(EVERY_MS + MS_PER_COMMIT * Math.max(perSecond - CALM_PER_SECOND, 0), BUSY_EVERY_MS);
}
