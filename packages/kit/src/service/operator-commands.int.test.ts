import { userInfo } from 'node:os';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureStream } from '../messaging/streams.ts';
import { openBus, type Bus } from '../messaging/bus.ts';
import { writeDeadLetter } from '../messaging/dead-letters.ts';
import { respondFactPages } from '../messaging/repair/fact-pages.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { operatorCommand, type OperatorDeps } from './operator-commands.ts';

const EVENT_ID = '00000000-0000-4000-8000-000000000001';
const envelope = {
  specversion: '1.0',
  id: EVENT_ID,
  source: '/things',
  type: 'thing.changed',
  subject: 'a',
  time: '2026-05-04T10:15:00+03:00',
  datacontenttype: 'application/json',
  dataschema: 'urn:procurement:event:thing.changed:1',
  correlationid: 'req-1',
  causationid: 'req-1',
  aggregateversion: 1,
  data: {},
};

const stream = { name: 'things', subjects: ['things.>'] };
const log = makeLog('test', 'fatal');
const unused = async (): Promise<void> => undefined;
/** What the database lacks of what was published. */
let loss: string | undefined;
let renewed = 0;
const renewStream = async (): Promise<void> => void (renewed += 1);

let database: TestDatabase;
let testBus: TestBus;
let bus: Bus;

beforeAll(async () => {
  [database, testBus] = await Promise.all([freshDatabase('awards'), freshBus()]);
  bus = await openBus(testBus.url, 'test', log);
  await ensureStream(bus, stream, 1);
});

afterAll(async () => {
  await bus.close();
  await Promise.all([database.drop(), testBus.stop()]);
});

async function run(...args: string[]): Promise<{ code: number; lines: string[]; applied: string[] }> {
  const [lines, applied]: [string[], string[]] = [[], []];
  const apply = async (_tx: unknown, events: readonly { id: string; subject: string }[]): Promise<void> => {
    applied.push(...events.map(({ id, subject }) => (args[0] === 'rebuild' ? subject : id)));
  };
  const subscriptions = [
    { stream, filter: 'things.*.*', durable: 'test--things', factType: 'thing.changed', apply },
    { stream, filter: 'things.thing-due.*', durable: 'test--commands', apply },
  ];
  const metrics = makeMetrics('test');
  const print = (line: string): void => void lines.push(line);
  const fetchData: OperatorDeps['fetchData'] = async (event) => event;
  const code = await operatorCommand(args, {
    pool: database.pool,
    bus,
    log,
    metrics,
    fetchData,
    subscriptions,
    publisher: { versioned: [], relay: { lost: () => loss, lookForLoss: unused, renewStream } },
    print,
  });
  return { code, lines, applied };
}

