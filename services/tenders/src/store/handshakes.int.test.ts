import type { AwardsRun } from '@procurement/contracts/events/run-due';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { loadTender } from './load-tenders.ts';

let running: RunningTenders;
const { created } = requestsTo(() => running);
/** What the awards service answers. */
let awardsRun: () => Promise<AwardsRun>;
const asked: string[] = [];

beforeAll(async () => {
  running = await runningTenders();
  respondTo(running.bus, rpcSubjects.runDueAwards, running.log, async () => {
    asked.push('awards');
    return awardsRun();
  });
  respondTo(running.bus, rpcSubjects.runDueAuction, running.log, async () => {
    asked.push('auction');
    return { published: [], reported: [] };
  });
});

afterEach(() => {
  asked.length = 0;
});

afterAll(async () => {
  await running.close();
});

const buildAwards = (id: string, version: number) => ({ id, version, awards: [], contracts: [] });

/** Applies `award.changed` as its durable does. */
async function applyAwards(id: string, version: number): Promise<void> {
  const client = await running.database.pool.connect();
  try {
    await client.query('BEGIN');
    const input = { type: 'ReplaceAwards', facts: buildAwards(id, version) } as const;
    await running.deps.externalInputs.apply(client, [{ id, input }], 'test');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const awardsVersion = async (id: string) =>
  (await loadTender(running.database.pool, id, { lock: false }))?.state.awards?.version;

describe('issue 15 R18: awaitDone', () => {
  it('asks nobody about a tender of which other services have nothing due', async () => {
    const { id } = await created();
    await running.deps.handshakes.awaitDone(id);
    expect(asked).toEqual([]);
  });

  it('resolves when the tender shows what awards ran, and asks again because of it', async () => {
    const { id } = await created();
    await applyAwards(id, 1);
    awardsRun = async () => {
      // The event arrives while the answer is on its way, or after it.
      if (asked.length === 1) void applyAwards(id, 2);
      return { version: 2 };
    };
    await running.deps.handshakes.awaitDone(id);
    expect([await awardsVersion(id), asked]).toEqual([2, ['awards', 'awards']]);
  });

  it('resolves when awards fails', async () => {
    const { id } = await created();
    await applyAwards(id, 1);
    awardsRun = async () => {
      throw new Error('unavailable');
    };
    await running.deps.handshakes.awaitDone(id);
    expect(asked).toEqual(['awards']);
  });
});
