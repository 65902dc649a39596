import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createClient, isProblem, type ClientOptions, type ProcurementClient } from '@procurement/client';
import { openFile } from '@procurement/client/node';
import { describe, expect, inject, it } from 'vitest';
import { quickTender } from '../support/client-procedure.ts';
import { TENDERER } from '../support/published-tender.ts';

const url = inject('gatewayUrl');

function makeClient(key?: string, more: Partial<ClientOptions> = {}): ProcurementClient {
  return createClient({ url, ...(key === undefined ? {} : { key }), ...more });
}

const buyer = makeClient('broker1');
const anyone = makeClient();

/** Sends each request, and loses the answer of those that match, once. */
function losingAnswers(matches: (init: RequestInit) => boolean): Partial<ClientOptions> {
  let isLost = false;
  return {
    retry: { firstDelayMs: 1 },
    async fetch(address, init) {
      const response = await fetch(address, init);
      if (isLost || !matches(init)) return response;
      isLost = true;
      await response.arrayBuffer();
      throw new TypeError('connection lost');
    },
  };
}

describe('the typed client', () => {
  it('plays a whole procedure: npm run procedure', async () => {
    const demo = ['--conditions=source', '--import=tsx', join(import.meta.dirname, '../demo/main.ts'), url];
    const { stdout } = await promisify(execFile)(process.execPath, demo);
    expect(stdout).toMatch(/^UA-\S+ is complete: \d+ exchanges in /m);
    expect(stdout).toMatch(/ buyer +POST +\/tenders$/m);
    expect(stdout).not.toMatch(/token|transfer/);
  });

  it('creates one tender and one document when answers are lost, and keeps the tokens', async () => {
    const position = await anyone.feedEnd({ mode: '_all_' });
    const losing = makeClient(
      'broker1',
      losingAnswers(({ method }) => method === 'POST'),
    );
    const title = `once ${randomUUID()}`;
    const { id } = await losing.createTender({ ...quickTender(), title });
    expect(await losing.tokens.get(id)).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      transfer: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const uploading = makeClient('broker1', {
      ...losingAnswers(({ method }) => method === 'POST'),
      tokens: losing.tokens,
    });
    await uploading.tender(id).documents.upload({ name: 'умови (1).txt', content: 'terms' });
    expect(await anyone.tender(id).documents.list()).toMatchObject([{ title: 'умови (1).txt', format: 'text/plain' }]);
    const seen: string[] = [];
    // Tenders of other tests may change meanwhile.
    for await (const { entry } of anyone.feed({ after: position, mode: '_all_', fields: ['title'] }))
      if (String(entry['title']).endsWith(title)) seen.push(entry.id);
    expect(seen).toEqual([id]);
  });

  it('goes on after any position of the feed with the next entry', async () => {
    const after = await anyone.feedEnd({ mode: '_all_' });
    // Without those of other tests, which may change meanwhile.
    const own = new Set<string>();
    for (let n = 0; n < 4; n += 1) own.add((await buyer.createTender(quickTender())).id);
    const read = async (position: string): Promise<readonly { readonly id: string; readonly position: string }[]> => {
      const items = [];
      const options = { after: position, mode: '_all_', pageSize: 3, fields: ['status'] } as const;
      for await (const item of anyone.feed(options))
        if (own.has(item.entry.id)) items.push({ id: item.entry.id, position: item.position });
      return items;
    };
    const all = await read(after);
    expect(all).toHaveLength(4);
    for (const [n, { position }] of all.entries()) expect(await read(position)).toEqual(all.slice(n + 1));
  });

  it('follows the feed from its end until it is stopped', async () => {
    const after = await anyone.feedEnd({ mode: '_all_' });
    const stop = new AbortController();
    const { id } = await buyer.createTender(quickTender());
    const seen: string[] = [];
    const reading = (async () => {
      const options = { after, mode: '_all_', follow: true, pollMs: 20, signal: stop.signal } as const;
      for await (const { entry } of anyone.feed(options)) {
        // Tenders of other tests may change meanwhile.
        if (entry.id !== id) continue;
        seen.push(entry.id);
        if (seen.length === 1) await buyer.tender(id).patch({ description: 'changed while it is followed' });
        else stop.abort(new Error('seen'));
      }
    })();
    await expect(reading).rejects.toThrow('seen');
    expect(seen).toEqual([id, id]);
  });

  it('repeats a change that another writer overtook, with what the tender is then', async () => {
    const { id } = await buyer.createTender(quickTender());
    const tender = buyer.tender(id);
    let reads = 0;
    const updating = makeClient('broker1', {
      tokens: buyer.tokens,
      async fetch(address, init) {
        const response = await fetch(address, init);
        if (init.method === 'GET' && (reads += 1) === 1) await tender.patch({ awardCriteriaDetails: 'of another' });
        return response;
      },
    });
    const updated = await updating
      .tender(id)
      .update(({ awardCriteriaDetails: details }) => ({ description: `after ${details ?? ''}` }));
    expect([reads, updated.awardCriteriaDetails, updated.description]).toEqual([2, 'of another', 'after of another']);
  });

  it('streams a file up with progress and down again, for the owner of a sealed bid only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    const path = join(folder, 'offer.txt');
    await writeFile(path, 'offer '.repeat(100_000));
    const seller = makeClient('broker2');
    const { id } = await buyer.createTender(quickTender());
    await buyer.moveClock(id, { to: 'next_check' });
    const brought = await seller.uploadFile(await openFile(path));
    const bid = await seller
      .tender(id)
      .bids.create({ tenderers: [TENDERER], value: { amount: 400 }, documents: [brought] });
    const { documents } = seller.tender(id).bid(bid.id);
    const sent: number[] = [];
    const document = await documents.upload(await openFile(path), { onProgress: (bytes) => sent.push(bytes) });
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.at(-1)).toBeGreaterThan(600_000);
    const file = await documents.document(document.id).download();
    expect([file.bytes, (await readText(file.stream)).length]).toEqual([600_000, 600_000]);
    const foreign = makeClient('broker3').tender(id).bid(bid.id).documents.document(document.id);
    const refusal = await foreign.download().catch((error: unknown) => error);
    expect(isProblem(refusal, 'forbidden')).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('uploads a large file in little memory', async () => {
    const [fileBytes, growthBytesMax] = [200e6, 100e6];
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    const path = join(folder, 'large.bin');
    await writeFile(path, '');
    await truncate(path, fileBytes);
    let peakBytes = 0;
    const before = process.memoryUsage.rss();
    // Not the documents service: only what the client holds is measured.
    const server = createServer((request, response) => {
      request.on('data', () => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())));
      request.on('end', () => response.writeHead(201).end('{"data": {"id": "d"}}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const local = createClient({ url: `http://127.0.0.1:${port}`, key: 'k' });
    await local.tender('t').documents.upload(await openFile(path));
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
    expect(peakBytes - before).toBeLessThan(growthBytesMax);
  });

  it('names what is wrong, without secrets', async () => {
    const refusal = await buyer
      .createTender({ ...quickTender(), value: { amount: -1 } })
      .catch((error: unknown) => error);
    expect(isProblem(refusal, 'invalid')).toBe(true);
    expect(String(refusal)).toMatch(/POST \/api\/2\.5\/tenders answered 422: \/data\/value\/amount: /);
    const { id } = await buyer.createTender(quickTender());
    const denied = await makeClient('broker2')
      .tender(id)
      .patch({ title: 'x' })
      .catch((error: unknown) => error);
    expect(denied).toMatchObject({ status: 403, kind: 'forbidden', request: { attempts: 1 } });
    expect(JSON.stringify(denied)).not.toContain('broker2');
  });
});
