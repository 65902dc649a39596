import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { signalSubjects } from '@procurement/contracts/events/subjects';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { openBus } from '@procurement/kit/messaging/bus';
import { makeLog } from '@procurement/kit/runtime/log';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paperTenders } from '../../test-support/paper.ts';
import { storeRevisions } from '../../test-support/stored-revisions.ts';
import { openClient } from '@procurement/testing/stream-client';
import { endStreamsOfRevoked } from './on-broker-revoked.ts';
import { packingStore } from '../revisions/packing.store.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';

let running: RunningService;
let url: string;
const PAPER = paperTenders[0] ?? {};

beforeAll(async () => {
  running = await runningService({ STREAMS_MAX: '3', STREAM_EXPANDED_MAX: '1' });
  await running.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}/stream`;
});
afterAll(async () => {
  await running.close();
});

async function publish(rev: number, members: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const dateModified = `2026-04-01T09:00:00.0000${String(rev).padStart(2, '0')}+03:00`;
  await storeRevisions(running.database.pool, [{ rev, tender: { ...PAPER, dateModified, ...members }, causes: 2n }]);
}

function revokedEvent(name: string): object {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/gateway',
    type: 'broker.revoked',
    subject: name,
    time: '2026-04-01T09:00:00Z',
    datacontenttype: 'application/json',
    dataschema: 'https://api.example.org/broker.revoked/1',
    correlationid: 'c',
    causationid: 'c',
    aggregateversion: 1,
    data: { name, group: 'brokers', levels: '1', keyHash: 'a' },
  };
}

async function refusal(query: string, headers = {}): Promise<unknown> {
  const answer = await running.app.inject({ url: `/stream?${query}`, headers: { ...anonymousIdentity(), ...headers } });
  const [error] = answer.json().errors;
  return [answer.statusCode, error.location, error.name];
}

describe('GET /stream', () => {
  it('is 503 until the first copy of the log is complete', async () => {
    expect(await refusal('')).toEqual([503, 'url', 'service_unavailable']);
  });

  it('sends what is stored, what comes, and goes on after the last id', async () => {
    await publish(1);
    await publish(2, { title: 'Друга' });
    const first = await openClient(`${url}?offset=2026-03-31&status=active`, anonymousIdentity());
    expect(first.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=UTF-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await waitFor(() => first.positions.length === 2, { what: 'stored revisions' });
    await publish(3, { title: 'Третя' });
    const signals = await openBus(running.busServer.url, 'test', makeLog('test', 'fatal'));
    signals.connection.publish(signalSubjects.registerApplied);
    await waitFor(() => first.positions.length === 3, { what: 'the new revision' });
    first.close();
    await publish(4, { status: 'complete', title: 'Третя' });
    const headers = { ...anonymousIdentity(), 'last-event-id': first.lastEventId ?? '' };
    const second = await openClient(`${url}?offset=2026-03-31&status=active`, headers);
    await waitFor(() => second.positions.length === 1, { what: 'the revision after the last id' });
    expect(second.frames[0]).toBe(': procurement change stream\nretry: 3000');
    const notice = JSON.parse(second.frames.at(-1)?.split('\ndata: ')[1] ?? '');
    expect(notice).toEqual({
      type: 'tender.changed',
      position: '1775023200.000004',
      id: PAPER['id'],
      tenderID: PAPER['tenderID'],
      dateModified: '2026-04-01T09:00:00.000004+03:00',
      rev: 4,
      status: 'complete',
      causes: ['tender.edited'],
      changed: ['status'],
      match: 'left',
    });
    second.close();
    await signals.close();
  });

  it.each([
    ['stauts=active', 400, 'params', 'stauts'],
    ['opt_pretty=1', 400, 'params', 'opt_pretty'],
    ['expand=yes', 400, 'params', 'expand'],
    ['expand=1', 401, 'header', 'Authorization'],
    ['expand=1&offset=yesterday', 404, 'params', 'offset'],
    ['heartbeat=4', 400, 'params', 'heartbeat'],
    ['status=open', 400, 'params', 'status'],
    ['offset=yesterday', 404, 'params', 'offset'],
    ['offset=2026-04-02', 404, 'params', 'offset'],
    ['lastEventId=abc', 404, 'params', 'lastEventId'],
  ])('refuses %s with %i', async (query, ...expected) => {
    expect(await refusal(query)).toEqual(expected);
  });

  it('refuses a forged id before any byte of the body', async () => {
    expect(await refusal('', { 'last-event-id': 'abc' })).toEqual([404, 'header', 'Last-Event-ID']);
  });

  it('sends the public text of each revision with `expand`, also of packed ones, to as many as there may be (A16)', async () => {
    const { pool } = running.database;
    const { rows } = await pool.query('SELECT text FROM revision_text ORDER BY position');
    const texts: string[] = rows.map(({ text }) => text);
    const packing = packingStore({ pool, log: makeLog('test', 'fatal'), waitsForArchive: false });
    await packing.packBefore(BigInt(parseInstant('2026-04-01T09:00:00.000004+03:00')));
    const open = `${url}?offset=2026-03-31&mode=_all_&expand=1`;
    const client = await openClient(open, signedIdentity());
    await waitFor(() => client.positions.length === texts.length, { what: 'all revisions' });
    const sent = client.frames.filter((frame) => frame.startsWith('id: ')).map((frame) => frame.split('"tender":')[1]);
    expect(sent).toEqual(texts.map((text) => text.slice('{"data":'.length)));
    const refused = await running.app.inject({
      url: '/stream?expand=1',
      headers: signedIdentity({ broker: 'broker2' }),
    });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
    await openClient(url, anonymousIdentity()).then((plain) => plain.close());
    client.close();
    await waitFor(() => running.deps.hub.readers === 0, { what: 'closed streams' });
  });

  it('ends streams of whole tenders of a broker when its key is revoked (4.4)', async () => {
    const gateway = await openBus(running.busServer.urlOf('gateway'), 'gateway', makeLog('gateway', 'fatal'));
    const ending = endStreamsOfRevoked({ bus: running.bus, log: makeLog('test', 'fatal'), hub: running.deps.hub });
    const plain = await openClient(url, signedIdentity({ broker: 'broker1' }));
    const client = await openClient(`${url}?expand=1`, signedIdentity({ broker: 'broker1' }));
    const revoke = (broker: string): void =>
      gateway.connection.publish(`brokers.broker-revoked.${broker}`, JSON.stringify(revokedEvent(broker)));
    revoke('broker2');
    await waitFor(
      () => {
        revoke('broker1');
        return client.ended;
      },
      { what: 'the end of the stream' },
    );
    expect(client.frames.at(-1)).toMatch(/^event: bye\nretry: \d+\ndata: \{"reason":"key"\}$/);
    expect(plain.ended).toBe(false);
    plain.close();
    await ending.stop();
    await gateway.close();
    await waitFor(() => running.deps.hub.readers === 0, { what: 'closed streams' });
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await running.app.inject({ method: 'HEAD', url: '/stream', headers: anonymousIdentity() });
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/event-stream; charset=UTF-8',
      '',
    ]);
  });

  it('is 503 with a time to come back when as many are open as there may be', async () => {
    await waitFor(() => running.deps.hub.readers === 0, { what: 'the end of earlier streams' });
    const clients = [];
    for (let n = 0; n < 3; n += 1) clients.push(await openClient(url, anonymousIdentity()));
    const answer = await running.get('/stream');
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(5);
    for (const client of clients) client.close();
    await waitFor(() => running.deps.hub.readers === 0, { what: 'closed streams' });
  });
});
