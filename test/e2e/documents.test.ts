import { createHash } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Broker } from '../support/broker.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { publish, TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

const basicAuth = (key: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
});
const md5 = (bytes: Uint8Array): string => `md5:${createHash('md5').update(bytes).digest('hex')}`;

function fileForm(bytes: Buffer, name: string): FormData {
  const sent = new FormData();
  sent.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
  return sent;
}

/** Sends a file in a form. */
async function upload(path: string, key: string, token: string, file: FormData, method: 'POST' | 'PUT' = 'POST') {
  const headers = { ...basicAuth(key), 'x-access-token': token };
  const answer = await fetch(`${url}/api/2.5${path}`, { headers, body: file, method });
  return { status: answer.status, body: await readJson(answer) };
}

// The tests state what they expect of an answer.
const readJson = async (answer: Response): Promise<any> => answer.json();

/** The bytes at an address, following redirects. */
async function downloadBytes(address: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(address, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function readData(reader: Broker, path: string) {
  return (await reader.get(path)).body.data;
}

describe('files of a procedure, through the gateway (http.md 2)', () => {
  it('a file of the tender keeps its versions, its bytes and its Cyrillic name', async () => {
    const { id, token } = await publish(buyer, minimalTender());
    const [first, second] = [Buffer.from('%PDF перша'), Buffer.alloc(300_000, '%PDF друга ')];
    const made = await upload(`/tenders/${id}/documents`, 'broker1', token, fileForm(first, 'умови.pdf'));
    expect(made.status).toBe(201);
    const { id: document, url: address } = made.body.data;
    expect(made.body.data).toMatchObject({ title: 'умови.pdf', format: 'application/pdf', hash: md5(first) });
    expect(await downloadBytes(address)).toEqual(first);

    const path = `/tenders/${id}/documents/${document}`;
    const replaced = await upload(path, 'broker1', token, fileForm(second, 'умови.pdf'), 'PUT');
    expect([replaced.status, replaced.body.data.id, replaced.body.data.hash]).toEqual([200, document, md5(second)]);
    expect(await downloadBytes(replaced.body.data.url)).toEqual(second);
    const newest = await readData(anyone, path);
    expect(newest.previousVersions.map(({ hash }: { hash: string }) => hash)).toEqual([md5(first)]);
    expect(await downloadBytes(newest.previousVersions[0].url)).toEqual(first);
    // The tender contains every version once the write is answered; clients keep the last of each id (http.md 2.4).
    expect((await readData(anyone, `/tenders/${id}`)).documents).toMatchObject([
      { id: document, hash: md5(first) },
      { id: document, hash: md5(second) },
    ]);
    expect(await readData(anyone, `/tenders/${id}/documents?all=true`)).toHaveLength(2);
  });

  it('a file of a sealed bid is readable by its owner only: in the collection, in the bid, and by its address', async () => {
    const { id, token } = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, id);
    const bid = await seller.post(`/tenders/${id}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
    const bidPath = `/tenders/${id}/bids/${bid.body.data.id}`;
    const owner = `acc_token=${bid.body.access.token}`;
    const file = Buffer.from('%PDF пропозиція');
    const made = await upload(`${bidPath}/documents`, 'broker2', bid.body.access.token, fileForm(file, 'offer.pdf'));
    expect(made.status).toBe(201);

    expect((await readData(seller, `${bidPath}?${owner}`)).documents).toMatchObject([
      { id: made.body.data.id, hash: md5(file) },
    ]);
    const { url: address } = (await readData(seller, `${bidPath}/documents?${owner}`))[0];
    expect(await downloadBytes(`${address}&${owner}`, basicAuth('broker2'))).toEqual(file);

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
      const download = await fetch(`${address}&${rights}`, { headers: key === undefined ? {} : basicAuth(key) });
      expect(download.status).toBe(403);
    }
  });

  it('a file is registered and uploaded at the document service, then added to a tender by its address', async () => {
    const { id, token } = await publish(buyer, minimalTender());
    const file = Buffer.from('content');
    const registered = await fetch(`${url}/register`, {
      method: 'POST',
      headers: { ...basicAuth('broker1'), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ hash: md5(file) }),
    });
    const promised = await readJson(registered);
    expect([registered.status, registered.headers.get('location')]).toEqual([201, promised.upload_url]);
    const brought = await fetch(promised.upload_url, {
      method: 'POST',
      headers: basicAuth('broker1'),
      body: fileForm(file, 'план.pdf'),
    });
    const { data, get_url: temporary } = await readJson(brought);
    expect([brought.status, data.url, data.hash]).toEqual([200, promised.data.url, md5(file)]);
    expect(await downloadBytes(temporary)).toEqual(file);
    const twice = await fetch(promised.upload_url, {
      method: 'POST',
      headers: basicAuth('broker1'),
      body: fileForm(file, 'a'),
    });
    expect(twice.status).toBe(403);

    const taken = await buyer.post(`/tenders/${id}/documents?acc_token=${token}`, data);
    expect(taken.status).toBe(201);
    expect(await downloadBytes(taken.body.data.url)).toEqual(file);
    const foreign = await buyer.post(`/tenders/${id}/documents?acc_token=${token}`, {
      ...data,
      url: 'https://elsewhere.example.org/get/1?KeyID=1&Signature=1',
    });
    expect(foreign.status).toBe(403);
  });

  it.each(['2.5', '2.3', '0'])(
    'a bid brings its documents in its own body, sealed and opened with it, on %s',
    async (segment) => {
      const bidder = patientBroker(url, 'broker2', segment);
      const { id } = await publish(buyer, minimalTender());
      await moveToNextCheck(buyer, id);
      const file = Buffer.from('%PDF пропозиція');
      const brought = await fetch(`${url}/upload`, {
        method: 'POST',
        headers: basicAuth('broker2'),
        body: fileForm(file, 'offer.pdf'),
      });
      const { data: document } = await readJson(brought);
      const offer = { tenderers: [TENDERER], value: { amount: 400 } };
      const forged = { ...document, hash: md5(Buffer.from('another')) };
      const refused = await bidder.post(`/tenders/${id}/bids`, { ...offer, documents: [document, forged] });
      expect([refused.status, refused.body.errors]).toMatchObject([
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
      expect(await readData(bidder, `${bidPath}/documents?${owner}`)).toEqual([mine]);
      expect(await downloadBytes(`${mine.url}&${owner}`, basicAuth('broker2'))).toEqual(file);
      expect((await anyone.get(`${bidPath}/documents`)).status).toBe(403);
      // With one bid the tender goes to qualification at once, where bids are public.
      await moveToNextCheck(buyer, id);
      const [opened] = (await readData(anyone, `/tenders/${id}`)).bids;
      expect(opened.documents).toMatchObject([{ id: mine.id, title: 'offer.pdf' }]);
      expect(await downloadBytes(opened.documents[0].url)).toEqual(file);
    },
  );

  it('an upload without a key is refused', async () => {
    const answer = await fetch(`${url}/upload`, { method: 'POST', body: fileForm(Buffer.from('x'), 'x.pdf') });
    expect(answer.status).toBe(401);
  });
});
