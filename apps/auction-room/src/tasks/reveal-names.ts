import type { Label } from '../domain/auction.ts';
import type { TenderShape } from '../follow/tender-record.ts';
import { readOwnTender } from './read-own-tender.ts';
import type { Outcome, TaskContext } from './outcome.ts';

/** Bids are open once all auctions of the tender are over. */
const SEALED_PAUSE_SECONDS = 2;
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'unsuccessful', 'complete']);

/** Reads the names of the bidders, which replace their numbers. */
export async function revealNames(context: TaskContext): Promise<Outcome> {
  const read = await readOwnTender(context);
  if ('outcome' in read) return read.outcome;
  const { tender } = read;
  const labels = context.auction.bids.flatMap(({ id }) => {
    const label = findLabel(tender, id);
    return label === undefined ? [] : [[id, label] as const];
  });
  if (labels.length > 0) return { commands: [{ type: 'RevealNames', labels: Object.fromEntries(labels) }] };
  return ENDED.has(tender.status) ? { done: true } : { againSeconds: SEALED_PAUSE_SECONDS };
}

function findLabel({ bids = [] }: TenderShape, bid: string): Label | undefined {
  const { name, name_en, name_ru } = bids.find(({ id }) => id === bid)?.tenderers?.[0] ?? {};
  return name === undefined ? undefined : { uk: name, en: name_en ?? name, ru: name_ru ?? name };
}
