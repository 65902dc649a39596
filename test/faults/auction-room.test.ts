import pg from 'pg';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { startTestRoom, type TestRoom } from '../support/auction-room.ts';
import { until } from '../support/broker.ts';
import { PATIENCE } from '../support/patience.ts';
import { storyContextWith } from '../support/story-context.ts';
import { verifyAndStop } from '../support/verified.ts';

let stack: Stack;
let room: TestRoom;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
  // Turns of two minutes: only the test moves the clock.
  room = await startTestRoom(stack.gatewayUrl, { SANDBOX_ACCELERATES_STAGES: 'off' });
});

afterAll(async () => {
  await room.stop();
  await verifyAndStop(stack);
});

type Part = 'tenders' | 'bids' | 'auction' | 'documents' | 'gateway' | 'room';

/** Who is killed while the stage of the auction is open: in the opening pause, in turns with an offer and without. */
const KILLED: Readonly<Record<number, readonly Part[]>> = {
  0: ['auction'],
  1: ['room'],
  2: ['gateway'],
  4: ['tenders'],
  5: ['room', 'gateway'],
  9: ['tenders', 'bids', 'documents', 'room'],
};

/** At the end of this stage the room reports the results. The service that takes them comes back when that has failed. */
const REPORT_AFTER = 9;

async function kill(part: Part): Promise<void> {
  if (part === 'room') await room.kill();
  else await stack.parts[part].kill('SIGKILL');
}

async function start(part: Part): Promise<void> {
  if (part === 'room') await room.start();
  else await stack.parts[part].start();
}

async function untilReportFailed(): Promise<void> {
  const database = new pg.Client({ connectionString: room.databaseUrl });
  await database.connect();
  await until('a report that fails', async () => {
    const { rows } = await database.query(`SELECT 1 FROM task WHERE kind = 'results' AND last_error <> ''`);
    return rows.length > 0;
  });
  await database.end();
}

describe('an auction in the room', () => {
  it('has the results of a quiet day when services and the room are killed during it (A55)', async () => {
    const killed: Part[] = [];
    let back: Promise<unknown> | undefined;
    const beforeMove = async (stage: number): Promise<void> => {
      const parts = KILLED[stage] ?? [];
      await Promise.all(parts.map(kill));
      await Promise.all(parts.map(start));
      killed.push(...parts);
      if (stage !== REPORT_AFTER || back !== undefined) return;
      await kill('auction');
      back = untilReportFailed().then(async () => start('auction'));
    };
    // Amounts, award, complaint and contract of the story are those without a fault.
    await playTwoBids(storyContextWith({ url: room.url, beforeMove }, stack.gatewayUrl));
    expect(killed).toEqual(Object.values(KILLED).flat());
    expect(back).toBeDefined();
    await back;
  });
});
