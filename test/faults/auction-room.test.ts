import { startStack, type Stack } from '@procurement/local-stack/stack';
import { startOwnPostgres, type OwnPostgres } from '@procurement/testing/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import {
  enterRoom,
  newestRecords,
  roomState,
  startTestRoom,
  toNextStage,
  type RoomBidder,
  type TestRoom,
} from '../support/auction-room.ts';
import { patientBroker, until, type Json } from '../support/broker.ts';
import { PATIENCE } from '../support/patience.ts';
import { TENDERER } from '../support/published-tender.ts';
import { SLOW_TURNS } from '../support/room-system.ts';
import { storyContextWith } from '../support/story-context.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';
import { verifyAndStop } from '../support/verified.ts';
import { watchGateway, type WatchedGateway } from '../support/watched-gateway.ts';

let stack: Stack;
let gateway: WatchedGateway;
/** PostgreSQL of the room. */
let postgres: OwnPostgres;
let room: TestRoom;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
  gateway = await watchGateway(stack.gatewayUrl);
  postgres = await startOwnPostgres();
  room = await startTestRoom(gateway.url, SLOW_TURNS, postgres);
});

afterAll(async () => {
  await room.stop();
  gateway.close();
  await verifyAndStop(stack);
});

type Part = 'tenders' | 'bids' | 'auction' | 'documents' | 'gateway' | 'room';

/** Who is killed while the stage of the auction is open: in the opening pause, in turns with an offer and without. */
const KILLED: Readonly<Record<number, readonly Part[]>> = {
  0: ['auction'],
  1: ['room'],
  2: ['gateway'],
  4: ['tenders'],
  5: ['room', 'gateway'],
  9: ['tenders', 'bids', 'documents', 'room'],
};

/** The room reports the results at the end of this stage. The service that takes them comes back when a report has failed. */
const REPORT_AFTER = 9;

async function kill(part: Part): Promise<void> {
  if (part === 'room') await room.kill();
  else await stack.parts[part].kill('SIGKILL');
}

async function start(part: Part): Promise<void> {
  if (part === 'room') await room.start();
  else await stack.parts[part].start();
}

async function inDatabase<T>(work: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: room.databaseUrl });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

async function untilReportFailed(): Promise<void> {
  await inDatabase(async (database) =>
    until('a report that fails', async () => {
      const { rows } = await database.query(`SELECT 1 FROM task WHERE kind = 'results' AND last_error <> ''`);
      return rows.length > 0;
    }),
  );
}

describe('an auction in the room', () => {
  it('has the results of a quiet day when services and the room are killed during it (A55)', async () => {
    const killed: Part[] = [];
    let back: Promise<unknown> | undefined;
    const seen = new Set<number>();
    const beforeMove = async (stage: number): Promise<void> => {
      // A move that is tried again comes here again.
      if (seen.has(stage)) return;
      seen.add(stage);
      const parts = KILLED[stage] ?? [];
      await Promise.all(parts.map(kill));
      await Promise.all(parts.map(start));
      killed.push(...parts);
      if (stage !== REPORT_AFTER || back !== undefined) return;
      await kill('auction');
      back = untilReportFailed().then(async () => start('auction'));
    };
    // Amounts, award, complaint and contract of the story are those without a fault.
    await playTwoBids(storyContextWith({ url: room.url, beforeMove }, stack.gatewayUrl));
    expect(killed).toEqual(Object.values(KILLED).flat());
    expect(back).toBeDefined();
    await back;
  });
});

/** Repeats the attempt: a replica that was away takes no offer, and moves no clock, until it has looked for an outage. */
async function patient<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  return until(what, async () => attempt().catch(() => undefined));
}

const killDatabase = async (): Promise<void> => {
  await postgres.end('SIGKILL');
  await postgres.start();
};
const killRoom = async (): Promise<void> => {
  await room.kill();
  await room.start();
};

/** Stages of an auction with two bidders, the planned auction included. The room is killed in each. */
const STAGES = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** One stage of each kind: planned, a turn, a pause between rounds, bidding over and results due. */
const DATABASE_KILLED: ReadonlySet<number> = new Set([-1, 2, 3, 9]);

