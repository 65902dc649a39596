import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import type { Deps } from '../src/deps.ts';
import { decide, foldOnto } from '../src/domain/auction.decide.ts';
import { evolve } from '../src/domain/auction.evolve.ts';
import type { Command } from '../src/domain/commands.ts';
import type { MasterKey } from '../src/session/links.ts';
import { rateLimit } from '../src/session/rates.ts';
import { makeHub, type Hub } from '../src/watch/hub.ts';
import { fixtureNamed, buildPlan, plannedAt } from './fixtures.ts';

const FIXTURE = fixtureNamed('01-two-bidders');
const PLAN = buildPlan(FIXTURE);

/** The one auction of the stub. */
export const STUB_AUCTION = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(FIXTURE), plan: PLAN });
export const STUB_KEYS: readonly MasterKey[] = [{ number: 1, key: Buffer.alloc(32, 7) }];

/** The app over a database in memory. */
export interface StubApp {
  readonly app: FastifyInstance;
  readonly hub: Hub;
  /** Ids that were read from the database. */
  readonly reads: readonly string[];
  /** Whether the auction is in the memory of the replica. */
  isInMemory: boolean;
}

/** Limits get nothing back: the clock stands still. */
export function stubApp({
  readsMax = 1_000,
  streamsPerAddress = 200,
  keys = STUB_KEYS,
}: {
  readonly readsMax?: number;
  readonly streamsPerAddress?: number;
  readonly keys?: readonly MasterKey[];
}): StubApp {
  const reads: string[] = [];
  const limit = (burst: number) => rateLimit({ perSecond: 1, burst }, () => 0);
  const seen = { auction: STUB_AUCTION, aheadMicros: 0 };
  const isStored = (id: string): boolean => id === PLAN.id;
  const log = makeLog('test', 'fatal');
  const now = () => plannedAt(FIXTURE);
  const hub = makeHub({ now, log });
  const auctions = {
    inMemory: (id: string) => (stub.isInMemory && isStored(id) ? seen : undefined),
    read: async (id: string) => {
      reads.push(id);
      return isStored(id) ? seen : undefined;
    },
  };
  const run = async (_id: string, command: Command) => {
    const decision = decide(STUB_AUCTION, command, now());
    return { auction: foldOnto(STUB_AUCTION, 'accepted' in decision ? decision.accepted : []), events: [] };
  };
  const pool = {
    query: async ({ name }: { readonly name: string }) => {
      reads.push(name);
      return { rows: [] };
    },
  };
  const deps = {
    settings: {
      PUBLIC_URL: 'https://room.example.org',
      ROOM_SECRETS: keys,
      COMPAT_API: true,
      TRUSTED_PROXIES: [],
      RETURN_HOSTS: [],
      STREAMS_MAX: 1_000,
      STREAMS_PER_ADDRESS_MAX: streamsPerAddress,
    },
    room: { auctions, pool, run },
    hub,
    page: { base: '', assets: [], messagePage: () => '', auctionPage: () => '', listPage: () => '' },
    limits: {
      offers: limit(1),
      entries: limit(100),
      logins: limit(100),
      loginsOfAuction: limit(100),
      reads: limit(readsMax),
    },
    log,
    metrics: makeMetrics('test'),
    now,
    newId: () => '0'.repeat(32),
    isEnding: () => false,
  };
  // Safe cast: the parts that these routes use.
  const stub: StubApp = { app: buildApp(deps as unknown as Deps), hub, reads, isInMemory: true };
  return stub;
}
