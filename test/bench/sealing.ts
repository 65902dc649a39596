import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import { broker } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { inTurns } from '../support/in-turns.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { prepareBidLoad } from './bids.ts';
import { median } from './load.ts';
import { cpuBetween, stackCpuMs, sumMs } from './process-cpu.ts';
import type { BenchmarkRow } from './row.ts';

const ROUNDS = 9;
const SECONDS = 4;
const WARM_UP_SECONDS = 5;
/** Tenders that are opened in one of the rounds of an ordinary run; proof.md 7 asks for 1,000 in all. */
const TENDERS = 1_000;
const OPENING_ROUNDS = 4;
const BIDS_OF_EACH = 3;
/** Fewer than a broker may send at once. */
const AT_ONCE = 16;
const WAIT_MS = 600_000;
/** Time after which followers have applied what was published. */
const SETTLE_MS = 2_000;
/** The auction comes seconds after the end of tendering, and answers without turns. */
const QUICK = {
  procurementMethodDetails: 'quick, accelerator=1440',
  submissionMethodDetails: 'quick(mode:no-auction)',
};

/** Systems on the same cores that differ in what they do with a bid. */
interface SealingStacks {
  /** Stores bids in clear. */
  readonly clear: Stack;
  readonly sealing: Stack;
  /** The stack of the benchmark: seals bids and signs receipts. */
  readonly receipts: Stack;
}

/** What encryption, seals and receipts of bids cost (proof.md 7). */
export async function sealingRows(stacks: SealingStacks, tenders = TENDERS): Promise<BenchmarkRow[]> {
  return [...(await postRows(stacks)), ...(await openingRows(stacks, tenders)), await storageRow(stacks)];
}

/** Milliseconds of processor time of all processes for one of what is done. NaN where the system does not tell it. */
async function cpuOfEach(stack: Stack, work: () => Promise<number>): Promise<number> {
  const before = stackCpuMs(stack);
  const count = await work();
  const after = stackCpuMs(stack);
  return before === undefined || after === undefined ? Number.NaN : sumMs(cpuBetween(before, after)) / count;
}

const NAMES = ['clear', 'sealing', 'receipts'] as const;

/**
 * Processor times, because they make the rate: all systems share the cores. In turns, so that noise of the machine affects all, and each of
 * them first as often as last. What follows a bid counts too.
 */
async function postRows(stacks: SealingStacks): Promise<BenchmarkRow[]> {
  const loads = await Promise.all(NAMES.map(async (name) => ({ name, post: await prepareBidLoad(stacks[name]) })));
  for (const { post } of loads) await post(WARM_UP_SECONDS);
  const rounds: Record<(typeof NAMES)[number], number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs = { clear: 0, sealing: 0, receipts: 0 };
    const turn = round % loads.length;
    for (const { name, post } of [...loads.slice(turn), ...loads.slice(0, turn)]) {
      const perBid = async (): Promise<number> => {
        const count = (await post(SECONDS)).perSecond * SECONDS;
        await pause(SETTLE_MS);
        return count;
      };
      costs[name] = await cpuOfEach(stacks[name], perBid);
    }
    rounds.push(costs);
  }
  const row = (name: 'sealing' | 'receipts', what: string, atLeast: number): BenchmarkRow => {
    const middle = median(rounds, (costs) => costs.clear / costs[name]);
    const ratios = rounds.map((costs) => (costs.clear / costs[name]).toFixed(2)).join(', ');
    const figures = `${middle.clear.toFixed(2)} ms of processor time without, ${middle[name].toFixed(2)} ms with; rounds ${ratios}`;
    return { what: `POST of a bid ${what}, against without`, ratio: middle.clear / middle[name], atLeast, figures };
  };
  return [row('sealing', 'with sealing', 0.95), row('receipts', 'with sealing and receipt', 0.92)];
}

/** Measures all services and databases from the end of tendering to awards, without the time of making tenders and bids. */
async function openingRows({ clear, receipts: sealing }: SealingStacks, tenders: number): Promise<BenchmarkRow[]> {
  const each = Math.ceil(tenders / OPENING_ROUNDS);
  const rounds: { readonly clear: number; readonly sealing: number }[] = [];
  for (let round = 0; round < OPENING_ROUNDS; round += 1) {
    const costs = { clear: await openingCost(clear, each), sealing: await openingCost(sealing, each) };
    rounds.push(costs);
  }
  const ratioOf = (costs: (typeof rounds)[number]): number => costs.sealing / costs.clear;
  const middle = median(rounds, ratioOf);
  return [
    {
      what: `closing and opening of ${each * OPENING_ROUNDS} tenders of ${BIDS_OF_EACH} bids with sealing, against without`,
      ratio: ratioOf(middle),
      atMost: 1.3,
      figures: `${middle.clear.toFixed(1)} ms of processor time of a tender without, ${middle.sealing.toFixed(1)} ms with; rounds ${rounds.map((costs) => ratioOf(costs).toFixed(2)).join(', ')}`,
    },
  ];
}

async function openingCost(stack: Stack, count: number): Promise<number> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const bidder = broker(stack.gatewayUrl, 'broker2', '2.5');
  const tenders: PublishedTender[] = [];
  const before = await openedCount(stack);
  await inTurns(Array(count).keys(), AT_ONCE, async () => {
    const tender = await publish(buyer, minimalTender(QUICK));
    await moveToNextCheck(buyer, tender.id);
    for (let n = 0; n < BIDS_OF_EACH; n += 1) {
      const bid = { tenderers: [TENDERER], value: { amount: 400 + n } };
      const { status } = await bidder.post(`${tender.path}/bids`, bid);
      if (status !== 201) throw new Error(`POST of a bid answered ${status}`);
    }
    tenders.push(tender);
  });
  await pause(SETTLE_MS);
  return cpuOfEach(stack, async () => {
    await inTurns(tenders, AT_ONCE, async ({ id }) => moveToNextCheck(buyer, id));
    const isDone = async (): Promise<boolean> => (await openedCount(stack)) >= before + count;
    await waitFor(isDone, { what: 'the opening of all tenders', timeoutMs: WAIT_MS, intervalMs: 1_000 });
    await pause(SETTLE_MS);
    return count;
  });
}

/** Tenders whose bids and awards are public. */
async function openedCount(stack: Stack): Promise<number> {
  const [row] = await queryService<{ count: number }>(
    stack,
    'tenders',
    `SELECT count(*)::integer AS count FROM tender WHERE facts::json ->> 'status' = 'active.qualification'`,
  );
  return row?.count ?? 0;
}

async function storageRow({ clear, sealing }: SealingStacks): Promise<BenchmarkRow> {
  const [own, without] = [await bytesOfBid(sealing), await bytesOfBid(clear)];
  return {
    what: 'storage of a bid that is sealed, bytes more than in clear, of 80',
    ratio: (own - without) / 80,
    atMost: 1,
    figures: `${Math.round(own)} and ${Math.round(without)} bytes`,
  };
}

/** Bytes of rows as they are stored, without those of pages and indexes. */
async function bytesOfBid(stack: Stack): Promise<number> {
  const [row] = await queryService<{ bytes: number }>(
    stack,
    'bids',
    `SELECT avg(pg_column_size(bid.*))::float8 AS bytes FROM bid JOIN bidding USING (tender_id) WHERE phase = 'open'`,
  );
  return row?.bytes ?? 0;
}