/** Requests of the hand-off. The gateway has done each when the room is killed, before the room knows. */
const REQUESTS: Readonly<Record<string, RegExp>> = {
  'the record, before it is planned': /^GET \/api\/2\.5\/tenders\/\w+\/auction$/,
  'the published addresses': /^PATCH .*\/auction$/,
  'the uploaded protocol': /^POST \/upload$/,
  'the registered protocol': /^POST .*\/documents$/,
  'the accepted results': /^POST .*\/auction$/,
  'the protocol with the identities': /^PUT .*\/documents\/\w+$/,
};

describe('an auction whose room is killed in every stage, and its database', () => {
  it('has the results of the offers, each counted once, and one report (F1, F5, F7, F13, A16)', async () => {
    const awaited = new Map(Object.entries(REQUESTS));
    const sent = new Map<string, Set<string>>();
    gateway.onAnswer = async ({ method, path, body, status }) => {
      const request = `${method} ${path}`;
      if (method !== 'GET' && status < 300) sent.set(request, (sent.get(request) ?? new Set()).add(body));
      const [name] = [...awaited].find(([, pattern]) => pattern.test(request)) ?? [];
      if (name === undefined) return;
      awaited.delete(name);
      await killRoom();
    };
    // These requests come twice, as if a leader that was replaced sent the protocol too.
    gateway.isDoubled = ({ method, path }) => method === 'POST' && /^\/upload$|\/documents$/.test(path);
    const { id, path, links } = await tenderInAuction(stack.gatewayUrl, ['broker2', 'broker3']);
    const players = await Promise.all(
      (await links()).map(async (link) => patient('the link opened', async () => enterRoom(link))),
    );
    const anyone = patientBroker(stack.gatewayUrl, undefined, '2.5');
    const awaitState = async (isReached: (state: Json) => boolean): Promise<Json> =>
      until('the state of the auction', async () => {
        const state = await roomState(room.url, id).catch(() => undefined);
        return state !== undefined && isReached(state) && state;
      });
    const killAll = async (stage: number): Promise<void> => {
      await Promise.all([killRoom(), ...(DATABASE_KILLED.has(stage) ? [killDatabase()] : [])]);
    };
    const accepted: string[] = [];
    /** Sends until it is answered, as the page does. */
    const offer = async (player: RoomBidder, amount: number, offerId: string): Promise<Json> =>
      patient('an answer', async () => {
        const answer = await player.offer(amount, offerId);
        return answer.status < 500 ? answer : undefined;
      });
    for (const stage of STAGES) {
      const { stages } = await awaitState(({ current_stage: current }) => current >= stage);
      const player = players.find(({ bid }) => bid === stages[stage]?.bidder_id);
      if (player === undefined) {
        await killAll(stage);
      } else {
        const { limit } = await patient('the limit', async () => player.mine());
        const offerId = `offer-of-stage-${stage}`;
        const first = await offer(player, limit, offerId);
        expect([first.status, first.body.accepted], JSON.stringify(first.body)).toEqual([200, limit]);
        accepted.push(offerId);
        await killAll(stage);
        expect((await offer(player, limit, offerId)).body).toMatchObject({ accepted: limit, repeat: true });
      }
      await patient('the next stage', async () => toNextStage(room.url, id).then(() => true));
    }
    // The room says so before the announcement.
    await patient('the announcement', async () => toNextStage(room.url, id).then(() => true));
    const { results, current_stage: last } = await awaitState(
      (state) => state.phase === 'announced' && state.results[0].label.en === TENDERER.name,
    );
    expect([last, results.map(({ amount }: Json) => amount)]).toEqual([10, [374, 364]]);
    await until('the protocol with the identities', async () => awaited.size === 0);
    const tender = (await anyone.get(path)).body.data;
    expect(tender.awards.map(({ bid_id, value }: Json) => [bid_id, value.amount])).toEqual([
      [results[1].bidder_id, 364],
    ]);
    expect(newestRecords(tender).map(({ title }) => title)).toEqual([`audit_${id}.yaml`]);
    // What was sent twice was the same, but for the boundary of the form with the protocol.
    for (const [request, bodies] of sent) if (request.endsWith('/auction')) expect(bodies.size, request).toBe(1);
    const { rows } = await inDatabase(async (database) =>
      database.query(
        `SELECT data::json ->> 'offerId' AS id FROM auction_event WHERE auction_id = $1 AND type = 'OfferPlaced' ORDER BY seq`,
        [id],
      ),
    );
    expect(rows.map((row) => row.id)).toEqual(accepted);
  });
});
