import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeCertificates, withSuccessor } from '@procurement/nats-certificates/certificates';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBus, type Bus } from './bus.ts';
import { makeLog } from '../runtime/log.ts';
import { makeReadinessReader, type ReadinessSources } from '../service/readiness.ts';
import { respondTo, sendRequest } from './request/request.ts';

const newCertificates = async () => makeCertificates(['localhost'], new Date());
const [own, other] = await Promise.all([newCertificates(), newCertificates()]);
const log = makeLog('test', 'silent' as 'fatal');

let folder: string;
let testBus: TestBus;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-tls-'));
  writeFileSync(join(folder, 'own.pem'), own.authority);
  writeFileSync(join(folder, 'other.pem'), other.authority);
  testBus = await freshBus({ tls: own });
});

afterAll(async () => {
  await testBus.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects as a service does, by host name: the client does not compare an address with a certificate. */
async function connectAs(
  service: 'bids' | 'awards',
  scheme: 'nats' | 'tls',
  authority?: 'own' | 'other' | 'renewed' | 'named',
  server = testBus,
): Promise<Bus> {
  const address = `${scheme}://localhost:${new URL(server.address).port}`;
  const files = authority === undefined ? {} : { caFile: join(folder, `${authority}.pem`) };
  const bus = await openBus(address, service, log, { user: service, password: service, ...files });
  onTestFinished(async () => bus.close());
  return bus;
}

describe('a nats-server with TLS', () => {
  it.each(['nats', 'tls'] as const)('serves services that have its authority, at %s://', async (scheme) => {
    const [bids, awards] = await Promise.all([connectAs('bids', scheme, 'own'), connectAs('awards', scheme, 'own')]);
    respondTo(bids, 'ask.bids.facts', log, async () => 'facts');
    await bids.connection.flush();
    expect(await sendRequest(awards, 'ask.bids.facts', {}, 60_000)).toEqual({ kind: 'answer', value: 'facts' });
  });

  it('is refused by services that have another authority, or none for it', async () => {
    const settings = [['tls', 'other'], ['tls'], ['nats'], ['nats', 'other']] as const;
    const buses = await Promise.all(settings.map(async ([scheme, authority]) => connectAs('bids', scheme, authority)));
    expect(buses.map((bus) => bus.connected())).toEqual([false, false, false, false]);
    for (const bus of buses) expect(bus.fault()?.text).toMatch(/self-signed certificate|unable to verify/);
  });

  it('is refused when its certificate names other hosts, for that reason, by a service that is ready', async () => {
    const named = await makeCertificates(['nats', 'nats-0.nats-headless'], new Date());
    writeFileSync(join(folder, 'named.pem'), named.authority);
    const server = await freshBus({ tls: named });
    onTestFinished(async () => server.stop());
    const bus = await connectAs('bids', 'tls', 'named', server);
    const pool = { query: async () => ({ rows: [] }) } as unknown as ReadinessSources['infrastructure']['pool'];
    const relay = { backlog: async () => ({ waiting: 0, oldestSeconds: 0 }) };
    const infrastructure = { pool, bus, relay } as unknown as ReadinessSources['infrastructure'];
    const read = makeReadinessReader({ infrastructure, consumers: [], details: [], isServing: () => true });
    expect(await read()).toMatchObject({
      ready: true,
      checks: { database: 'ok', bus: 'fail' },
      busFault: expect.stringContaining("does not match certificate's altnames"),
    });
  });

  it('may get a certificate of a new authority, which services read when they connect again', async () => {
    const server = await freshBus({ tls: own });
    onTestFinished(async () => server.stop());
    const file = join(folder, 'renewed.pem');
    writeFileSync(file, own.authority);
    const bus = await connectAs('bids', 'tls', 'renewed', server);
    expect(bus.connected()).toBe(true);
    const present = { authorities: own.authority, server: `${own.certificate}${own.key}` };
    writeFileSync(file, withSuccessor(present, other.authority));
    await server.kill();
    await waitFor(() => !bus.connected(), { what: 'the end of the connection' });
    await server.restart({ tls: other });
    await waitFor(() => bus.connected(), { what: 'a connection with the new certificate' });
    await bus.connection.flush();
  });

  it('refuses a connection without encryption', async () => {
    const socket = connect(Number(new URL(testBus.address).port), '127.0.0.1');
    socket.end('CONNECT {"user":"bids","pass":"bids","verbose":false}\r\nPING\r\n');
    const answer = await text(socket);
    expect(answer).toContain('"tls_required":true');
    expect(answer).not.toContain('PONG');
  });
});
