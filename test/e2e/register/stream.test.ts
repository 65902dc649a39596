import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { getReached, INNER_BASE, patientBroker, until, type Json } from '../../support/broker.ts';
import { fileUpload } from '../../support/file-upload.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const anyone = patientBroker(url, undefined, '2.5');
const STREAMS_PER_ADDRESS = 20;

let clients: Pick<StreamClient, 'close'>[] = [];

afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
});

async function open(query: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamClient> {
  const client = await placed(async () =>
    openClient(`${url}/api/2.5/stream?${query}`, headers).catch((error: unknown) => {
      if (String(error).includes('429')) return undefined;
      throw error;
    }),
  );
  clients.push(client);
  return client;
}

/** Repeats what is refused because streams of the test before are still counted. */
async function placed<T>(request: () => Promise<T | undefined>): Promise<T> {
  return until('a place for a stream', request);
}

function parseNotices(client: StreamClient) {
  const data = client.frames.filter((frame) => frame.startsWith('id: ')).map((frame) => frame.split('\ndata: ')[1]);
  return data.map((text) => JSON.parse(text ?? ''));
}

describe('the stream of changes', () => {
  it('sends every change once, and goes on after the last id or an offset of the feed (S1, S2, S3)', async () => {
    const { id, path, tokenQuery, data } = await publish(buyer, minimalTender());
    const history = `/tenders/${id}/history?at_least=${encodeURIComponent(data.dateModified)}`;
    const [before] = (await getReached(anyone, history)).body.data;
    const client = await open(`mode=_all_&ids=${id}&offset=${before.position}`);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=UTF-8',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    const changed = (await buyer.patch(path + tokenQuery, { description: 'Змінено' })).body.data;
    await until('the change', async () => client.positions.length === 1);
    const moved = await moveToNextCheck(buyer, id);
    // The plan of the auction may change the tender once more, here and below.
    const isMoved = ({ dateModified }: Json): boolean => dateModified === moved.dateModified;
    await until('the end of enquiries', async () => parseNotices(client).some(isMoved));
    expect(parseNotices(client)[0]).toMatchObject({
      type: 'tender.changed',
      id,
      tenderID: data.tenderID,
      dateModified: changed.dateModified,
      mode: 'test',
      causes: ['tender.edited'],
      changed: ['description'],
      match: 'in',
    });
    expect(parseNotices(client).at(-1)).toMatchObject({ status: 'active.tendering' });
    const again = await open(`mode=_all_&ids=${id}`, { 'last-event-id': client.positions[0] ?? '' });
    await until('the rest', async () => String(again.positions) === String(client.positions.slice(1)));
    await until('the last change in the feed', async () => {
      const [before, last] = client.positions.slice(-2);
      const rows = [before, last].map(async (position) => {
        const { body } = await anyone.get(`/tenders?mode=_all_&limit=1000&offset=${position}`);
        return body.data.filter((entry: Json) => entry.id === id).length;
      });
      return String(await Promise.all(rows)) === '1,0';
    });
  });

  it('has ids that are offsets of the feed, and takes offsets of the feed (A11, S3)', async () => {
    const { id, path, tokenQuery } = await publish(buyer, minimalTender());
    for (const n of [1, 2, 3]) await buyer.patch(path + tokenQuery, { description: `change ${n}` });
    // Counted apart from the streams of the address.
    const key = { authorization: `Basic ${Buffer.from('broker2:').toString('base64')}` };
    const client = await open(`mode=_all_&ids=${id}&offset=0`, key);
    await until('the changes', async () => client.positions.length === 4);
    const { positions } = client;
    for (const [n, position] of positions.entries()) {
      const feed = (await anyone.get(`/tenders?mode=_all_&limit=1000&offset=${position}`)).body;
      // The feed has a tender where its newest change is.
      expect(feed.data.filter((entry: { id: string }) => entry.id === id)).toHaveLength(n < 3 ? 1 : 0);
      const again = await open(`mode=_all_&ids=${id}&offset=${position}`, key);
      await until('the later changes', async () => again.positions.length === 3 - n);
      expect(again.positions).toEqual(positions.slice(n + 1));
      const after = await open(`mode=_all_&ids=${id}&offset=${feed.next_page.offset}`, key);
      const hello = `event: hello\nid: ${feed.next_page.offset}\n`;
      await until('its beginning', async () => after.frames.some((frame) => frame.startsWith(hello)));
    }
  });

  it('has with `expand` the whole tender of each revision, byte for byte as it was public then', async () => {
    const { id, path, tokenQuery } = await publish(buyer, minimalTender());
    await buyer.patch(path + tokenQuery, { description: 'change 1' });
    const file = fileUpload('умови.pdf', 'application/pdf', '%PDF');
    expect((await buyer.request('POST', `${path}/documents${tokenQuery}`, file)).status).toBe(201);
    const key = { authorization: `Basic ${Buffer.from('broker2:').toString('base64')}` };
    const client = await open(`mode=_all_&ids=${id}&offset=0&expand=1`, key);
    await until('the changes', async () => client.positions.length === 3);
    await buyer.patch(path + tokenQuery, { description: 'while it is open' });
    await until('the change as it happens', async () => client.positions.length === 4);
    const notices = parseNotices(client);
    expect(notices.map(({ tender }) => tender.description)).toEqual([
      undefined,
      'change 1',
      'change 1',
      'while it is open',
    ]);
    const { body: entries } = await getReached(
      anyone,
      `/tenders/${id}/history?at_least=${encodeURIComponent(notices[3].dateModified)}`,
    );
    const texts = await Promise.all(
      entries.data.map(async ({ rev }: Json) => (await fetch(`${url}/api/2.5/tenders/${id}/history/${rev}`)).text()),
    );
    // Links are ones that the reader can follow, although an event has no request whose address they could have.
    expect(notices[3].tender.documents[0].url).toContain(`${url}/`);
    expect(client.frames.filter((frame) => frame.includes(INNER_BASE))).toEqual([]);
    const frames = client.frames.filter((frame) => frame.startsWith('id: '));
    // A revision is `{"data":<text>,"revision":...}`, a notice ends in `"tender":<text>}`.
    expect(frames.map((frame) => frame.split('"tender":')[1]?.slice(0, -1))).toEqual(
      texts.map((text) => text.slice('{"data":'.length, text.lastIndexOf(',"revision":'))),
    );
  });

  it('is bounded for each address, also in the sandbox, and for each key (A16)', async () => {
    // Other files have streams from this address too, some of them for minutes.
    const refused = await until('no place for one more', async () => {
      const stream = new AbortController();
      const answer = await fetch(`${url}/api/2.5/stream`, { signal: stream.signal });
      return answer.status === 200 ? void clients.push({ close: () => stream.abort() }) : answer;
    });
    expect(clients.length).toBeLessThanOrEqual(STREAMS_PER_ADDRESS);
    expect([refused.status, await refused.json()]).toMatchObject([429, { errors: [{ name: 'too_many_requests' }] }]);
    await open('', { authorization: `Basic ${Buffer.from('broker1:').toString('base64')}` });
    for (const client of clients) client.close();
    await until('a free place', async () => (await anyone.request('HEAD', '/stream')).status === 200);
  });

  it('refuses before any byte of the body, and exists on 2.5 and 2.4 only (A16)', async () => {
    const answers = await Promise.all(
      ['/stream?expand=2', '/stream?expand=1', '/stream?opt_pretty=1', '/stream?offset=x'].map(async (path) =>
        placed(async () => {
          const answer = await anyone.get(path);
          return answer.status === 429 ? undefined : answer;
        }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.errors[0].name])).toEqual([
      [400, 'expand'],
      [401, 'Authorization'],
      [400, 'opt_pretty'],
      [404, 'offset'],
    ]);
    const alias = patientBroker(url, undefined, '2.4');
    await until('a place at the alias', async () => (await alias.request('HEAD', '/stream')).status === 200);
    expect((await patientBroker(url, undefined, '2.3').get('/stream')).status).toBe(404);
  });
});
