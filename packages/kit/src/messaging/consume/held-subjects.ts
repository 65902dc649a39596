/** Aggregates with an event that waits for its data. Their later events wait too, so that they keep their order. */
export interface HeldSubjects {
  /** The event of this subject with this sequence of the stream waits. To be repeated at each delivery of the event. */
  hold(subject: string, sequence: number): void;
  /** Whether an earlier event of the subject waits. */
  isHeld(subject: string, sequence: number): boolean;
  release(subject: string): void;
  count(): number;
}

/** `holdMsMax`: an event that is not delivered again for so long has gone to another process, and is held here no more. */
export function makeHeldSubjects(nowMs: () => number, holdMsMax: number): HeldSubjects {
  const held = new Map<string, { readonly sequence: number; readonly until: number }>();
  function removeOld(): void {
    for (const [subject, { until }] of held) if (until <= nowMs()) held.delete(subject);
  }
  return {
    hold(subject, sequence) {
      removeOld();
      const earlier = held.get(subject);
      if (earlier !== undefined && earlier.sequence < sequence) return;
      held.set(subject, { sequence, until: nowMs() + holdMsMax });
    },
    isHeld(subject, sequence) {
      const earlier = held.get(subject);
      return earlier !== undefined && earlier.until > nowMs() && earlier.sequence < sequence;
    },
    release(subject) {
      held.delete(subject);
    },
    count() {
      removeOld();
      return held.size;
    },
  };
}
