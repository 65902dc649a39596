// What the statements of fence.ts and fence-raiser.ts do to a row, as functions. `fence-rules.int.test.ts` compares them in every
// short order of messages, and tools/model explores the handshakes with them.

/** A fence where it stops decisions: `fence_number`, `fence_held_at`, `fence_version`. */
export interface HeldFence {
  readonly number: number;
  readonly isHeld: boolean;
  readonly version: number;
}

/** A fence where it was raised: `fence_raised`. */
export interface OpenFence {
  readonly number: number;
  readonly open: boolean;
}

/** A row before the first fence. */
export const NEVER_HELD: HeldFence = { number: 0, isHeld: false, version: 0 };

/** Undefined: a repeated or late request, which has no effect and is answered `frozen: false`. */
export function afterFreeze(held: HeldFence, number: number): HeldFence | undefined {
  return held.number < number ? { ...held, number, isHeld: true } : undefined;
}

/** A lift that comes before its freeze counts too: the freeze has no effect then. A lift of an older fence has none. */
export function afterLift(held: HeldFence, number: number, version: number): HeldFence {
  if (held.number > number) return held;
  return { number, isHeld: false, version: Math.max(held.version, version) };
}

/** Nothing is decided any more under a closed fence, nor under an older one of the same object. */
export function afterClose(raised: OpenFence, number: number): OpenFence {
  return raised.number > number ? raised : { ...raised, open: false };
}
