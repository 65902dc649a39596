import { AuctionPlanned } from '@procurement/contracts/events/auction.events';
import { Envelope } from '@procurement/contracts/events/envelope';
import { streams } from '@procurement/contracts/events/subjects';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { makePool } from '@procurement/kit/database/pool';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeOutbox } from '@procurement/kit/messaging/publish/outbox';
import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { freshDatabase } from '@procurement/testing/database';
import { deliver } from '@procurement/testing/deliver';
import { makeEvent } from '@procurement/testing/event';
import { TEST_IDENTITY_PUBLIC_KEYS } from '@procurement/testing/identity';
import type pg from 'pg';
import { z } from 'zod';
import { config } from '../src/config.ts';
import { makePlanningDeps } from '../src/deps.ts';
import { onTenderChanged } from '../src/events/on-tender-changed.ts';

/** A row of `auction_slot` in readable form. */
const SlotRow = z.object({
  tenderId: z.string(),
  lotId: z.string(),
  mode: z.string(),
  day: z.string().nullable(),
  stream: z.number().nullable(),
  slot: z.string().nullable(),
  confirmed: z.boolean(),
});
type SlotRow = z.infer<typeof SlotRow>;

const SLOTS = `SELECT tender_id AS "tenderId", lot_id AS "lotId", mode, day::text, stream, to_char(slot, 'HH24:MI') AS slot, confirmed
  FROM auction_slot ORDER BY mode, day, stream, slot, tender_id, lot_id`;

/** The tender subscription with its own database and without a bus: the test delivers events. */
export interface RunningPlanner {
  readonly clock: FixedClock;
  /** Applies `tender.changed` events, and resolves with how. Another pool stands for another process of the service. */
  deliver(updates: readonly TenderFacts[], pool?: pg.Pool): Promise<void>;
  anotherPool(): pg.Pool;
  /** Lets all publications be this old. */
  age(interval: string): Promise<void>;
  slots(): Promise<readonly SlotRow[]>;
  /** Data of the `auction.planned` events since the last call. */
  publishedPlans(): Promise<readonly AuctionPlanned[]>;
  close(): Promise<void>;
}

export const NOW = '2017-02-09T10:00:00+02:00';

/** Defaults: sandbox mode, no random part. */
export async function startPlanner(env: Readonly<Record<string, string>> = {}): Promise<RunningPlanner> {
  const database = await freshDatabase('auction');
  const clock = fixedClock(NOW);
  // `auction.planned` awaits no acks.
  const appliedAcks = { replySubjectFor: () => '', awaitApplied: async () => true };
  const outbox = makeOutbox({ stream: streams.auction.name, ids: secureIds, appliedAcks, wake: () => undefined });
  const settings = config({
    DATABASE_URL: database.url,
    NATS_URL: 'nats://127.0.0.1',
    IDENTITY_PUBLIC_KEYS: TEST_IDENTITY_PUBLIC_KEYS,
    SANDBOX_MODE: 'on',
    AUCTION_RANDOM_SECONDS: '0',
    ...env,
  });
  const subscription = onTenderChanged(makePlanningDeps(settings, { clock, outbox }));
  const others: pg.Pool[] = [];
  let read = 0;
  return {
    clock,
    deliver: async (updates, pool = database.pool) =>
      deliver(
        pool,
        subscription,
        updates.map((facts) => envelope(facts, formatServerDate(clock.now()))),
      ),
    anotherPool: () => {
      const pool = makePool({ url: database.url, name: 'other', connectionsMax: 10, log: makeLog('other', 'fatal') });
      others.push(pool);
      return pool;
    },
    age: async (interval) => {
      await database.pool.query('UPDATE auction_slot SET planned_at = now() - $1::interval', [interval]);
    },
    slots: async () => z.array(SlotRow).parse((await database.pool.query(SLOTS)).rows),
    publishedPlans: async () => {
      const { rows } = await database.pool.query('SELECT envelope FROM kit.outbox ORDER BY position OFFSET $1', [read]);
      read += rows.length;
      const envelopes = z.array(z.object({ envelope: z.string() })).parse(rows);
      return envelopes.map((row) => AuctionPlanned.parse(Envelope.parse(JSON.parse(row.envelope)).data));
    },
    close: async () => {
      await Promise.all(others.map(async (pool) => pool.end()));
      await database.drop();
    },
  };
}

function envelope(facts: TenderFacts, time: string): Envelope {
  return makeEvent({
    source: 'tenders',
    type: 'tender.changed',
    subject: facts.id,
    time,
    version: facts.version,
    data: facts,
  });
}
