import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import type { Auction } from '../domain/auction.ts';
import { resultsReport } from '../domain/report.ts';
import { announcementStage } from '../domain/timetable.ts';
import type { TenderShape } from '../follow/tender-record.ts';
import { meaningOf } from '../tender-service/answers.table.ts';
import { failure, type Outcome, type TaskContext } from './outcome.ts';
import { readOwnTender } from './read-own-tender.ts';

/** Results do not wait longer for the file (auction-room.md 20, D11). */
const PROTOCOL_WAIT = 10 * SECOND;
const PROTOCOL_POLL_SECONDS = 0.2;
/** Services show a change of the tender one after the other. */
const UNCLEAR_PAUSE_SECONDS = 5;

const ENDED: ReadonlySet<string> = new Set(['cancelled', 'unsuccessful']);

/** Reports the results (auction-room.md 7.4). The report is a function of the closed log: its repeat is answered 200. */
export async function reportResults(context: TaskContext): Promise<Outcome> {
  const { auction, now, service, run } = context;
  if (auction.protocol === undefined && now < waitsForProtocolUntil(auction))
    return { againSeconds: PROTOCOL_POLL_SECONDS };
  // From then on nobody voids the auction.
  if (!(await run({ type: 'BeginReport' }))) return { againSeconds: PROTOCOL_POLL_SECONDS };
  const { method, path, body } = resultsReport(auction);
  const answer = await service.send({ method, path, data: body.data });
  switch (meaningOf(answer)) {
    case 'done':
      return { commands: [{ type: 'NoteResults', outcome: 'accepted' }] };
    case 'lot-is-over':
      return { commands: [{ type: 'Cancel', reason: answer.description }] };
    case 'read-the-tender':
      return compareWithTender(context, answer.description);
    case 'key-refused':
    case 'again':
    case 'stop':
      return failure(answer, context);
  }
}

function waitsForProtocolUntil({ starts, bids, plan }: Auction): number {
  return addMicros(starts[announcementStage(bids.length)] ?? plan.startAt, PROTOCOL_WAIT);
}

/** The tender is in no auction any more: it was cancelled, or it has results, ours or others. */
async function compareWithTender(context: TaskContext, reason: string): Promise<Outcome> {
  const read = await readOwnTender(context);
  if ('outcome' in read) return read.outcome;
  const { tender } = read;
  if (ENDED.has(tender.status)) return { commands: [{ type: 'Cancel', reason: tender.status }] };
  if (tender.bids === undefined) return { againSeconds: UNCLEAR_PAUSE_SECONDS, error: reason };
  return hasOurResults(context.auction, tender)
    ? { commands: [{ type: 'NoteResults', outcome: 'accepted' }] }
    : { commands: [{ type: 'NoteConflict', reason }] };
}

function hasOurResults(auction: Auction, { bids = [] }: TenderShape): boolean {
  const { lotId } = auction.plan;
  return auction.results.every(({ bid, amount }) => {
    const shown = bids.find(({ id }) => id === bid);
    const value =
      lotId === undefined ? shown?.value : shown?.lotValues?.find(({ relatedLot }) => relatedLot === lotId)?.value;
    return value?.amount === amount;
  });
}
