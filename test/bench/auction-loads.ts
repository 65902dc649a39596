import { randomBytes } from 'node:crypto';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { startTestRoom, type RoomBidder, type TestRoom } from '../support/auction-room.ts';
import { SLOW_TURNS } from '../support/room-system.ts';
import { auctionPageRows } from './auction-page.ts';
import { benchTender, CONCURRENT, enterAll, LATENESS, share, watch } from './auctions.ts';
import { startFakeGateway, type BenchTender } from './fake-gateway.ts';
import { openConnection, postText, parseStatus } from './http-connection.ts';
import { median } from './load.ts';
import { processCpuMs } from './process-cpu.ts';
import { memoryBytes } from './process-memory.ts';
import type { BenchmarkRow } from './row.ts';
import { startUpdateLoad } from './update-load.ts';

const AUCTIONS = 100;
/** Fewer offers than the burst of a session: the limit of a session must not be what is measured. */
const OFFERS_EACH = 8;
/** Rounds of so many offers of each session; the median counts. The first one is not measured: the program has hardly run before. */
const OFFER_ROUNDS = 5;
/** A session may send five offers a second. Plain updates run meanwhile, so that noise of the machine affects both. */
const BETWEEN_ROUNDS_SECONDS = 2;
const REFERENCE_CLIENTS = 8;
/** Age of an auction whose first turn has just begun: the pause before it lasts 300 s, the turn 120 s. */
const IN_FIRST_TURN_MS = 301_000;
const WATCHER_BYTES_MAX = 20_000;
const MEMORY_BYTES_MAX = 350_000_000;
const FIRST_OFFER_MS_MAX = 3_000;
const RIGHT_MS_MAX = 7_000;
const LINKS_MS_MAX = 3_000;
const LATE_MS_MAX = 250;
/** A stage is right when it begins within the bar of B1. */
const OVERDUE_MS = 500;
const CPU_SHARE_MAX = 0.4;

type Tenders = Map<string, BenchTender>;

/** A room before a tender service in memory. */
async function withRoom<T>(watchers: number, measure: (room: TestRoom, tenders: Tenders) => Promise<T>): Promise<T> {
  const tenders: Tenders = new Map();
  const gateway = await startFakeGateway(tenders);
  const env = { ...SLOW_TURNS, STREAMS_PER_ADDRESS_MAX: String(watchers + CONCURRENT) };
  const room = await startTestRoom(gateway.url, env);
  try {
    return await measure(room, tenders);
  } finally {
    await room.stop();
    await gateway.stop();
  }
}

function publish(tenders: Tenders, count: number, startMs: (n: number) => number): readonly BenchTender[] {
  const published = Array.from({ length: count }, (_one, n) => benchTender(startMs(n)));
  for (const tender of published) tenders.set(tender.id, tender);
  return published;
}

async function untilLinked(published: readonly BenchTender[]): Promise<void> {
  await waitFor(() => published.every(({ linkedAtMs }) => linkedAtMs !== undefined), {
    what: 'the links',
    timeoutMs: 60_000,
  });
}

/** Links, offers, memory and a restart of one room (bars B4 to B6 and B8 to B10 of auction-room.md 17). */
export async function auctionLoadRows(watchers: number): Promise<readonly BenchmarkRow[]> {
  return withRoom(watchers, async (room, tenders) => {
    const links = await linkRow(tenders);
    // One more for the browser, whose bidder has not used up its limit.
    const running = publish(tenders, AUCTIONS + 1, () => Date.now() - IN_FIRST_TURN_MS);
    await untilLinked(running);
    const players = await enterAll(running);
    // The turn is that of the worst opening bid, which is the last.
    const inTurn = running.slice(1).flatMap(({ bids }) => players.get(bids.at(-1)?.id ?? '') ?? []);
    const offers = await offerRow(room, inTurn);
    const restart = await restartRows(room, tenders, inTurn);
    const [first] = running;
    const page = await auctionPageRows(room, first?.id ?? '', first?.links[first.bids.at(-1)?.id ?? ''] ?? '');
    const memory = await memoryRows(room, first?.id ?? '', watchers);
    return [links, offers, ...memory, ...restart, ...page];
  });
}

