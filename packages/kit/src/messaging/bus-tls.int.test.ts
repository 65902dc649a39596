import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { selfSignedCertificate } from '@procurement/testing/certificates';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBus, type Bus } from './bus.ts';
import { makeLog } from '../runtime/log.ts';
import { respondTo, sendRequest } from './request.ts';

const own = selfSignedCertificate('localhost');
const other = selfSignedCertificate('localhost');
const log = makeLog('test', 'silent' as 'fatal');

let folder: string;
let testBus: TestBus;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-tls-'));
  writeFileSync(join(folder, 'own.pem'), own.certificate);
  writeFileSync(join(folder, 'other.pem'), other.certificate);
  testBus = await freshBus(own);
});

afterAll(async () => {
  await testBus.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects as a service does, by host name: the client does not compare an address with a certificate. */
async function busOf(service: 'bids' | 'awards', scheme: 'nats' | 'tls', authority?: 'own' | 'other'): Promise<Bus> {
  const address = `${scheme}://localhost:${new URL(testBus.address).port}`;
  const files = authority === undefined ? {} : { caFile: join(folder, `${authority}.pem`) };
  const bus = await openBus(address, service, log, { user: service, password: service, ...files });
  onTestFinished(async () => bus.close());
  return bus;
}

describe('a nats-server with TLS', () => {
  it.each(['nats', 'tls'] as const)('serves services that have its authority, at %s://', async (scheme) => {
    const [bids, awards] = await Promise.all([busOf('bids', scheme, 'own'), busOf('awards', scheme, 'own')]);
    respondTo(bids, 'ask.bids.facts', log, async () => 'facts');
    await bids.connection.flush();
    expect(await sendRequest(awards, 'ask.bids.facts', {}, 60_000)).toEqual({ kind: 'answer', value: 'facts' });
  });

  it('is refused by services that have another authority, or none for it', async () => {
    const settings = [['tls', 'other'], ['tls'], ['nats'], ['nats', 'other']] as const;
    const buses = await Promise.all(settings.map(async ([scheme, authority]) => busOf('bids', scheme, authority)));
    expect(buses.map((bus) => bus.connected())).toEqual([false, false, false, false]);
  });

  it('refuses a connection without encryption', async () => {
    const socket = connect(Number(new URL(testBus.address).port), '127.0.0.1');
    socket.end('CONNECT {"user":"bids","pass":"bids","verbose":false}\r\nPING\r\n');
    const answer = await text(socket);
    expect(answer).toContain('"tls_required":true');
    expect(answer).not.toContain('PONG');
  });
});
