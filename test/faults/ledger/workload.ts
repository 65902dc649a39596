import {
  ProblemError,
  type Documents,
  type ProcurementClient,
  type Tender,
  type TenderInput,
  type TenderItem,
} from '@procurement/client';
import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { until } from '../../support/broker.ts';
import { TENDERER } from '../../support/published-tender.ts';
import { isoInSeconds, minimalTender } from '../../support/request-bodies.ts';

/** Who writes. All of them repeat until they are answered. */
export interface Writers {
  readonly buyer: ProcurementClient;
  readonly bidders: readonly [ProcurementClient, ProcurementClient];
  readonly anyone: ProcurementClient;
}

const HOUR_SECONDS = 3_600;
/** A tender that does not move on for as long is stuck: longer than a lost request takes to be sent again twice. */
const STUCK_MS = 120_000;

/** Procedures by their name. Each resolves when its tender has ended, and rejects with what was wrong. */
export const procedures = { auctioned, oneBid, cancelled, edited } as const;

/**
 * Moves of the clock may come twice, when the first answer is lost. So each goes by a time and not to the next deadline, and may go
 * further than needed.
 */
async function publish({ buyer }: Writers, marker: string): Promise<TenderItem> {
  const body = minimalTender({
    description: marker,
    procurementMethodDetails: 'quick, accelerator=1440',
    submissionMethodDetails: 'quick(mode:fast-forward)',
    enquiryPeriod: { endDate: isoInSeconds(HOUR_SECONDS) },
    tenderPeriod: { endDate: isoInSeconds(48 * HOUR_SECONDS) },
  });
  // The helper makes bodies for all generations and has no type of one.
  const { id } = await buyer.createTender(body as unknown as TenderInput);
  return buyer.tender(id);
}

async function untilTender(
  { anyone }: Writers,
  { id }: TenderItem,
  what: string,
  holds: (tender: Tender) => boolean,
): Promise<Tender> {
  return until(
    `${what} of ${id}`,
    async () => {
      const tender = await anyone.tender(id).get();
      return holds(tender) && tender;
    },
    STUCK_MS,
  );
}

async function ask({ buyer, bidders: [seller] }: Writers, { id }: TenderItem, marker: string): Promise<void> {
  const question = await seller.tender(id).questions.create({ author: AUTHOR, title: marker, description: 'Тара?' });
  await buyer
    .tender(id)
    .question(question.id)
    .patch({ answer: `Відра: ${marker}` });
}

async function claim({ buyer, bidders: [seller] }: Writers, { id }: TenderItem, marker: string): Promise<void> {
  const filed = await seller.tender(id).complaints.create({ author: AUTHOR, title: marker, status: 'claim' });
  const answer = {
    status: 'answered',
    resolutionType: 'resolved',
    resolution: `${LONG_RESOLUTION} ${marker}`,
  } as const;
  await move(buyer.tender(id).complaint(filed.id), answer);
  await move(seller.tender(id).complaint(filed.id), { status: 'resolved', satisfied: true });
}

/** A change is repeated when its answer was lost, and refused when the first attempt has moved the object on: then it must show it. */
async function move<P extends object>(
  item: { get(): Promise<object>; patch(change: P): Promise<unknown> },
  change: P,
): Promise<void> {
  try {
    await item.patch(change);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 403) throw error;
    const now = Object.entries(await item.get());
    const isMade = Object.entries(change).every(([name, value]) =>
      now.some(([shown, stored]) => shown === name && stored === value),
    );
    if (!isMade) throw error;
  }
}

async function upload(parent: { readonly documents: Pick<Documents, 'upload'> }, marker: string): Promise<void> {
  const file = { name: `${marker}.pdf`, type: 'application/pdf', content: `%PDF-1.4 ${marker}` };
  // A store that is full, or away, is 422 (http.md 2.3), which clients do not repeat by themselves.
  await until(`room for ${file.name}`, async () => isStored(parent.documents.upload(file)), STUCK_MS);
}

async function isStored(upload: Promise<unknown>): Promise<boolean> {
  try {
    await upload;
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 422) return false;
    throw error;
  }
}

async function bid(writers: Writers, tender: TenderItem, bidder: ProcurementClient, amount: number): Promise<void> {
  await untilTender(writers, tender, 'tendering', ({ status }) => status === 'active.tendering');
  const own = bidder.tender(tender.id);
  const { id } = await own.bids.create({ tenderers: [TENDERER], value: { amount } });
  await upload(own.bid(id), `offer-${amount}`);
  await own.bid(id).patch({ value: { amount: amount - 1 } });
}