/** Publishes one tender after the other, so that each is found by a look of its own at the feed. */
async function linkRow(tenders: Tenders): Promise<BenchmarkRow> {
  const delays: number[] = [];
  for (let n = 0; n < AUCTIONS; n += 1) {
    const publishedMs = performance.now();
    const published = publish(tenders, 1, () => Date.now() + 3_600_000);
    if (n % CONCURRENT === 0) await untilLinked(published);
    else await new Promise((resolve) => setTimeout(resolve, 50));
    void untilLinked(published).then(() => delays.push((published[0]?.linkedAtMs ?? 0) - publishedMs));
  }
  await waitFor(() => delays.length === AUCTIONS, { what: 'all links', timeoutMs: 60_000 });
  const p99 = share(delays, 0.99);
  return {
    what: `a tender in the feed to its links at the tender service, p99 of ${LINKS_MS_MAX} ms in a sandbox (B8)`,
    ratio: p99 / LINKS_MS_MAX,
    atMost: 1,
    figures: `p50 ${Math.round(share(delays, 0.5))} ms, p99 ${Math.round(p99)} ms of ${AUCTIONS}`,
  };
}

async function offerRow({ databaseUrl, pid }: TestRoom, inTurn: readonly RoomBidder[]): Promise<BenchmarkRow> {
  const load = await startUpdateLoad(databaseUrl, REFERENCE_CLIENTS);
  const sessions = await Promise.all(inTurn.map(openSession));
  const perRound = sessions.length * OFFERS_EACH;
  let refused = 0;
  const playRound = async (round: number): Promise<{ readonly perSecond: number; readonly cpuMs: number }> => {
    const [cpuBeforeMs, beganMs, refusedBefore] = [processCpuMs(pid()) ?? 0, performance.now(), refused];
    await Promise.all(
      sessions.map(async ({ limit, offer }) => {
        for (let n = 0; n < OFFERS_EACH; n += 1) {
          if ((await offer(limit - round * OFFERS_EACH - n)) !== 200) refused += 1;
        }
      }),
    );
    const accepted = perRound - refused + refusedBefore;
    const perSecond = (accepted * 1_000) / (performance.now() - beganMs);
    return { perSecond, cpuMs: ((processCpuMs(pid()) ?? 0) - cpuBeforeMs) / perRound };
  };
  const [rates, cpuMsEach, plain]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < OFFER_ROUNDS; round += 1) {
    const { perSecond, cpuMs } = await playRound(round);
    if (round > 0) rates.push(perSecond);
    if (round > 0) cpuMsEach.push(cpuMs);
    plain.push(await load.measureFor(BETWEEN_ROUNDS_SECONDS));
  }
  await load.end();
  for (const { close } of sessions) close();
  const [perSecond, reference, cpuMs] = [middle(rates), middle(plain), middle(cpuMsEach)];
  return {
    what: `offers on ${AUCTIONS} auctions against the simple update of pgbench with ${REFERENCE_CLIENTS} clients (B4)`,
    ratio: perSecond / reference,
    atLeast: 0.1,
    figures: `${Math.round(perSecond)}/s of ${Math.round(reference)}/s, ${refused} refused, CPU of the room ${cpuMs.toFixed(2)} ms each`,
  };
}

function middle(values: readonly number[]): number {
  return median(values, (value) => value);
}

interface OfferSession {
  readonly limit: number;
  /** Answers the status. */
  offer(amount: number): Promise<number>;
  close(): void;
}

/** The session has a connection of its own, which costs as much as a client of the plain updates, and not as much as fetch. */
async function openSession({ mine, offersAt: { url, headers } }: RoomBidder): Promise<OfferSession> {
  const [{ limit }, { exchange, close }] = await Promise.all([mine(), openConnection(url)]);
  return {
    limit,
    offer: async (amount) => {
      const body = JSON.stringify({ offerId: randomBytes(8).toString('hex'), amount });
      return parseStatus(await exchange(postText(url, headers, body)));
    },
    close,
  };
}

async function memoryRows(room: TestRoom, auctionId: string, watchers: number): Promise<readonly BenchmarkRow[]> {
  const before = memoryBytes(room.pid(), 'VmRSS');
  const close = await watch(room, auctionId, watchers, { arrivals: new Map() });
  const after = memoryBytes(room.pid(), 'VmRSS');
  close();
  const each = Math.max(after - before, 0) / watchers;
  return [
    {
      what: `resident memory of each of ${watchers} idle watchers, of ${WATCHER_BYTES_MAX / 1_000} kB (B5)`,
      ratio: each / WATCHER_BYTES_MAX,
      atMost: 1,
      figures: `${(each / 1_000).toFixed(1)} kB`,
    },
    {
      what: `resident memory with ${watchers} watchers, of 350 MB (B5)`,
      ratio: after / MEMORY_BYTES_MAX,
      atMost: 1,
      figures: `${Math.round(after / 1_000_000)} MB`,
    },
  ];
}

