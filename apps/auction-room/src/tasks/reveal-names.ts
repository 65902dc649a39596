import type { Label } from '../domain/auction.ts';
import { TenderShape } from '../follow/tender-record.ts';
import { readTender } from '../tender-service/requests.ts';
import { failure, isDone, type Outcome, type TaskContext } from './outcome.ts';

/** Bids are open once all auctions of the tender are over. */
const SEALED_PAUSE_SECONDS = 2;
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'unsuccessful', 'complete']);

/** Reads the names of the bidders, which replace their numbers. */
export async function revealNames(context: TaskContext): Promise<Outcome> {
  const { auction, service } = context;
  const answer = await service.send(readTender(auction.plan.tenderId));
  const tender = TenderShape.safeParse(answer.body['data']);
  if (!isDone(answer) || !tender.success) return failure(answer, context);
  const labels = auction.bids.flatMap(({ id }) => {
    const label = labelOf(tender.data, id);
    return label === undefined ? [] : [[id, label] as const];
  });
  if (labels.length > 0) return { commands: [{ type: 'RevealNames', labels: Object.fromEntries(labels) }] };
  return ENDED.has(tender.data.status) ? { done: true } : { againSeconds: SEALED_PAUSE_SECONDS };
}

function labelOf({ bids = [] }: TenderShape, bid: string): Label | undefined {
  const { name, name_en, name_ru } = bids.find(({ id }) => id === bid)?.tenderers?.[0] ?? {};
  return name === undefined ? undefined : { uk: name, en: name_en ?? name, ru: name_ru ?? name };
}
