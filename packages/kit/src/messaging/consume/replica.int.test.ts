import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { respondTo } from '../request/request.ts';
import { openBus, type Bus } from '../bus.ts';
import { transact } from '../../database/transaction.ts';
import { makeLog } from '../../runtime/log.ts';
import { applyToReplica, openReplica } from './replica.ts';
import type { Caller } from '../../runtime/caller.ts';
import { monotonicMs } from '../../runtime/clock.ts';
import { startSpan } from '../../runtime/trace-context.ts';
import { UnavailableError } from '../../database/unavailable-error.ts';

const Thing = z.object({ id: z.string(), version: z.int(), colour: z.string() });
const declaration = { kind: 'thing', schema: Thing, types: ['thing.changed'], rpcSubject: 'ask.things' };
const log = makeLog('test', 'silent' as 'fatal');

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;

beforeAll(async () => {
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  bus = await openBus(testBus.url, 'test', log);
});

afterAll(async () => {
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

const buildEvent = (id: string, version: number, colour: string, type = 'thing.changed'): Envelope => ({
  specversion: '1.0',
  id: '00000000-0000-4000-8000-000000000001',
  source: '/things',
  type,
  subject: id,
  time: '',
  datacontenttype: 'application/json',
  dataschema: 'urn:procurement:event:thing.changed:1',
  correlationid: '',
  causationid: '',
  aggregateversion: version,
  data: { id, version, colour },
});

const callerFor = (waitMs: number): Caller => ({ trace: startSpan(undefined), deadlineMs: monotonicMs() + waitMs });

const apply = async (events: readonly Envelope[]): Promise<void> =>
  transact(database.pool, async (tx) => applyToReplica(declaration)(tx, events));

describe('openReplica', () => {
  it('keeps the newest facts in any order of arrival', async () => {
    const replica = openReplica(declaration, { pool: database.pool, bus, log });
    await apply([buildEvent('a', 1, 'red'), buildEvent('a', 3, 'blue'), buildEvent('a', 2, 'green')]);
    expect(await replica.find('a')).toEqual({ id: 'a', version: 3, colour: 'blue' });
    await apply([buildEvent('a', 2, 'green')]);
    expect((await replica.find('a'))?.colour).toBe('blue');
    await apply([buildEvent('a', 4, 'black', 'thing.painted')]);
    expect((await replica.find('a'))?.colour).toBe('blue');
  });

  it('requests missing facts from the owner, and stores the response', async () => {
    const replica = openReplica(declaration, { pool: database.pool, bus, log });
    await expect(replica.find('b')).rejects.toThrow(UnavailableError);
    let requests = 0;
    respondTo(bus, 'ask.things', log, async (request) => {
      requests += 1;
      return z.object({ id: z.string() }).parse(request).id === 'b'
        ? { id: 'b', version: 7, colour: 'white' }
        : undefined;
    });
    expect((await replica.find('b'))?.colour).toBe('white');
    expect((await replica.find('b'))?.version).toBe(7);
    expect(await replica.find('c')).toBeUndefined();
    expect(requests).toBe(2);
  });

  it('refreshes from the owner, stores newer facts, and returns its copy when there is no response', async () => {
    const refreshable = { ...declaration, rpcSubject: 'ask.fresh.things' };
    const replica = openReplica(refreshable, { pool: database.pool, bus, log });
    await apply([buildEvent('d', 5, 'red')]);
    expect(await replica.refresh('d')).toEqual({ id: 'd', version: 5, colour: 'red' });
    const owners = { d: { id: 'd', version: 6, colour: 'green' } };
    respondTo(
      bus,
      'ask.fresh.things',
      log,
      async (request) => owners[z.object({ id: z.literal('d') }).parse(request).id],
    );
    expect((await replica.find('d'))?.version).toBe(5);
    expect((await replica.refresh('d'))?.version).toBe(6);
    expect(await replica.find('d')).toEqual(owners.d);
    await apply([buildEvent('d', 8, 'blue')]);
    expect((await replica.refresh('d'))?.version).toBe(8);
    expect((await replica.find('d'))?.version).toBe(8);
  });

  it('throws when neither the copy nor the owner can tell, and waits for the owner as long as the caller does', async () => {
    const replica = openReplica({ ...declaration, rpcSubject: 'ask.slow.things' }, { pool: database.pool, bus, log });
    await expect(replica.refresh('s')).rejects.toThrow(UnavailableError);
    await expect(replica.current('s')).rejects.toThrow(UnavailableError);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    respondTo(bus, 'ask.slow.things', log, async () => {
      await released;
      return { id: 's', version: 1, colour: 'red' };
    });
    await expect(replica.find('s', callerFor(50))).rejects.toThrow(UnavailableError);
    const patient = replica.find('s', callerFor(20_000));
    release();
    expect((await patient)?.colour).toBe('red');
  });

  it('decides by the facts of the owner, and never by a copy', async () => {
    const replica = openReplica({ ...declaration, rpcSubject: 'ask.now.things' }, { pool: database.pool, bus, log });
    await apply([buildEvent('n', 1, 'red')]);
    await expect(replica.current('n', callerFor(50))).rejects.toThrow(UnavailableError);
    let owned: unknown = { id: 'n', version: 2, colour: 'green' };
    respondTo(bus, 'ask.now.things', log, async () => owned);
    expect(await replica.current('n')).toEqual(owned);
    expect((await replica.find('n'))?.version).toBe(2);
    owned = undefined;
    expect(await replica.current('n')).toBeUndefined();
  });

  it('returns its copy when the handler of the owner fails', async () => {
    const replica = openReplica({ ...declaration, rpcSubject: 'ask.broken.things' }, { pool: database.pool, bus, log });
    await apply([buildEvent('e', 2, 'red')]);
    respondTo(bus, 'ask.broken.things', log, async () => Promise.reject(new Error('broken')));
    expect(await replica.refresh('e')).toEqual({ id: 'e', version: 2, colour: 'red' });
  });
});