const OVERDUE = `SELECT count(*)::int AS count FROM auction
  WHERE due_at + $1 < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;

/** Kills the room while auctions begin, one every 100 ms: some are overdue when it is back. */
async function restartRows(
  room: TestRoom,
  tenders: Tenders,
  inTurn: readonly RoomBidder[],
): Promise<readonly BenchmarkRow[]> {
  const [player] = inTurn;
  const limit = Number((await player?.mine())?.limit);
  const firstMs = Date.now() + 5_000;
  await untilLinked(publish(tenders, AUCTIONS, (n) => firstMs + n * 100));
  await waitFor(() => Date.now() > firstMs, { what: 'the first start' });
  await room.kill();
  const startedMs = performance.now();
  const sinceStart = async (what: string, condition: () => Promise<boolean>): Promise<number> => {
    await waitFor(condition, { what, timeoutMs: 60_000, intervalMs: 20 });
    return performance.now() - startedMs;
  };
  const client = new pg.Client({ connectionString: room.databaseUrl });
  await client.connect();
  const begun = room.start();
  const [offerMs, rightMs] = await Promise.all([
    sinceStart('an accepted offer', async () => {
      const answer = await player?.offer(limit - OFFERS_EACH, 'offer-after-start').catch(() => undefined);
      return answer?.status === 200;
    }),
    // Stages are overdue until the leases of the process that was killed are over.
    begun.then(async () =>
      sinceStart('right stages', async () => (await client.query(OVERDUE, [OVERDUE_MS * 1_000])).rows[0].count === 0),
    ),
  ]);
  await client.end();
  return [
    {
      what: `killed and started: the first offer accepted after ${FIRST_OFFER_MS_MAX / 1_000} s (B6)`,
      ratio: offerMs / FIRST_OFFER_MS_MAX,
      atMost: 1,
      figures: `${Math.round(offerMs)} ms`,
    },
    {
      what: `killed and started: all stages right after ${RIGHT_MS_MAX / 1_000} s (B6)`,
      ratio: rightMs / RIGHT_MS_MAX,
      atMost: 1,
      figures: `${Math.round(rightMs)} ms`,
    },
  ];
}

/** Auctions with stages of their full length, for some minutes (auction-room.md 17, B2). Their starts are spread over one turn. */
export async function fullLengthRows(auctions: number, minutes: number): Promise<readonly BenchmarkRow[]> {
  return withRoom(0, async (room, tenders) => {
    const beganMs = Date.now();
    const prepareMs = 10_000 + auctions * 30;
    await untilLinked(publish(tenders, auctions, (n) => beganMs + prepareMs + (n * 120_000) / auctions));
    const cpuBefore = processCpuMs(room.pid());
    const measuredFrom = Date.now();
    await new Promise((resolve) => setTimeout(resolve, prepareMs + minutes * 60_000));
    const cpuMs = (processCpuMs(room.pid()) ?? 0) - (cpuBefore ?? 0);
    const cpuShare = cpuMs / (Date.now() - measuredFrom);
    const client = new pg.Client({ connectionString: room.databaseUrl });
    await client.connect();
    const lateness = (await client.query<{ count: number; ms: number[] }>(LATENESS)).rows[0];
    await client.end();
    const [p50 = 0, p99 = 0] = lateness?.ms ?? [];
    return [
      {
        what: `${auctions} auctions with stages of full length: lateness of ${lateness?.count} stages, p99 of ${LATE_MS_MAX} ms (B2)`,
        ratio: p99 / LATE_MS_MAX,
        atMost: 1,
        figures: `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`,
      },
      {
        what: `${auctions} auctions with stages of full length: the room on one core, of 40 % (B2)`,
        ratio: cpuShare / CPU_SHARE_MAX,
        atMost: 1,
        figures: `${(cpuShare * 100).toFixed(1)} % over ${minutes} min`,
      },
    ];
  });
}
