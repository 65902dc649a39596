import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { connect } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureStream } from './streams.ts';
import { openBus, type Bus } from './bus.ts';
import { ensureConsumer } from './consume/ensure-consumer.ts';
import { makeLog } from '../runtime/log.ts';
import { respondTo, sendRequest } from './request/request.ts';

const log = makeLog('test', 'silent' as 'fatal');
const tenders = { name: 'tenders', subjects: ['tenders.>'] };

let testBus: TestBus;
let everything: Bus;

beforeAll(async () => {
  testBus = await freshBus();
  everything = await openBus(testBus.url, 'test', log);
  await ensureStream(everything, tenders, 1);
});

afterAll(async () => {
  await everything.close();
  await testBus.stop();
});

async function connectAs(service: 'bids' | 'tenders' | 'awards'): Promise<Bus> {
  const bus = await openBus(testBus.urlOf(service), service, log);
  onTestFinished(async () => bus.close());
  return bus;
}

const messagesOfTenders = async (): Promise<number> =>
  (await everything.manager.streams.info('tenders')).state.messages;

describe('NATS', () => {
  it('refuses a connection without credentials, and with a wrong password', async () => {
    const servers = testBus.address;
    await expect(connect({ servers, reconnect: false })).rejects.toThrow(/authorization/i);
    await expect(connect({ servers, reconnect: false, user: 'bids', pass: 'tenders' })).rejects.toThrow(
      /authorization/i,
    );
  });

  it('leaves a service with a wrong password disconnected, which logs the reason and not the password', async () => {
    const lines: string[] = [];
    const recording = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    const bus = await openBus(testBus.address, 'bids', recording, { user: 'bids', password: 'not the password' });
    onTestFinished(async () => bus.close());
    expect(bus.connected()).toBe(false);
    expect(bus.fault()?.text).toMatch(/authorization/i);
    expect(lines.join('')).toMatch(/authorization/i);
    expect(lines.join('')).not.toContain('not the password');
  });

  it('lets a service in again whose password was wrong for a time, and which said so meanwhile', async () => {
    const server = await freshBus();
    onTestFinished(async () => server.stop());
    const lines: string[] = [];
    const recording = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    const bus = await openBus(server.urlOf('bids'), 'bids', recording);
    onTestFinished(async () => bus.close());
    expect([bus.connected(), bus.fault()]).toEqual([true, undefined]);
    await server.kill();
    await waitFor(() => bus.fault()?.text === 'not connected', { what: 'the end of the connection' });
    await server.restart({ passwordOf: (service) => (service === 'bids' ? 'rotated' : service) });
    await waitFor(() => /authorization/i.test(bus.fault()?.text ?? ''), { what: 'the refused login' });
    expect(bus.connected()).toBe(false);
    await server.kill();
    await server.restart();
    await waitFor(() => bus.connected(), { what: 'a connection with the right password' });
    expect(bus.fault()).toBe(undefined);
    // Once for each reason, however many attempts there were.
    expect(lines.filter((line) => /authorization/i.test(line))).toHaveLength(1);
  });

  it('is found out when it is gone without a word, and used again when it is back', async () => {
    const server = await freshBus();
    onTestFinished(async () => server.stop());
    // Sixty times faster than in production.
    const bus = await openBus(server.urlOf('bids'), 'bids', log, {}, 1, 250);
    onTestFinished(async () => bus.close());
    expect(bus.connected()).toBe(true);
    server.freeze();
    await waitFor(() => bus.fault() !== undefined, { what: 'the end of the connection' });
    await server.kill();
    await server.restart();
    await waitFor(() => bus.connected(), { what: 'a new connection' });
  });

  it.each([
    ['an authority', (address: string) => [address, { caFile: import.meta.filename }] as const],
    ['an address with tls://', (address: string) => [address.replace('nats:', 'tls:'), {}] as const],
  ])('is not used without encryption by a service that has %s', async (_what, settings) => {
    const [address, files] = settings(testBus.address);
    const bus = await openBus(address, 'bids', log, { user: 'bids', password: 'bids', ...files });
    onTestFinished(async () => bus.close());
    expect(bus.connected()).toBe(false);
    expect(bus.fault()?.text).toMatch(/tls|enoent|certificate|pem/i);
  });

  it('refuses what bids publishes as tenders, and reports it', async () => {
    const bus = await connectAs('bids');
    await ensureStream(bus, { name: 'bids', subjects: ['bids.>'] }, 1);
    await bus.jetstream.publish('bids.bid-registered.x', '{}');
    expect(bus.denied()).toEqual([]);
    await expect(bus.jetstream.publish('tenders.tender-cancelled.x', '{}')).rejects.toThrow(/permission/i);
    bus.connection.publish('tenders.tender-cancelled.x', '{}');
    await bus.connection.flush();
    expect(await messagesOfTenders()).toBe(0);
    expect(bus.denied()).toEqual(['publish tenders.tender-cancelled.x']);
  });

  it('takes a reply after the time for replies for no fault', async () => {
    const bus = await connectAs('bids');
    bus.connection.publish('_INBOX.awards.x', '{}');
    bus.connection.publish('tenders.tender-cancelled.x', '{}');
    await waitFor(() => bus.denied().length > 0, { what: 'what was denied after it' });
    expect(bus.denied()).toEqual(['publish tenders.tender-cancelled.x']);
  });

  it.each([
    ['its configuration', async (bus: Bus) => bus.manager.streams.update('tenders', { max_msgs: 1 })],
    ['its messages', async (bus: Bus) => bus.manager.streams.purge('tenders')],
    ['its existence', async (bus: Bus) => bus.manager.streams.delete('tenders')],
    ['the durable of another service', async (bus: Bus) => bus.manager.consumers.delete('tenders', 'awards--tenders')],
    [
      'the filter of the durable of another service',
      async (bus: Bus) => ensureConsumer(bus, { stream: tenders, durable: 'awards--tenders', filter: 'tenders.x.*' }),
    ],
  ])('refuses bids a change of the stream of tenders: %s', async (_what, change) => {
    await ensureConsumer(everything, { stream: tenders, durable: 'awards--tenders', filter: 'tenders.*.*' });
    await expect(change(await connectAs('bids'))).rejects.toThrow(/permission/i);
  });

  it('lets a service read a stream by its own durables only', async () => {
    const bus = await connectAs('bids');
    await ensureConsumer(bus, { stream: tenders, durable: 'bids--tenders', filter: 'tenders.tender-changed.*' });
    await everything.jetstream.publish('tenders.tender-changed.x', '{}');
    const message = await (await bus.jetstream.consumers.get('tenders', 'bids--tenders')).next({ expires: 60_000 });
    expect(await message?.ackAck()).toBe(true);
    expect(bus.denied()).toEqual([]);
    await expect(bus.jetstream.consumers.get('tenders', 'awards--tenders')).rejects.toThrow(/permission/i);
  });

  it('passes a request on only if its sender may send it and its receiver may answer it', async () => {
    const [bids, awards] = await Promise.all([connectAs('bids'), connectAs('awards')]);
    respondTo(bids, 'ask.bids.sealed', log, async () => 'secret');
    respondTo(bids, 'ask.bids.facts', log, async () => 'facts');
    await bids.connection.flush();
    expect(await sendRequest(awards, 'ask.bids.facts', {}, 60_000)).toEqual({ kind: 'answer', value: 'facts' });
    expect(await sendRequest(awards, 'ask.bids.sealed', {})).toEqual({ kind: 'unavailable' });
    await waitFor(() => awards.denied().includes('publish ask.bids.sealed'), { what: 'the denied request' });
    respondTo(awards, 'ask.bids.facts', log, async () => 'forged');
    await waitFor(() => awards.denied().includes('subscription ask.bids.facts'), { what: 'the denied subscription' });
  });

  it('passes a response in parts on to the requester', async () => {
    const [bids, awards] = await Promise.all([connectAs('bids'), connectAs('awards')]);
    const large = 'x'.repeat(9_000_000);
    respondTo(bids, 'ask.bids.fact-pages', log, async () => large);
    await bids.connection.flush();
    const response = await sendRequest(awards, 'ask.bids.fact-pages', {}, 60_000);
    expect(response.kind === 'answer' && response.value === large).toBe(true);
    expect([bids.denied(), awards.denied()]).toEqual([[], []]);
  });

  it('gives a service no replies of another', async () => {
    const bus = await connectAs('bids');
    const subjects = ['>', '_INBOX.>', '_INBOX.tenders.>', 'tenders.>'];
    for (const subject of subjects) bus.connection.subscribe(subject);
    await waitFor(() => bus.denied().length === subjects.length, { what: 'four denied subscriptions' });
    expect(bus.denied()).toEqual(subjects.map((subject) => `subscription ${subject}`));
  });
});
