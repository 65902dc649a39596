import type { Bus } from '@procurement/kit/messaging/bus';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { projection, storeExample } from '../../test-support/ocds.ts';
import { readProgress } from './ocds-position.store.ts';
import { startProjector } from './project-releases.ts';

let database: TestDatabase;
let signalApplied: () => void;
let projector: ReturnType<typeof startProjector>;

beforeAll(async () => {
  database = await freshDatabase('register');
  await storeExample(database.pool, 'paper');
  const connection = {
    subscribe: (_subject: string, { callback }: { callback: () => void }) => (signalApplied = callback),
  };
  const bus = { onOpen: (listener: (given: typeof connection) => void) => listener(connection) };
  projector = startProjector({
    ...projection(database.pool),
    bus: bus as unknown as Bus,
    metrics: makeMetrics('register'),
  });
});
afterAll(async () => {
  await projector.stop();
  await database.drop();
});

async function untilProjected(): Promise<void> {
  await waitFor(
    async () => {
      const progress = await readProgress(database.pool);
      return progress !== undefined && progress.applied === progress.position;
    },
    { what: 'the projection of what is applied' },
  );
}

describe('startProjector', () => {
  it('looks with one statement while nothing is to be projected', async () => {
    await untilProjected();
    const query = vi.spyOn(database.pool, 'query');
    const connect = vi.spyOn(database.pool, 'connect');
    signalApplied();
    await waitFor(() => query.mock.calls.length > 0, { what: 'a look' });
    // A second signal is heard after the round of the first.
    signalApplied();
    await waitFor(() => query.mock.calls.length > 1, { what: 'the next look' });
    const [first, second] = query.mock.calls.map(([statement]) => statement);
    expect([first, second]).toEqual([expect.objectContaining({ name: 'ocds-progress' }), expect.anything()]);
    // The pool connects by itself for each of its statements: there is no transaction.
    expect(connect.mock.calls.length).toBe(query.mock.calls.length);
    vi.restoreAllMocks();
  });

  it('begins again in a database that has lost its position', async () => {
    await untilProjected();
    const before = await readProgress(database.pool);
    await database.pool.query('TRUNCATE ocds_position');
    signalApplied();
    await untilProjected();
    expect((await readProgress(database.pool))?.position).toBe(before?.position);
  });
});
