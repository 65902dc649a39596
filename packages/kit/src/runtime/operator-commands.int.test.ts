import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDeadLetter } from '../messaging/dead-letters.ts';
import { operatorCommand } from './operator-commands.ts';

const EVENT_ID = '00000000-0000-4000-8000-000000000001';
const envelope = {
  specversion: '1.0',
  id: EVENT_ID,
  source: '/things',
  type: 'thing.changed',
  subject: 'a',
  time: '2026-05-04T10:15:00+03:00',
  datacontenttype: 'application/json',
  dataschema: 'thing.changed/1',
  correlationid: 'req-1',
  causationid: 'req-1',
  sequence: 1,
  data: {},
};

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('awards');
});

afterAll(async () => {
  await database.drop();
});

async function run(...args: string[]): Promise<{ code: number; lines: string[]; applied: string[] }> {
  const [lines, applied]: [string[], string[]] = [[], []];
  const apply = async (_tx: unknown, events: readonly { id: string }[]): Promise<void> => {
    applied.push(...events.map(({ id }) => id));
  };
  const stream = { name: 'things', subjects: ['things.>'] };
  const subscriptions = [{ stream, filter: 'things.*.*', durable: 'test--things', apply }];
  const code = await operatorCommand(args, {
    pool: database.pool,
    fetchData: async (event) => event,
    subscriptions,
    print: (line) => lines.push(line),
  });
  return { code, lines, applied };
}

describe('operatorCommand', () => {
  it('lists dead letters and replays them once', async () => {
    const deadLetter = {
      durable: 'test--things',
      eventId: EVENT_ID,
      subject: 'things.thing-changed.a',
      error: 'poison',
      attempts: 8,
    };
    await writeDeadLetter(database.pool, { ...deadLetter, envelope: JSON.stringify(envelope) });
    expect((await run('dead-letters', 'list')).lines).toEqual([
      expect.stringMatching(/test--things .* 8 attempts {2}poison$/),
    ]);
    expect(await run('dead-letters', 'replay')).toEqual({
      code: 0,
      lines: ['test--things: 1 applied'],
      applied: [EVENT_ID],
    });
    expect((await run('dead-letters', 'list')).lines).toEqual([]);
    expect((await run('dead-letters', 'replay')).applied).toEqual([]);
  });

  it('moves dead letters of the relay back to the outbox, with their ids', async () => {
    const deadLetter = { durable: 'relay', eventId: EVENT_ID, subject: 's', error: 'too large', attempts: 1 };
    await writeDeadLetter(database.pool, { ...deadLetter, envelope: 'large' });
    expect((await run('dead-letters', 'list')).lines).toEqual([expect.stringMatching(/relay {2}s .* too large$/)]);
    expect((await run('dead-letters', 'replay')).lines).toEqual([
      'relay: 1 will be published again',
      'test--things: 0 applied',
    ]);
    const { rows } = await database.pool.query('DELETE FROM outbox RETURNING id, envelope, sent_at');
    expect(rows).toEqual([{ id: EVENT_ID, envelope: 'large', sent_at: null }]);
    expect((await run('dead-letters', 'list')).lines).toEqual([]);
  });

  it('republishes the events stored since a time', async () => {
    const insert = `INSERT INTO outbox (id, subject, envelope, created_at, sent_at) VALUES (gen_random_uuid(), 's', '{}', $1, now())`;
    for (const at of ['2026-05-04T10:00:00Z', '2026-05-04T11:00:00Z']) await database.pool.query(insert, [at]);
    expect((await run('outbox', 'republish', '2026-05-04T10:30:00Z')).lines).toEqual([
      '1 events will be published again',
    ]);
    expect((await run('outbox', 'republish', 'yesterday')).code).toBe(2);
  });

  it.each([
    [[]],
    [['help']],
    [['dead-letters']],
    [['dead-letters', 'list', 'all']],
    [['dead-letters', 'list', '--all']],
    [['outbox', 'republish']],
    [['outbox', 'republish', '2026-05-04T10:30:00Z', 'now']],
  ])('prints the usage for %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, lines: [expect.stringContaining('dead-letters replay')] });
  });
});
