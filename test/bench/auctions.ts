import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { enterRoom, startTestRoom, type RoomBidder, type TestRoom } from '../support/auction-room.ts';
import { startFakeGateway, type BenchTender } from './fake-gateway.ts';
import type { BenchmarkRow } from './row.ts';

const BIDDERS = 3;
const STAGE_MS = 5_000;
/** Number of pauses, turns, pre-announcement and announcement. */
const STAGES = 3 * (BIDDERS + 1) + 2;
/** Time for planning, logins and streams before the first start. */
const PREPARE_MS_PER_AUCTION = 60;
const PREPARE_MS_MIN = 30_000;
export const CONCURRENT = 16;
const NOTICE_MS_MAX = 300;
const LATE_MS_MAX = 300;
const OFFER_MS_MAX = 250;

interface Measured {
  readonly offers: number[];
  /** Arrivals of the first frame of each stage at each watcher, in milliseconds since 1970. */
  readonly arrivals: Map<number, number[]>;
  refused: number;
}

/** Auctions with stages of 5 s, spread evenly over one stage, with an offer in each turn, and watchers on one (auction-room.md 17, B1). */
export async function auctionRows(auctions: number, watchers: number): Promise<BenchmarkRow[]> {
  const tenders = new Map<string, BenchTender>();
  const gateway = await startFakeGateway(tenders);
  const room = await startTestRoom(gateway.url, { STREAMS_PER_ADDRESS_MAX: String(watchers + CONCURRENT) });
  const firstStart = Date.now() + Math.max(PREPARE_MS_MIN, auctions * PREPARE_MS_PER_AUCTION);
  for (let n = 0; n < auctions; n += 1) {
    const tender = benchTender(firstStart + (n * STAGE_MS) / auctions);
    tenders.set(tender.id, tender);
  }
  const measured: Measured = { offers: [], arrivals: new Map(), refused: 0 };
  try {
    const list = [...tenders.values()];
    await waitFor(() => list.every(({ links }) => Object.keys(links).length > 0), {
      what: 'the links of all auctions',
      timeoutMs: firstStart - Date.now(),
    });
    const players = await enterAll(list);
    const closeAll = await watch(room, list[0]?.id ?? '', watchers, measured);
    if (Date.now() > firstStart) throw new Error('the auctions began before all bidders had entered');
    await Promise.all(list.map(async (tender) => play(tender, players, measured)));
    await waitFor(() => list.every(({ reports }) => reports > 0), { what: 'all results', timeoutMs: 60_000 });
    closeAll();
    return await buildRows(room, list, watchers, measured);
  } finally {
    await room.stop();
    await gateway.stop();
  }
}

/** An auction of three bidders that starts at that time, in milliseconds since 1970. */
export function benchTender(startMs: number): BenchTender {
  return {
    id: randomBytes(16).toString('hex'),
    startDate: new Date(startMs).toISOString(),
    bids: Array.from({ length: BIDDERS }, (_one, n) => ({
      id: randomBytes(16).toString('hex'),
      date: '2026-11-01T10:00:00+02:00',
      value: { amount: 1_000 + n, currency: 'UAH' },
    })),
    links: {},
    reports: 0,
  };
}

/** Opens the links of all bidders. Answers them by bid. */
export async function enterAll(tenders: readonly BenchTender[]): Promise<ReadonlyMap<string, RoomBidder>> {
  const players = new Map<string, RoomBidder>();
  const links = tenders.flatMap((tender) => Object.entries(tender.links));
  const worker = async (): Promise<void> => {
    for (let next = links.pop(); next !== undefined; next = links.pop()) {
      const [bid, link] = next;
      players.set(bid, await enterRoom(link));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return players;
}

/** The bidder of each turn offers one less than before, in the middle of it. Whose turn it is follows from the opening bids. */
async function play(tender: BenchTender, players: ReadonlyMap<string, RoomBidder>, measured: Measured): Promise<void> {
  // Worst first. Every bidder goes one below its own amount each time, so the order stays.
  const order = tender.bids.toReversed();
  const start = Date.parse(tender.startDate);
  const turns = Array.from({ length: 3 }, (_one, round) =>
    order.map((bid, turn) => ({
      bid,
      at: start + (round * (BIDDERS + 1) + turn + 1.5) * STAGE_MS,
      amount: Number(bid.value.amount) - round - 1,
    })),
  ).flat();
  for (const { bid, at, amount } of turns) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(at - Date.now(), 0)));
    const sentAt = performance.now();
    const answer = await players.get(bid.id)?.offer(amount);
    measured.offers.push(performance.now() - sentAt);
    if (answer?.status !== 200) measured.refused += 1;
  }
}

