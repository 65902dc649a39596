/** Aggregates with an event that waits for its data. Their later events wait too, so that they keep their order. */
export interface HeldSubjects {
  /** The event of this subject with this sequence of the stream waits. To be repeated at each delivery of the event. */
  hold(subject: string, sequence: number): void;
  /** Whether an earlier event of the subject waits. */
  isHeld(subject: string, sequence: number): boolean;
  release(subject: string): void;
  count(): number;
}

/**
 * `forgetAfterMs`: without a repetition for so long, another process has got the event, and this one will not learn what
 * became of it.
 */
export function makeHeldSubjects(nowMs: () => number, forgetAfterMs: number): HeldSubjects {
  const held = new Map<string, { readonly sequence: number; readonly until: number }>();
  function forgetOld(): void {
    for (const [subject, { until }] of held) if (until <= nowMs()) held.delete(subject);
  }
  return {
    hold(subject, sequence) {
      forgetOld();
      const earlier = held.get(subject);
      if (earlier !== undefined && earlier.sequence < sequence) return;
      held.set(subject, { sequence, until: nowMs() + forgetAfterMs });
    },
    isHeld(subject, sequence) {
      const earlier = held.get(subject);
      return earlier !== undefined && earlier.until > nowMs() && earlier.sequence < sequence;
    },
    release(subject) {
      held.delete(subject);
    },
    count() {
      forgetOld();
      return held.size;
    },
  };
}
