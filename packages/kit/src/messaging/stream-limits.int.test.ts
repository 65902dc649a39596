import { freshDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { connectedBus } from '../../test-support/connected-bus.ts';
import { secureIds } from '../runtime/ids.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { DEFAULT_STREAM_LIMITS, ensureStream, streamLimitsOf } from './streams.ts';
import { startConsumer } from './repair/start-consumer.ts';
import { makeOutbox } from './publish/outbox.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const { log, bus } = connectedBus();

async function publish(from: number, to: number, bytes: number): Promise<void> {
  const appliedAcks = { replySubjectFor: () => '', awaitApplied: async () => true };
  const outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => undefined });
  for (let version = from; version <= to; version += 1) {
    const event = { type: 'thing.changed', schema: 'thing.changed/1', subjectId: 'a', version, correlationId: 'r' };
    const row = outbox.row({ ...event, time: '2026-05-04T10:15:00+03:00', data: 'x'.repeat(bytes) });
    await bus().jetstream.publish(row.subject, row.envelope, { msgID: row.id });
  }
}

const config = async () => (await bus().manager.streams.info(stream.name)).config;

describe('the limits of a stream', () => {
  it('are changed on a stream that exists, which keeps its events', async () => {
    await ensureStream(bus(), stream, 1, { ageMaxMs: 86_400_000, bytesMax: 1_000_000 });
    await publish(1, 2, 10);
    expect(await ensureStream(bus(), stream, 1)).toBe(true);
    expect(await config()).toMatchObject({
      max_age: DEFAULT_STREAM_LIMITS.ageMaxMs * 1_000_000,
      max_bytes: DEFAULT_STREAM_LIMITS.bytesMax,
      discard: 'old',
    });
    expect((await bus().manager.streams.info(stream.name)).state.messages).toBe(2);
  });

  it('follow the settings', () => {
    const settings = { STREAM_DAYS_MAX: 2, STREAM_BYTES_MAX: 1_000 };
    expect(streamLimitsOf(settings)).toEqual({ ageMaxMs: 172_800_000, bytesMax: 1_000 });
  });

  it('are without bytes when the server cannot reserve them', async () => {
    expect(await ensureStream(bus(), stream, 1, { ageMaxMs: 86_400_000, bytesMax: 1e15 })).toBe(false);
    expect(await config()).toMatchObject({ max_age: 86_400_000_000_000, max_bytes: -1 });
  });

  it('discard the oldest events; the publisher goes on, and a follower gets the newest and can see the gap', async () => {
    const limits = { ageMaxMs: 86_400_000, bytesMax: 1_000_000 };
    await ensureStream(bus(), stream, 1, limits);
    await publish(3, 22, 100_000);
    const applied: number[] = [];
    const { pool, drop } = await freshDatabase('awards');
    const consumer = startConsumer(
      {
        stream,
        durable: 'test--things',
        filter: 'things.*.*',
        apply: async (_tx, events) => void applied.push(...events.map(({ aggregateversion }) => aggregateversion)),
      },
      { pool, bus: bus(), log, metrics: makeMetrics('test') },
    );
    await waitFor(() => applied.at(-1) === 22, { what: 'the newest event' });
    // Read after them: newer servers discard the last event above the limit a moment later.
    const { first_seq: first, last_seq: last } = (await bus().manager.streams.info(stream.name)).state;
    expect(last).toBe(22);
    expect(first).toBeGreaterThan(12);
    expect(applied.slice(-(last - first + 1))).toEqual(Array.from({ length: last - first + 1 }, (_, n) => first + n));
    expect(applied.length).toBeLessThan(11);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    await consumer.stop();
    await drop();
  });
});