/** Opens streams, and keeps when each stage arrived at each. Answers what closes them. */
export async function watch(
  { url }: Pick<TestRoom, 'url'>,
  auctionId: string,
  count: number,
  { arrivals }: Pick<Measured, 'arrivals'>,
): Promise<() => void> {
  const closing: (() => void)[] = [];
  const openOne = async (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/tenders/${auctionId}/stream`, { agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`stream refused with ${response.statusCode}`));
        closing.push(() => response.destroy());
        let rest = '';
        let seen = -1;
        response.setEncoding('utf8').on('data', (text: string) => {
          const stage = /"current_stage":(\d+),/.exec(rest + text)?.[1];
          // A frame may come in parts.
          rest = stage === undefined ? (rest + text).slice(-64) : '';
          if (stage === undefined || Number(stage) === seen) return;
          seen = Number(stage);
          const at = arrivals.get(seen) ?? [];
          arrivals.set(seen, at);
          at.push(performance.timeOrigin + performance.now());
        });
        response.on('error', () => undefined);
        resolve();
      });
      sent.once('error', reject).end();
    });
  for (let opened = 0; opened < count; opened += CONCURRENT) {
    await Promise.all(Array.from({ length: Math.min(CONCURRENT, count - opened) }, openOne));
  }
  return () => {
    for (const close of closing) close();
  };
}

/** Selects the count of all stages so far, and the median and p99 of their lateness in milliseconds. */
export const LATENESS = `SELECT count(*)::int AS count, percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP
    (ORDER BY extract(epoch FROM recorded_at)::float8 * 1000 - at / 1000.0) AS ms
  FROM auction_event WHERE type = 'StageStarted'`;
const BEGUN = `SELECT (data::json ->> 'stage')::int AS stage, extract(epoch FROM recorded_at)::float8 * 1000 AS at
  FROM auction_event WHERE auction_id = $1 AND type = 'StageStarted'`;
const OFFERS = `SELECT count(*)::int AS count FROM auction_event WHERE type = 'OfferPlaced'`;

async function buildRows(
  room: TestRoom,
  tenders: readonly BenchTender[],
  watchers: number,
  { offers, arrivals, refused }: Measured,
): Promise<BenchmarkRow[]> {
  const client = new pg.Client({ connectionString: room.databaseUrl });
  await client.connect();
  const lateness = (await client.query<{ count: number; ms: number[] }>(LATENESS)).rows[0];
  const begun = (await client.query<{ stage: number; at: number }>(BEGUN, [tenders[0]?.id])).rows;
  const placed = (await client.query<{ count: number }>(OFFERS)).rows[0]?.count ?? 0;
  await client.end();
  const notices = begun.flatMap(({ stage, at }) => (arrivals.get(stage) ?? []).map((arrived) => arrived - at));
  const [p50 = 0, p99 = 0] = lateness?.ms ?? [];
  const expected = tenders.length * BIDDERS * 3;
  const isExact = placed === expected && refused === 0 && tenders.every(({ reports }) => reports === 1);
  return [
    {
      what: `${tenders.length} auctions at once, stages of 5 s: lateness of ${lateness?.count} stages, p99 of ${LATE_MS_MAX} ms (B1)`,
      ratio: p99 / LATE_MS_MAX,
      atMost: 1,
      figures: `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms, of which turns that end wait 150 ms for offers`,
    },
    {
      what: `offers while they run, p99 of ${OFFER_MS_MAX} ms (B1)`,
      ratio: share(offers, 0.99) / OFFER_MS_MAX,
      atMost: 1,
      figures: formatPercentiles(offers),
    },
    {
      what: `${watchers} watchers of one of them: from the record of a stage to its frame, p99 of ${NOTICE_MS_MAX} ms (B3)`,
      ratio: share(notices, 0.99) / NOTICE_MS_MAX,
      atMost: 1,
      figures: `${formatPercentiles(notices)}, ${notices.length} of ${watchers * (STAGES - 1)} frames`,
    },
    {
      what: 'every offer answered, recorded and counted once; every result reported once (B7)',
      ratio: isExact ? 1 : 0,
      atLeast: 1,
      figures: `${placed} of ${expected} offers in the logs, ${refused} refused`,
    },
  ];
}

/** The value below which that part of all values lies. */
export function share(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0;
}

function formatPercentiles(values: readonly number[]): string {
  return `p50 ${Math.round(share(values, 0.5))} ms, p99 ${Math.round(share(values, 0.99))} ms`;
}
