// What the statements of freeze.ts and decision-freezer.ts do to a row, as functions. `freeze-rules.int.test.ts` compares them in every
// short order of messages, and tools/model explores the handshakes with them.

/** A freeze where it stops decisions: `freeze_number`, `frozen_at`, `freeze_version`. */
export interface HeldFreeze {
  readonly number: number;
  readonly isHeld: boolean;
  readonly version: number;
}

/** A freeze where it was begun: `begun_freeze`. */
export interface OpenFreeze {
  readonly number: number;
  readonly open: boolean;
}

/** A row before the first freeze. */
export const NEVER_HELD: HeldFreeze = { number: 0, isHeld: false, version: 0 };

/** Undefined: a repeated or late request, which has no effect and is answered `frozen: false`. */
export function afterFreeze(held: HeldFreeze, number: number): HeldFreeze | undefined {
  return held.number < number ? { ...held, number, isHeld: true } : undefined;
}

/** A lift that comes before its freeze counts too: the freeze has no effect then. A lift of an older freeze has none. */
export function afterLift(held: HeldFreeze, number: number, version: number): HeldFreeze {
  if (held.number > number) return held;
  return { number, isHeld: false, version: Math.max(held.version, version) };
}

/** Nothing is decided any more under a closed freeze, nor under an older one of the same object. */
export function afterClose(begun: OpenFreeze, number: number): OpenFreeze {
  return begun.number > number ? begun : { ...begun, open: false };
}
