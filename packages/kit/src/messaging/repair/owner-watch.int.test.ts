import { lossSubject } from '@procurement/contracts/events/subjects';
import { freshDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { acceptLoss } from '../publish/accept-loss.ts';
import { purgeOutbox } from '../publish/purge-outbox.ts';
import { startRelay, type Relay } from '../publish/relay.ts';
import { startOwnerWatch } from './owner-watch.ts';

const { log, bus } = connectedBus();
const stream = { name: 'things', subjects: ['things.>'] };
const database = await freshDatabase('awards');
const { pool } = database;
let relay: Relay;

beforeAll(() => startOwner());
afterAll(async () => {
  await relay.stop();
  await database.drop();
});

function startOwner(): void {
  const options = { service: 'test', stream, streamReplicas: 1, databaseUrl: database.url, pool, bus: bus(), log };
  relay = startRelay({ ...options, metrics: makeMetrics('test') });
}

async function tell(id: string): Promise<void> {
  const insert = 'INSERT INTO kit.outbox (id, subject, envelope) VALUES ($1, $2, $3)';
  await pool.query(insert, [secureIds.nextUuid(), `things.thing-changed.${id}`, '{}']);
  relay.wake();
}

/** The last part of the subjects in the stream. */
async function told(): Promise<readonly string[]> {
  const found: string[] = [];
  const { state } = await bus().manager.streams.info(stream.name);
  for (let seq = state.first_seq; seq <= state.last_seq && seq > 0; seq += 1)
    found.push((await bus().manager.streams.getMessage(stream.name, { seq }))?.subject.split('.').at(-1) ?? '');
  return found;
}

async function untilTold(...ids: readonly string[]): Promise<void> {
  const isTold = async (): Promise<boolean> =>
    (await told().catch((): readonly string[] => [])).join() === ids.join() &&
    (await pool.query('SELECT FROM kit.outbox WHERE sent_at IS NULL')).rowCount === 0;
  await waitFor(isTold, { what: `the events ${ids.join()}`, timeoutMs: 20_000 });
}

/** The database as it was when it had told no more than `kept`. */
async function restoreAlone(kept: string): Promise<void> {
  await relay.stop();
  const { rowCount } = await pool.query('DELETE FROM kit.outbox WHERE subject NOT LIKE $1', [`%.${kept}`]);
  expect(rowCount).toBeGreaterThan(0);
  startOwner();
}

it('an owner that was restored alone publishes nothing and tells its followers, until an operator accepts the loss', async () => {
  await tell('a');
  await tell('b');
  await untilTold('a', 'b');
  const watch = startOwnerWatch([lossSubject('things')], { bus: bus(), log, everyMs: 20 });
  const details = async () => (await watch.details()).map(({ kind, name, text }) => `${kind} ${name} ${text ?? ''}`);
  expect(relay.lost()).toBeUndefined();
  expect(await details()).toEqual([]);

  await restoreAlone('a');
  await waitFor(() => relay.lost() !== undefined, { what: 'the loss' });
  expect(relay.lost()).toMatch(/lacks event .*things\.thing-changed\.b/);
  await tell('c');
  await waitFor(async () => (await details()).length > 0, { what: 'a follower that knows' });
  expect(await details()).toEqual([`owner things ${relay.lost() ?? ''}`]);
  // The relay polls what waits meanwhile.
  await waitFor(async () => (await relay.backlog()).waiting === 1, { what: 'the event that waits' });
  expect(await told()).toEqual(['a', 'b']);

  await pool.query(
    `INSERT INTO awarding (tender_id, version, document, "inner") VALUES ('t', 7, '{}', '{}'), ('u', 0, '{}', '{}')`,
  );
  await acceptLoss(pool, { relay, versioned: ['awarding'] });
  await untilTold('c');
  await waitFor(async () => (await details()).length === 0, { what: 'a follower that knows that it is over' });
  expect(relay.lost()).toBeUndefined();
  const { rows } = await pool.query('SELECT version FROM awarding ORDER BY tender_id');
  expect(rows).toEqual([{ version: '1000007' }, { version: '0' }]);
  await watch.stop();
});

it('the outbox keeps a day before its last row that was sent, so that the newest event of a quiet owner stays', async () => {
  await relay.stop();
  await pool.query('DELETE FROM kit.outbox');
  const insert = `INSERT INTO kit.outbox (id, subject, envelope, sent_at) VALUES (gen_random_uuid(), $1, '{}', now() - $2::interval)`;
  for (const [subject, age] of [
    ['old', '9 days'],
    ['before', '71 hours'],
    ['last', '48 hours'],
  ])
    await pool.query(insert, [subject, age]);
  await pool.query(`INSERT INTO kit.outbox (id, subject, envelope) VALUES (gen_random_uuid(), 'waits', '{}')`);
  const client = await pool.connect();
  expect(await purgeOutbox(client)).toBe(1);
  client.release();
  const { rows } = await pool.query('SELECT subject FROM kit.outbox ORDER BY position');
  expect(rows.map(({ subject }) => subject)).toEqual(['before', 'last', 'waits']);
});
