import { freshDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { makeReadinessReader, type ReadinessSources } from '../../service/readiness.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { ensureStream } from '../streams.ts';
import { startConsumer } from './start-consumer.ts';
import { replicaSubscription } from '../consume/replica.ts';
import { respondTo } from '../request/request.ts';

const { log, bus } = connectedBus();
const stream = { name: 'things', subjects: ['things.>'] };
const declaration = {
  kind: 'thing',
  schema: z.object({ id: z.string(), version: z.int() }),
  types: ['thing.created', 'thing.changed'],
  facts: 'thing.changed',
  rpcSubject: 'ask.things',
  keepsAll: true,
  stream,
  filter: 'things.*.*',
} as const;

const database = await freshDatabase('awards');
afterAll(async () => database.drop());

let count = 0;

async function tell(type: string, id: string, version: number): Promise<void> {
  count += 1;
  const event = {
    specversion: '1.0',
    id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    source: '/things',
    type,
    subject: id,
    time: '2026-05-04T10:15:00+03:00',
    datacontenttype: 'application/json',
    dataschema: `urn:procurement:event:${type}:1`,
    correlationid: 'r',
    causationid: 'r',
    aggregateversion: version,
    data: { id, version },
  };
  await bus().jetstream.publish(`things.${type.replace('.', '-')}.${id}`, JSON.stringify(event));
}

it('makes the health of a follower red while the owner lacks what it told, also after newer events', async () => {
  await ensureStream(bus(), stream, 1);
  const owned = new Map([['a', 2]]);
  let asked = 0;
  respondTo(bus(), declaration.rpcSubject, log, async (request) => {
    asked += 1;
    const { id } = z.object({ id: z.string() }).parse(request);
    const version = owned.get(id);
    return version === undefined ? undefined : { id, version };
  });
  await tell('thing.created', 'a', 1);
  await tell('thing.changed', 'a', 2);
  const subscription = replicaSubscription(declaration, 'test--things');
  const metrics = makeMetrics('test');
  const consumer = startConsumer(subscription, {
    pool: database.pool,
    bus: bus(),
    log,
    metrics,
    checkPositionEveryMs: 20,
  });
  const relay = { backlog: async () => ({ waiting: 0, oldestSeconds: 0 }) };
  const infrastructure = { pool: database.pool, bus: bus(), relay } as unknown as ReadinessSources['infrastructure'];
  const details = async (): Promise<unknown> =>
    (await makeReadinessReader({ infrastructure, consumers: [consumer], details: [], isEnding: () => false })())
      .details;
  const untilAskedAgain = async (): Promise<void> => {
    const before = asked;
    await waitFor(() => asked > before + 1, { what: 'two more checks' });
  };
  await untilAskedAgain();
  expect(await details()).toEqual([]);

  // Restored from a backup of before `b` was created.
  await tell('thing.created', 'b', 1);
  await waitFor(() => consumer.ownerBehind() !== undefined, { what: 'the loss' });
  const lost = { kind: 'owner', name: 'test--things', count: 1, text: 'things does not have version 1 of b' };
  expect(await details()).toEqual([lost]);
  owned.set('a', 3);
  await tell('thing.changed', 'a', 3);
  await untilAskedAgain();
  expect(await details()).toEqual([lost]);

  owned.set('b', 1);
  await waitFor(() => consumer.ownerBehind() === undefined, { what: 'the owner to have it again' });
  expect(await details()).toEqual([]);
  await consumer.stop();
});
