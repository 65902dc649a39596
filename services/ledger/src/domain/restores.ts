/** A restore of tenders: what it published after `restoredTo` and before `began` was lost (register.md 2.7). */
export interface Epoch {
  readonly epoch: number;
  readonly restoredTo: number;
  readonly began: number;
}

/** What new epochs add to the log: the entries, or the time (microseconds since 1970 UTC) after which another epoch must begin. */
export type RestorePlan =
  | { readonly restores: readonly Epoch[]; readonly position: number }
  | { readonly waitUntil: number };

/**
 * Plans the entries of epochs that the log does not have (L3 and L5 of proof.md 3.1). `newest`: the greatest position that was ever logged.
 * An epoch whose beginning is not later is left out when a later epoch has taken everything back that came after it.
 */
export function planRestores(
  { position, newest }: { readonly position: number; readonly newest: number },
  epochs: readonly Epoch[],
): RestorePlan {
  const restores = epochs.filter(
    (one, at) => one.began > newest || !epochs.slice(at + 1).some((later) => later.restoredTo <= one.restoredTo),
  );
  if (restores.some(({ began }) => began <= newest)) return { waitUntil: newest };
  return { restores, position: Math.min(position, ...restores.map(({ restoredTo }) => restoredTo)) };
}
