/** One step of a model: what happens, and the state after it. */
export interface Step<S> {
  readonly name: string;
  readonly next: S;
  /** Happens sooner or later when services run and messages arrive. Faults are not fair, and clients that come are. */
  readonly isFair: boolean;
}

export interface Model<S> {
  readonly initial: S;
  /** Equal states have equal keys. */
  formatKey(state: S): string;
  steps(state: S): readonly Step<S>[];
  /** What must never be; undefined when nothing is wrong. */
  findViolation(state: S): string | undefined;
  /** Whether everything has ended that must end. */
  isDone(state: S): boolean;
}

export interface Exploration {
  readonly states: number;
  /** The shortest run to a state that must not be, or that cannot end any more. */
  readonly counterexample?: { readonly reason: string; readonly run: readonly string[] };
}

/** A reached state; `via` leads to it from the state with the index `parent`. */
interface Reached<S> {
  readonly state: S;
  readonly parent: number;
  readonly via: string;
  /** Indexes of the states from which a fair step leads here. */
  readonly fairFrom: number[];
}

export const STUCK = 'the run cannot end';

/**
 * Visits every state that any order of steps reaches, breadth first. Fails on the first that violates a property; then on the first
 * from which fair steps reach no end. Throws above `statesMax`: a model that was not explored whole proves nothing.
 */
export function explore<S>(model: Model<S>, statesMax: number): Exploration {
  const reached: Reached<S>[] = [{ state: model.initial, parent: -1, via: '', fairFrom: [] }];
  const indexes = new Map([[model.formatKey(model.initial), 0]]);
  const fail = (index: number, reason: string): Exploration => ({
    states: reached.length,
    counterexample: { reason, run: runTo(reached, index) },
  });
  // The array grows meanwhile.
  for (const [index, { state }] of reached.entries()) {
    const violation = model.findViolation(state);
    if (violation !== undefined) return fail(index, violation);
    for (const { name, next, isFair } of model.steps(state)) {
      const key = model.formatKey(next);
      const known = indexes.get(key) ?? reached.length;
      if (known === reached.length) {
        if (known === statesMax) throw new Error(`more than ${statesMax} states`);
        indexes.set(key, known);
        reached.push({ state: next, parent: index, via: name, fairFrom: [] });
      }
      if (isFair) reached[known]?.fairFrom.push(index);
    }
  }
  const stuck = firstStuck(model, reached);
  return stuck === undefined ? { states: reached.length } : fail(stuck, STUCK);
}

/** The first state from which no fair steps lead to an end. */
function firstStuck<S>(model: Model<S>, reached: readonly Reached<S>[]): number | undefined {
  const ends = new Set(reached.flatMap(({ state }, index) => (model.isDone(state) ? [index] : [])));
  // The set grows meanwhile: what leads to a state that can end can end too.
  for (const index of ends) for (const before of reached[index]?.fairFrom ?? []) ends.add(before);
  const stuck = reached.findIndex((_, index) => !ends.has(index));
  return stuck === -1 ? undefined : stuck;
}

function runTo<S>(reached: readonly Reached<S>[], index: number): readonly string[] {
  const run: string[] = [];
  for (let at = reached[index]; at !== undefined && at.parent >= 0; at = reached[at.parent]) run.unshift(at.via);
  return run;
}
