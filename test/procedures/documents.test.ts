import { createHash } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { broker, type Broker } from '../support/broker.ts';
import { toNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/tender-file.ts';
import { plainTender } from '../support/tender.ts';

const url = inject('gatewayUrl');
const buyer = broker(url, 'broker1', '2.5');
const seller = broker(url, 'broker2', '2.5');
const anyone = broker(url, undefined, '2.5');

const basic = (key: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});
const md5 = (bytes: Uint8Array): string => `md5:${createHash('md5').update(bytes).digest('hex')}`;

function form(bytes: Buffer, name: string): FormData {
  const sent = new FormData();
  sent.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
  return sent;
}

/** Sends a file as a browser or `curl -F file=@…` does. */
async function upload(path: string, key: string, token: string, file: FormData, method: 'POST' | 'PUT' = 'POST') {
  const headers = { ...basic(key), 'x-access-token': token };
  const answer = await fetch(`${url}/api/2.5${path}`, { headers, body: file, method });
  return { status: answer.status, body: await read(answer) };
}

// The tests state what they expect of an answer.
const read = async (answer: Response): Promise<any> => answer.json();

/** The bytes behind an address, by as many redirects as it takes. */
async function bytesAt(address: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(address, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function shown(reader: Broker, path: string) {
  return (await reader.get(path)).body.data;
}

describe('files of a procedure, through the gateway (http.md 2)', () => {
  it('a file of the tender is kept with its versions, byte for byte, under its Cyrillic name', async () => {
    const { id, token } = await publish(buyer, plainTender());
    const [first, second] = [Buffer.from('%PDF перша'), Buffer.alloc(300_000, '%PDF друга ')];
    const made = await upload(`/tenders/${id}/documents`, 'broker1', token, form(first, 'умови.pdf'));
    expect(made.status).toBe(201);
    const { id: document, url: address } = made.body.data;
    expect(made.body.data).toMatchObject({ title: 'умови.pdf', format: 'application/pdf', hash: md5(first) });
    expect(await bytesAt(address)).toEqual(first);

    const path = `/tenders/${id}/documents/${document}`;
    const replaced = await upload(path, 'broker1', token, form(second, 'умови.pdf'), 'PUT');
    expect([replaced.status, replaced.body.data.id, replaced.body.data.hash]).toEqual([200, document, md5(second)]);
    expect(await bytesAt(replaced.body.data.url)).toEqual(second);
    const newest = await shown(anyone, path);
    expect(newest.previousVersions.map(({ hash }: { hash: string }) => hash)).toEqual([md5(first)]);
    expect(await bytesAt(newest.previousVersions[0].url)).toEqual(first);
    // The tender shows every version as soon as the write was answered; clients keep the last of each id (http.md 2.4).
    expect((await shown(anyone, `/tenders/${id}`)).documents).toMatchObject([
      { id: document, hash: md5(first) },
      { id: document, hash: md5(second) },
    ]);
    expect(await shown(anyone, `/tenders/${id}/documents?all=true`)).toHaveLength(2);
  });

  it('a file of a sealed bid is its owner’s only, in the collection, in the bid, and by its address', async () => {
    const { id, token } = await publish(buyer, plainTender());
    await toNextCheck(buyer, id);
    const bid = await seller.post(`/tenders/${id}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
    const bidPath = `/tenders/${id}/bids/${bid.body.data.id}`;
    const owner = `acc_token=${bid.body.access.token}`;
    const file = Buffer.from('%PDF пропозиція');
    const made = await upload(`${bidPath}/documents`, 'broker2', bid.body.access.token, form(file, 'offer.pdf'));
    expect(made.status).toBe(201);

    expect((await shown(seller, `${bidPath}?${owner}`)).documents).toMatchObject([
      { id: made.body.data.id, hash: md5(file) },
    ]);
    const { url: address } = (await shown(seller, `${bidPath}/documents?${owner}`))[0];
    expect(await bytesAt(`${address}&${owner}`, basic('broker2'))).toEqual(file);

    for (const [reader, key, rights] of [
      [anyone, undefined, ''],
      [seller, 'broker2', ''],
      [buyer, 'broker1', `acc_token=${token}`],
    ] as const) {
      const answers = [
        await reader.get(`${bidPath}?${rights}`),
        await reader.get(`${bidPath}/documents?${rights}`),
        await reader.get(`${bidPath}/documents/${made.body.data.id}?${rights}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
      const download = await fetch(`${address}&${rights}`, { headers: key === undefined ? {} : basic(key) });
      expect(download.status).toBe(403);
    }
  });

  it('a file is registered and brought to the document service, then taken into a tender by its address', async () => {
    const { id, token } = await publish(buyer, plainTender());
    const file = Buffer.from('content');
    const registered = await fetch(`${url}/register`, {
      method: 'POST',
      headers: { ...basic('broker1'), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ hash: md5(file) }),
    });
    const promised = await read(registered);
    expect([registered.status, registered.headers.get('location')]).toEqual([201, promised.upload_url]);
    const brought = await fetch(promised.upload_url, {
      method: 'POST',
      headers: basic('broker1'),
      body: form(file, 'план.pdf'),
    });
    const { data, get_url: temporary } = await read(brought);
    expect([brought.status, data.url, data.hash]).toEqual([200, promised.data.url, md5(file)]);
    expect(await bytesAt(temporary)).toEqual(file);
    const twice = await fetch(promised.upload_url, {
      method: 'POST',
      headers: basic('broker1'),
      body: form(file, 'a'),
    });
    expect(twice.status).toBe(403);

    const taken = await buyer.post(`/tenders/${id}/documents?acc_token=${token}`, data);
    expect(taken.status).toBe(201);
    expect(await bytesAt(taken.body.data.url)).toEqual(file);
    const foreign = await buyer.post(`/tenders/${id}/documents?acc_token=${token}`, {
      ...data,
      url: 'https://elsewhere.example.org/get/1?KeyID=1&Signature=1',
    });
    expect(foreign.status).toBe(403);
  });

  it.each(['2.5', '2.3', '0'])(
    'a bid brings its documents in its own body, sealed and opened with it, on %s',
    async (segment) => {
      const bidder = broker(url, 'broker2', segment);
      const { id } = await publish(buyer, plainTender());
      await toNextCheck(buyer, id);
      const file = Buffer.from('%PDF пропозиція');
      const brought = await fetch(`${url}/upload`, {
        method: 'POST',
        headers: basic('broker2'),
        body: form(file, 'offer.pdf'),
      });
      const { data: document } = await read(brought);
      const offer = { tenderers: [TENDERER], value: { amount: 400 } };
      const forged = { ...document, hash: md5(Buffer.from('another')) };
      const refused = await bidder.post(`/tenders/${id}/bids`, { ...offer, documents: [document, forged] });
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        [{ location: 'documents', name: 'url', description: 'Document url invalid.' }],
      ]);

      const bid = await bidder.post(`/tenders/${id}/bids`, { ...offer, documents: [document] });
      expect(bid.status).toBe(201);
      const bidPath = `/tenders/${id}/bids/${bid.body.data.id}`;
      const owner = `acc_token=${bid.body.access.token}`;
      const [mine] = bid.body.data.documents;
      expect(mine).toMatchObject({ title: 'offer.pdf', hash: md5(file) });
      expect(mine.url).toContain(`/api/${segment}/tenders/${id}/bids/`);
      expect(await shown(bidder, `${bidPath}/documents?${owner}`)).toEqual([mine]);
      expect(await bytesAt(`${mine.url}&${owner}`, basic('broker2'))).toEqual(file);
      expect((await anyone.get(`${bidPath}/documents`)).status).toBe(403);
      // One bid goes straight to qualification, where everybody may see it.
      await toNextCheck(buyer, id);
      const [opened] = (await shown(anyone, `/tenders/${id}`)).bids;
      expect(opened.documents).toMatchObject([{ id: mine.id, title: 'offer.pdf' }]);
      expect(await bytesAt(opened.documents[0].url)).toEqual(file);
    },
  );

  it('nobody without a key brings a file', async () => {
    const answer = await fetch(`${url}/upload`, { method: 'POST', body: form(Buffer.from('x'), 'x.pdf') });
    expect(answer.status).toBe(401);
  });
});
