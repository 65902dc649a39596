import type { Bid, ProcurementClient, Tender, TenderInput, TenderItem } from '@procurement/client';
import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { enterRoom, roomState, toNextStage } from './auction-room.ts';
import { until } from './broker.ts';
import { TENDERER } from './published-tender.ts';
import { minimalTender } from './request-bodies.ts';

/** Who takes part, each with the client of its own key. */
export interface Players {
  readonly buyer: ProcurementClient;
  readonly bidders: readonly [ProcurementClient, ProcurementClient];
  readonly auction: ProcurementClient;
  readonly anyone: ProcurementClient;
  /** Address of an auction room that holds the auction. Without one, results are reported by hand. */
  readonly room?: string;
}

type PrintHeading = (title: string) => void;

/** A whole procedure through the typed client: a file, a question, a claim, two bids, an auction, an award with a claim, a contract. */
export async function playProcedure(players: Players, printHeading: PrintHeading = () => undefined): Promise<Tender> {
  const { buyer, anyone } = players;
  printHeading('A tender is published, with a file');
  const { id } = await buyer.createTender(quickTender());
  await runEnquiries(players, id, printHeading);
  const bids = await runTendering(players, id, printHeading);
  if (players.room === undefined) await runAuction(players, id, bids, printHeading);
  else await runRoomAuction(players, { id, bids, room: players.room }, printHeading);
  await runAwarding(players, id, bids, printHeading);
  printHeading('The result');
  return anyone.tender(id).get();
}

/** The body of `minimalTender` with periods of days that last minutes. */
export function quickTender(): TenderInput {
  // The helper makes bodies for all generations and has no type of one.
  return minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }) as unknown as TenderInput;
}

async function upload(parent: Pick<TenderItem, 'documents'>, name: string): Promise<void> {
  await parent.documents.upload({ name, type: 'application/pdf', content: `%PDF-1.4 ${name}` });
}

async function runEnquiries({ buyer, bidders: [seller] }: Players, id: string, print: PrintHeading): Promise<void> {
  const [own, foreign] = [buyer.tender(id), seller.tender(id)];
  await upload(own, 'terms.pdf');
  print('A question and its answer, a claim and its resolution');
  const question = await foreign.questions.create({ author: AUTHOR, title: 'Тара', description: "Який об'єм?" });
  await own.question(question.id).patch({ answer: 'Відра по 10 кг.' });
  const claim = await foreign.complaints.create({ author: AUTHOR, title: 'Пункт 3', status: 'claim' });
  const answer = { status: 'answered', resolutionType: 'resolved', resolution: LONG_RESOLUTION } as const;
  await own.complaint(claim.id).patch(answer);
  await foreign.complaint(claim.id).patch({ status: 'resolved', satisfied: true });
}

async function runTendering(
  { buyer, bidders, anyone }: Players,
  id: string,
  print: PrintHeading,
): Promise<readonly Bid[]> {
  print('Tendering: two bids, sealed');
  await buyer.moveClock(id, { to: 'next_check' });
  const bids: Bid[] = [];
  for (const [n, bidder] of bidders.entries()) {
    const tender = bidder.tender(id);
    const bid = await tender.bids.create({ tenderers: [TENDERER], value: { amount: 469 + 10 * n } });
    await upload(tender.bid(bid.id), `offer-${n + 1}.pdf`);
    bids.push(bid);
  }
  await until('a place in the plan of auctions', async () => {
    const { auctionPeriod } = await anyone.tender(id).get();
    return auctionPeriod?.startDate;
  });
  return bids;
}

async function runAuction(
  { buyer, auction }: Players,
  id: string,
  bids: readonly Bid[],
  print: PrintHeading,
): Promise<void> {
  print('The auction');
  await buyer.moveClock(id, { to: 'next_check' });
  const room = auction.tender(id).auction;
  await room.get();
  const auctionUrl = `https://auction.example.org/tenders/${id}`;
  const links = bids.map((bid) => ({ id: bid.id, participationUrl: `${auctionUrl}/login?bidder_id=${bid.id}` }));
  await room.patch({ auctionUrl, bids: links });
  await buyer.moveClock(id, { to: 'next_check' });
  await room.report({ bids: bids.map((bid, n) => ({ id: bid.id, value: { amount: 390 + 10 * n } })) });
}

const STAGES_OF_TWO_BIDDERS = 11;

/** The auction in a room: each bidder lowers its price by one step in each turn, and the clock goes from stage to stage. */
async function runRoomAuction(
  { buyer, bidders, anyone }: Players,
  { id, bids, room }: { readonly id: string; readonly bids: readonly Bid[]; readonly room: string },
  print: PrintHeading,
): Promise<void> {
  print(`The auction: ${room}/tenders/${id}`);
  await buyer.moveClock(id, { to: 'next_check' });
  const players = await Promise.all(
    bids.map(async ({ id: bid }, n) => {
      const link = async (): Promise<string | undefined> => {
        const own: { readonly participationUrl?: string } | undefined = await bidders[n]?.tender(id).bid(bid).get();
        return own?.participationUrl;
      };
      return enterRoom(await until('the link of a bidder', link));
    }),
  );
  for (let stage = 0; stage < STAGES_OF_TWO_BIDDERS; stage += 1) {
    await toNextStage(room, id);
    const state = await roomState(room, id);
    const { bidder_id: bidder, start, label } = state.stages[state.current_stage] ?? {};
    const player = players.find(({ bid }) => bid === bidder);
    if (player === undefined) continue;
    const { amount, limit } = await player.mine();
    const { status } = await player.offer(limit);
    print(`  ${start.slice(11, 16)}  ${label.en}  ${amount} -> ${limit}  ${status}`);
  }
  await until('the award', async () => (await anyone.tender(id).get()).status === 'active.qualification');
}

async function runAwarding(
  { buyer, bidders: [, loser], anyone }: Players,
  id: string,
  bids: readonly Bid[],
  print: PrintHeading,
): Promise<void> {
  print('The award, and a complaint about it');
  const own = buyer.tender(id);
  const awardId = await firstId(anyone.tender(id).awards);
  await upload(own.award(awardId), 'protocol.pdf');
  await own.award(awardId).patch({ status: 'active' });
  const award = loser.tender(id).award(awardId);
  const claimData = { author: AUTHOR, title: 'Оцінка', status: 'claim' } as const;
  const claim = await award.complaints.create(claimData, { as: bids[1]?.id ?? '' });
  const answer = { status: 'answered', resolutionType: 'declined', resolution: LONG_RESOLUTION } as const;
  await own.award(awardId).complaint(claim.id).patch(answer);
  await award.complaint(claim.id).patch({ status: 'resolved', satisfied: true });
  print('The stand-still passes, and the contract is signed');
  await buyer.moveClock(id, { advance: 'PT2M10S' });
  const contractId = await firstId(anyone.tender(id).contracts);
  await upload(own.contract(contractId), 'contract.pdf');
  await own.contract(contractId).patch({ status: 'active', contractNumber: '1' });
}

async function firstId(collection: { list(): Promise<readonly { readonly id: string }[]> }): Promise<string> {
  const [first] = await collection.list();
  if (first === undefined) throw new Error('the list is empty');
  return first.id;
}
