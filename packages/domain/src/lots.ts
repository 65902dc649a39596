/** A tender with lots of any shape. A tender without lots has no list, or an empty one. */
export interface WithLots<L> {
  readonly lots?: readonly L[] | undefined;
}

interface LotStatus {
  readonly id: string;
  readonly status: string;
}

/** The lots of a tender; an empty list for a tender without lots. */
export function lotsOf<L>(tender: WithLots<L>): readonly L[] {
  return tender.lots ?? [];
}

/** The lots that are still procured. */
export function activeLots<L extends LotStatus>(tender: WithLots<L>): readonly L[] {
  return lotsOf(tender).filter((lot) => lot.status === 'active');
}

/**
 * Whether commands about this lot are allowed. True for `undefined`, which means the tender as a whole; false for a lot that
 * the tender does not have.
 */
export function lotIsOpen(tender: WithLots<LotStatus>, lot: string | undefined): boolean {
  return lot === undefined || lotsOf(tender).find((one) => one.id === lot)?.status === 'active';
}

/** What is awarded separately: the id of each active lot in the order of the tender; `undefined` for a tender without lots. */
export function competitionUnits(tender: WithLots<LotStatus>): readonly (string | undefined)[] {
  return lotsOf(tender).length === 0 ? [undefined] : activeLots(tender).map((lot) => lot.id);
}
