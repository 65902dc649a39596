import { randomBytes } from 'node:crypto';
import { addMicros, HOUR, SECOND } from '@procurement/contracts/reading/instant';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { pino } from 'pino';
import { config, type Config } from '../src/config.ts';
import type { Auction, AuctionPlan } from '../src/domain/auction.ts';
import { startReplica, type Replica } from '../src/start-replica.ts';
import { fakeTenders, type FakeTenders } from './fake-tenders.ts';
import { fixtureNamed, buildPlan } from './fixtures.ts';
import { keepWorking } from './replica.ts';

/** One replica with its HTTP sides, on a database of its own, before a tender service in memory. */
export interface TestRoom extends Replica {
  readonly database: TestDatabase;
  readonly settings: Config;
  readonly tenders: FakeTenders;
  /** Everything that was logged. */
  readonly lines: readonly string[];
  /** Another replica on the same database, which does not serve. */
  join(env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Plans a worked auction, that of two bidders if none is named, as begun so many seconds ago. A turn lasts an hour: no test outlasts it. */
  plan(secondsAgo: number, name?: string): Promise<AuctionPlan>;
  stored(auctionId: string, condition: (auction: Auction) => boolean): Promise<Auction>;
}

export const PUBLIC_URL = 'https://room.example.org';

/** Its replicas always work, unless the test gives a database, which it may stop. */
export async function startTestRoom(
  env: Readonly<Record<string, string>> = {},
  given?: TestDatabase,
): Promise<TestRoom> {
  const database = given ?? (await freshDatabase('auction-room'));
  if (given === undefined) await keepWorking(database.pool);
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const settings = (more: Readonly<Record<string, string>> = {}): Config =>
    config({
      PUBLIC_URL,
      API_URL: 'https://api.example.org',
      ROOM_API_KEY: 'auction',
      DATABASE_URL: database.url,
      ROOM_SECRETS: `1:${Buffer.alloc(32, 7).toString('base64url')}`,
      FOLLOW_SECONDS: '0.1',
      SANDBOX_MODE: 'on',
      SANDBOX_ACCELERATES_STAGES: 'off',
      SHUTDOWN_LINGER_SECONDS: '0',
      ...env,
      ...more,
    });
  const tenders = fakeTenders(() => first.room.clock.now());
  const first = await startReplica({ settings: settings(), service: tenders, log });
  return {
    ...first,
    database,
    settings: settings(),
    tenders,
    lines,
    join: async (more) => startReplica({ settings: settings(more), service: tenders, log }),
    async plan(secondsAgo, name = '01-two-bidders') {
      const id = randomBytes(16).toString('hex');
      const startAt = addMicros(first.room.clock.now(), -secondsAgo * SECOND);
      const planned = buildPlan(fixtureNamed(name));
      const plan = { ...planned, id, tenderId: id, startAt, lengths: { ...planned.lengths, turn: HOUR } };
      await first.room.run(id, { type: 'Plan', plan }, 'follower');
      return plan;
    },
    async stored(auctionId, condition) {
      return waitFor(
        async () => {
          const auction = await first.room.auctions.load(auctionId);
          return auction !== undefined && condition(auction) && auction;
        },
        { what: 'the state of an auction' },
      );
    },
    async stop() {
      await first.stop();
      await database.drop();
    },
  };
}