/** Plays the awarding from the first pending award to the last payment under the signed contract. */
async function award(writers: Writers, tender: TenderItem, marker: string): Promise<void> {
  const { buyer } = writers;
  const { awards = [] } = await untilTender(
    writers,
    tender,
    'an award',
    (one) => one.status === 'active.qualification',
  );
  const awardId = awards[0]?.id ?? '';
  await upload(tender.award(awardId), `protocol-${marker}`);
  await move(tender.award(awardId), { status: 'active' });
  const awarded = await untilTender(writers, tender, 'a contract', ({ contracts = [] }) => contracts.length > 0);
  const contractId = awarded.contracts?.[0]?.id ?? '';
  await buyer.moveClock(tender.id, { advance: 'P7D' });
  await upload(tender.contract(contractId), `contract-${marker}`);
  await move(tender.contract(contractId), { status: 'active', contractNumber: marker });
  await untilTender(writers, tender, 'the end', ({ status }) => status === 'complete');
  await perform(writers, tender, contractId, marker);
}

const side = (name: string) => ({
  name,
  bankAccount: { scheme: 'IBAN' as const, id: 'UA213223130000026007233566001' },
});

/** Plays a signed contract to its end: a change, the value that it brings, two payments (contracting.md 12). */
async function perform({ buyer }: Writers, tender: TenderItem, contractId: string, marker: string): Promise<void> {
  // The token of the tender opens its contracts too.
  const access = await buyer.tokens.get(tender.id);
  if (access !== undefined) await buyer.tokens.set(contractId, access);
  const own = buyer.contract(contractId);
  const { dateSigned: date = '' } = await own.get();
  const { id } = await own.changes.create({ rationale: marker, rationaleTypes: ['itemPriceVariation'] });
  await upload(own, `amendment-${marker}`);
  await move(own.change(id), { status: 'active', dateSigned: date });
  await own.patch({ value: { amount: 395.2, amountNet: 329.34 }, description: marker });
  const payments = [
    ['1', '0'],
    ['2', '-1'],
    ['2', '0'],
  ] as const;
  for (const [payment, status] of payments) {
    const data = { date, value: { amount: 197.6 }, payer: side('Ліцей'), payee: side(marker), status };
    await own.transaction(payment).put(data);
  }
  await own.patch({ amountPaid: { amount: 395.2, amountNet: 329.34 } });
  await move(own, { status: 'terminated', terminationDetails: marker });
}

async function runEnquiries(writers: Writers, tender: TenderItem, marker: string): Promise<void> {
  await upload(tender, marker);
  await ask(writers, tender, marker);
  await claim(writers, tender, marker);
  await writers.buyer.moveClock(tender.id, { advance: 'PT1H1M' });
}

async function auctioned(writers: Writers, marker: string): Promise<void> {
  const tender = await publish(writers, marker);
  await runEnquiries(writers, tender, marker);
  for (const [n, bidder] of writers.bidders.entries()) await bid(writers, tender, bidder, 400 + 10 * n);
  await writers.buyer.moveClock(tender.id, { advance: 'PT48H' });
  await award(writers, tender, marker);
}

async function oneBid(writers: Writers, marker: string): Promise<void> {
  const tender = await publish(writers, marker);
  await runEnquiries(writers, tender, marker);
  await bid(writers, tender, writers.bidders[1], 450);
  await writers.buyer.moveClock(tender.id, { advance: 'PT48H' });
  await award(writers, tender, marker);
}

async function cancelled(writers: Writers, marker: string): Promise<void> {
  const tender = await publish(writers, marker);
  await runEnquiries(writers, tender, marker);
  await bid(writers, tender, writers.bidders[0], 470);
  const { id } = await tender.cancellations.create({ reason: marker });
  await upload(tender.cancellation(id), `decision-${marker}`);
  await move(tender.cancellation(id), { status: 'active' });
  await untilTender(writers, tender, 'the cancellation', ({ status }) => status === 'cancelled');
}

const EDITS = 12;

async function edited(writers: Writers, marker: string): Promise<void> {
  const tender = await publish(writers, marker);
  for (let n = 1; n <= EDITS; n += 1) await tender.patch({ description: `${marker}, edit ${n}` });
}
