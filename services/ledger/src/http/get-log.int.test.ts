import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openNote } from '@procurement/proof/notes';
import { parsePolicy } from '@procurement/proof/policy';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenderId } from '../../test-support/fake-owners.ts';
import { runningLedger, type RunningLedger } from '../../test-support/running-ledger.ts';

let server: TestBus;
let ledger: RunningLedger;

const SIZE = 300;

beforeAll(async () => {
  server = await freshBus();
  ledger = await runningLedger(server);
  await ledger.begun();
  for (let n = 0; n < SIZE; n += 1) ledger.owners.publish(tenderId(n % 2));
  ledger.owners.publish(tenderId(7), { listed: false });
  await ledger.caughtUp();
  await ledger.stopWriters();
});

afterAll(async () => {
  await ledger.close();
  await server.stop();
});

describe('GET /log', () => {
  it.each([
    ['checkpoint', 'text/plain; charset=utf-8', 'public, max-age=5'],
    ['checkpoints/0', 'text/plain; charset=utf-8', 'public, max-age=60'],
    ['checkpoints/299', 'text/plain; charset=utf-8', 'public, max-age=60'],
    ['tile/0/000', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/0/001.p/44', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/0/000.p/7', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/1/000.p/1', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/entries/000', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/entries/000.p/7', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['tile/entries/001.p/44', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['policy', 'text/plain; charset=utf-8', 'public, max-age=300'],
    ['keys', 'text/plain; charset=utf-8', 'public, max-age=300'],
    [`tenders/${tenderId(1)}`, 'application/json; charset=UTF-8', 'public, max-age=5'],
  ])('answers %s', async (path, type, cache) => {
    const { statusCode, headers } = await ledger.get(path);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, type, cache]);
    const head = await ledger.app.inject({ method: 'HEAD', url: `/log/${path}`, headers: anonymousIdentity() });
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, headers['content-length'], '']);
  });

  it('cuts partial tiles from what is stored', async () => {
    const [full, part] = await Promise.all(['tile/0/000', 'tile/0/000.p/7'].map(async (path) => ledger.get(path)));
    expect(part?.rawPayload.equals(full?.rawPayload.subarray(0, 7 * 32) ?? Buffer.alloc(0))).toBe(true);
    const [all, some] = await Promise.all(
      ['tile/entries/000', 'tile/entries/000.p/7'].map(async (path) => ledger.get(path)),
    );
    expect(all?.rawPayload.subarray(0, some?.rawPayload.length).equals(some?.rawPayload ?? Buffer.alloc(1))).toBe(true);
  });

  it('signs its keys, and suggests a policy', async () => {
    const { verifier } = ledger.deps.signers[0] ?? {};
    if (verifier === undefined) throw new Error('no key');
    const [receipts] = ledger.deps.receiptKeys;
    expect(openNote((await ledger.get('keys')).body, [verifier])?.text).toBe(
      `procurement-keys/1\nlog ${verifier.vkey}\nreceipts ${receipts?.vkey}\n`,
    );
    const policy = (await ledger.get('policy')).body;
    expect(parsePolicy(policy)).toBeDefined();
    expect(policy).toContain('quorum none');
  });

  it('lists leaves of a tender after an index', async () => {
    const { leaves } = (await ledger.get(`tenders/${tenderId(1)}?after=296`)).json<{ leaves: { index: number }[] }>();
    expect(leaves.map(({ index }) => index)).toEqual([297, 299]);
    expect((await ledger.get(`tenders/${tenderId(1)}?after=299`)).json()).toEqual({
      tender: tenderId(1),
      size: SIZE,
      leaves: [],
    });
  });

  it.each([
    ['tile/00/000', 'path'],
    ['tile/0/x01', 'path'],
    ['tile/0/1', 'path'],
    ['tile/0/000.p/0', 'path'],
    ['tile/0/000.p/256', 'path'],
    ['tile/0/001', 'path'],
    ['tile/0/001.p/45', 'path'],
    ['tile/1/000', 'path'],
    ['tile/0/002.p/1', 'path'],
    ['tile/2/000.p/1', 'path'],
    ['tile/entries/001.p/45', 'path'],
    ['tile/0/../../edge/0', 'path'],
    ['tile/0/%2e%2e/000', 'path'],
    ['edge/0', 'path'],
    ['check%70oint', 'path'],
    ['checkpoint/', 'path'],
    ['', 'path'],
    ['checkpoints/300', 'index'],
    ['checkpoints/-1', 'index'],
    ['checkpoints/01', 'index'],
    ['checkpoints/999999999999999999999', 'index'],
    [`tenders/${tenderId(7)}`, 'tender_id'],
    [`tenders/${tenderId(8)}`, 'tender_id'],
    ['tenders/x', 'tender_id'],
    [`tenders/${'A'.repeat(32)}`, 'tender_id'],
  ])('answers 404 to %j', async (path, name) => {
    const { statusCode, body } = await ledger.app.inject({
      method: 'GET',
      // Not as a URL, which would resolve dots.
      url: `/log/${path}`,
      headers: anonymousIdentity(),
    });
    expect([statusCode, JSON.parse(body)]).toEqual([
      404,
      { status: 'error', errors: [{ location: 'url', name, description: 'Not Found' }] },
    ]);
  });

  it.each([
    ['checkpoint?x=1', 'x'],
    [`tenders/${tenderId(1)}?after=x`, 'after'],
    [`tenders/${tenderId(1)}?after=01`, 'after'],
    [`tenders/${tenderId(1)}?after=1&after=2`, 'after'],
    [`tenders/${tenderId(1)}?before=1`, 'before'],
  ])('answers 400 to %s', async (path, name) => {
    const { statusCode, body } = await ledger.get(path);
    expect([statusCode, JSON.parse(body).errors]).toMatchObject([400, [{ location: 'params', name }]]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('answers 405 to %s', async (method) => {
    const answer = await ledger.app.inject({ method, url: '/log/checkpoint', headers: anonymousIdentity() });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('cuts partial tiles from the full one of the store', async () => {
    rmSync(join(ledger.folder, 'log/tile/0/000'));
    expect((await ledger.get('tile/0/000.p/7')).statusCode).toBe(503);
  });

  it('answers 503 when the store has lost a tile', async () => {
    rmSync(join(ledger.folder, 'log/tile/entries/000'));
    const answer = await ledger.get('tile/entries/000');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});