function isDiscard({ route }: { readonly route: string }): boolean {
  return route === 'dead-letters discard';
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
      lines: ['test--things: 1 applied', 'test--commands: 0 applied'],
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
      'test--commands: 0 applied',
    ]);
    const { rows } = await database.pool.query('DELETE FROM kit.outbox RETURNING id, envelope, sent_at');
    expect(rows).toEqual([{ id: EVENT_ID, envelope: 'large', sent_at: null }]);
    expect((await run('dead-letters', 'list')).lines).toEqual([]);
  });

  it('rebuilds what durables maintain, from the facts of their owners', async () => {
    respondFactPages({ bus, log }, stream, {
      'thing.changed': {
        schema: 'thing.changed/1',
        keys: async (after) => ['a', 'b', 'c'].filter((key) => key > after).map((key) => ({ key, bytes: 600_000 })),
        facts: async (keys) => keys.map((key) => ({ subject: key, version: 1, data: {} })),
      },
    });
    const rebuilt = { code: 0, lines: ['test--things: 3 facts applied'], applied: ['a', 'b', 'c'] };
    expect(await run('rebuild')).toEqual(rebuilt);
    expect(await run('rebuild', 'test--things')).toEqual(rebuilt);
    expect(await run('rebuild', 'test--commands')).toMatchObject({ code: 2, applied: [] });
    expect(await run('rebuild', 'test--unknown')).toMatchObject({ code: 2, applied: [] });
  });

  it('accepts what a database has lost, with a record of it, and only then', async () => {
    expect(await run('accept-loss')).toMatchObject({ code: 0, lines: ['nothing is lost'] });
    loss = 'event 7';
    expect(await run('accept-loss')).toMatchObject({ code: 0, lines: ['accepted: event 7', expect.any(String)] });
    expect(renewed).toBe(1);
    const { rows } = await database.pool.query(`SELECT objects, outcome FROM kit.audit WHERE route = 'accept-loss'`);
    expect(rows).toEqual([{ objects: '{"lost":"event 7"}', outcome: 'begun' }]);
  });

  it('republishes the events stored since a time', async () => {
    const insert = `INSERT INTO kit.outbox (id, subject, envelope, created_at, sent_at) VALUES (gen_random_uuid(), 's', '{}', $1, now())`;
    for (const at of ['2026-05-04T10:00:00Z', '2026-05-04T11:00:00Z']) await database.pool.query(insert, [at]);
    expect((await run('outbox', 'republish', '2026-05-04T10:30:00Z')).lines).toEqual([
      '1 events will be published again',
    ]);
    expect((await run('outbox', 'republish', 'yesterday')).code).toBe(2);
  });

  it.each([
    [[]],
    [['unknown']],
    [['dead-letters']],
    [['dead-letters', 'list', 'all']],
    [['dead-letters', 'show', 'x']],
    [['dead-letters', 'show', '1', '2']],
    [['dead-letters', 'replay', '1 OR 1=1']],
    [['dead-letters', 'discard', '1']],
    [['dead-letters', 'discard', '--reason', 'none']],
    [['dead-letters', 'list', '--all']],
    [['rebuild', 'test--things', 'now']],
    [['rebuild', '--all', 'now']],
    [['outbox', 'republish']],
    [['outbox', 'republish', '2026-05-04T10:30:00Z', 'now']],
  ])('prints the usage for %j', async (args) => {
    const { code, lines } = await run(...args);
    expect([code, lines.join('\n')]).toEqual([2, expect.stringContaining('Usage: node dist/main.js')]);
  });

  it('shows a dead letter without secrets, replays chosen ones, and discards others for a reason', async () => {
    const eventIds = ['2', '3', '4'].map((digit) => EVENT_ID.replace(/1$/, digit));
    const data = { tokenHash: 'f'.repeat(64), title: 'Sealed' };
    for (const eventId of eventIds) {
      const letter = {
        durable: 'test--commands',
        eventId,
        subject: 'things.thing-due.a',
        error: 'poison',
        attempts: 8,
      };
      await writeDeadLetter(database.pool, {
        ...letter,
        envelope: JSON.stringify({ ...envelope, id: eventId, data }),
      });
    }
    const listed = (await run('dead-letters', 'list', '--json')).lines.map((line) => JSON.parse(line));
    const [first, second] = listed.map(({ id }) => String(id));
    const shown = (await run('dead-letters', 'show', String(first))).lines.join('\n');
    expect(shown).toContain('"tokenHash": "text of 64 characters"');
    expect(shown).not.toContain('Sealed');
    expect((await run('dead-letters', 'replay', String(second))).applied).toEqual([eventIds[1]]);
    expect(await run('dead-letters', 'discard', String(first), '--reason', 'duplicate')).toMatchObject({
      code: 0,
      lines: ['1 discarded'],
    });
    expect((await run('dead-letters', 'discard', String(first), '--reason', 'again')).code).toBe(1);
    expect((await run('dead-letters', 'show', String(first))).lines[0]).toMatch(/discarded: duplicate; poison$/);
    expect((await run('dead-letters', 'replay', '--durable', 'test--things')).applied).toEqual([]);
    expect((await run('dead-letters', 'replay', '--durable', 'test--unknown')).code).toBe(2);
    expect((await run('dead-letters', 'replay')).applied).toEqual([eventIds[2]]);
    expect((await run('dead-letters', 'show', '999999')).code).toBe(1);
    const record = (await run('audit', 'list')).lines.map((line) => JSON.parse(line)).find(isDiscard);
    expect(record).toMatchObject({ outcome: 'changed', beforeHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.parse(record.objects)).toEqual({ reason: 'duplicate', changed: first });
  });

  it('records commands before they begin, and lists the records since a time', async () => {
    await run('outbox', 'republish', '2026-05-04T10:15:00+03:00');
    const all = (await run('audit', 'list')).lines.map((line) => JSON.parse(line));
    expect(all.at(-1)).toMatchObject({
      actor: userInfo().username,
      group: 'operator',
      method: 'COMMAND',
      route: 'outbox republish',
      objects: '{"since":"2026-05-04T10:15:00+03:00"}',
      outcome: 'begun',
    });
    expect(new Set(all.map(({ route }) => route))).toEqual(
      new Set(['accept-loss', 'dead-letters replay', 'dead-letters discard', 'rebuild', 'outbox republish']),
    );
    const since = await run('audit', 'list', '--since', all.at(-1).at);
    expect(since.lines.map((line) => JSON.parse(line))).toEqual([all.at(-1)]);
    expect((await run('audit', 'list', '--since', '2200-01-01T00:00:00Z')).lines).toEqual([]);
  });

  it.each([['audit'], ['audit', 'list', 'x'], ['audit', 'list', '--since', 'yesterday']])(
    '%s %s: usage',
    async (...args) => {
      expect((await run(...args)).code).toBe(2);
    },
  );
});
