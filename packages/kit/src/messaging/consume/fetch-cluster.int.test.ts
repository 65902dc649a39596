import { freshCluster } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { expect, it, onTestFinished } from 'vitest';
import { ensureStream } from '../streams.ts';
import { openBus } from '../bus.ts';
import { ensureConsumer } from './ensure-consumer.ts';
import { FETCH_MESSAGES_MAX, bytesMaxOfFetch, fetchMessages } from './fetch-messages.ts';
import { makeLog } from '../../runtime/log.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const BATCHES = 3;

// The release of docker-compose.yml announces the end of a batch before its messages (npm run test:real), an older one after them.
it('a cluster of three servers gives the messages of full batches', async () => {
  const cluster = await freshCluster();
  onTestFinished(async () => cluster.stop());
  const bus = await openBus(cluster.url, 'test', makeLog('test', 'silent' as 'fatal'));
  onTestFinished(async () => bus.close());
  // A busy machine may change the leader at any of these steps.
  await waitFor(async () => ensureStream(bus, stream, 3).then(() => true), { what: 'a stream with three replicas' });
  for (let n = 0; n < BATCHES * FETCH_MESSAGES_MAX; n += 1)
    await waitFor(async () => bus.jetstream.publish(`things.changed.${n}`, '{}'), { what: `message ${n}` });
  const durable = 'test--things';
  await waitFor(async () => ensureConsumer(bus, { stream, durable, filter: 'things.*.*' }).then(() => true), {
    what: 'a durable',
  });
  const consumer = await waitFor(async () => bus.jetstream.consumers.get(stream.name, durable), {
    what: 'the durable',
  });
  const limits = { messagesMax: FETCH_MESSAGES_MAX, bytesMax: bytesMaxOfFetch(1_000_000), expiresMs: 30_000 };
  const seen = new Set<number>();
  const errors: unknown[] = [];
  while (seen.size < BATCHES * FETCH_MESSAGES_MAX) {
    try {
      for await (const message of fetchMessages(consumer, limits)) {
        seen.add(message.seq);
        message.ack();
      }
    } catch (error) {
      errors.push(error instanceof Error ? error.message : error);
    }
  }
  expect(errors).not.toContain('batch completed');
});
