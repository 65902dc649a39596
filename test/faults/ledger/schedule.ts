/** One fault of a run, as planned by the seed: what happens, to what, and for how long. */
export interface PlannedFault {
  readonly kind: string;
  readonly target: string;
  readonly holdMs: number;
}

/** A kind of fault: its targets, and the shortest and longest time for which it holds. */
export interface FaultKind {
  readonly targets: readonly string[];
  readonly holdMs: readonly [number, number];
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The endless schedule of a seed. Every kind comes once before any comes again. */
export function* schedule(seed: number, kinds: Readonly<Record<string, FaultKind>>): Generator<PlannedFault, never> {
  const random = randomFrom(seed);
  for (;;) {
    for (const [kind, { targets, holdMs }] of shuffled(Object.entries(kinds), random)) {
      const target = targets[Math.floor(random() * targets.length)] ?? '';
      yield { kind, target, holdMs: Math.round(holdMs[0] + random() * (holdMs[1] - holdMs[0])) };
    }
  }
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
