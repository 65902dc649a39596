import type { AddressInfo } from 'node:net';
import { secondsText } from '@procurement/domain/feed-offset';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { anonymousIdentity } from '@procurement/testing/identity';
import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenderId } from '../../test-support/fake-owner.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';

let busServer: TestBus;
let register: RunningRegister;
let replicas: readonly RunningService[];

beforeAll(async () => {
  busServer = await freshBus();
  register = await runningRegister(busServer);
  register.follow();
  register.owner.publish(tenderId(1));
  await register.caughtUp();
  // Neither follows: what they send comes from the database, upon the signal of the follower.
  const shared = { busServer, database: register.database, now: '2026-05-21T14:00:00+03:00' };
  replicas = await Promise.all([runningService({}, shared), runningService({}, shared)]);
  await Promise.all(replicas.map(async ({ app }) => app.listen({ host: '127.0.0.1', port: 0 })));
});
afterAll(async () => {
  await Promise.all(replicas.map(async (replica) => replica.close()));
  await register.close();
  await busServer.stop();
});

const READERS = 50;
const CHANGES = 200;
/** Repeatable, and different for each reader. */
const choice = (seed: number, of: number): number => (Math.imul(seed, 2_654_435_761) >>> 16) % of;

interface Reader {
  readonly seen: string[];
  client: StreamClient | undefined;
}

/** Opens the stream at a replica that answers, after the last id of the reader. */
async function connect(reader: Reader, start: string, seed: number): Promise<void> {
  const id = reader.seen.at(-1) ?? start;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const replica = replicas[choice(seed + attempt, replicas.length)];
    if (replica === undefined) continue;
    // Safe cast: it listens on a port.
    const { port } = replica.app.server.address() as AddressInfo;
    const opened = openClient(`http://127.0.0.1:${port}/stream`, { ...anonymousIdentity(), 'last-event-id': id });
    reader.client = await opened.catch(() => undefined);
    if (reader.client !== undefined) return;
  }
  throw new Error('no replica answers');
}

function takeAway(reader: Reader): void {
  reader.seen.push(...(reader.client?.positions ?? []));
  reader.client?.close();
  reader.client = undefined;
}

describe('two replicas of the register', () => {
  it('give 50 readers that change between them at random every revision once and in order (A10, A17, S1, S5)', async () => {
    const { owner } = register;
    const start = secondsText(BigInt(owner.log.at(-1)?.position ?? 0));
    const readers = Array.from({ length: READERS }, (): Reader => ({ seen: [], client: undefined }));
    await Promise.all(readers.map(async (reader, n) => connect(reader, start, n)));
    for (let change = 0; change < CHANGES; change += 1) {
      owner.publish(tenderId((change % 17) + 1));
      if (change % 40 !== 39) continue;
      await register.caughtUp();
      const moved = readers.filter((_reader, n) => choice(change * READERS + n, 3) === 0);
      for (const reader of moved) takeAway(reader);
      // What is published while a reader is away is not lost.
      owner.publish(tenderId(change));
      await Promise.all(moved.map(async (reader, n) => connect(reader, start, change + n)));
    }
    const expected = owner.log.slice(1).map(({ position }) => secondsText(BigInt(position)));
    const isComplete = ({ seen, client }: Reader): boolean =>
      seen.length + (client?.positions.length ?? 0) >= expected.length;
    await waitFor(() => readers.every(isComplete), { what: 'all changes at all readers' });
    for (const reader of readers) {
      takeAway(reader);
      expect(reader.seen).toEqual(expected);
    }
  });
});
