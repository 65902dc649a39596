import { isDeepStrictEqual } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, until, type Broker } from '../support/broker.ts';
import { minimalTender } from '../support/request-bodies.ts';

const gatewayUrl = inject('gatewayUrl');
const SEGMENTS = ['2.5', '2.3'] as const;
const WRITERS = 16;
const WRITES = 30;

interface FeedReading {
  readonly latest: Map<string, string>;
  readonly positions: string[];
}

/** Follows `next_page` from a path until `stop`, and then to the end. */
async function followFeed(reader: Broker, start: string, stopped: () => boolean): Promise<FeedReading> {
  const reading: FeedReading = { latest: new Map(), positions: [] };
  let path = start;
  for (;;) {
    const wasStopped = stopped();
    const { body } = await reader.get(path);
    for (const entry of body.data) {
      reading.latest.set(entry.id, entry.dateModified);
      reading.positions.push(entry.dateModified);
    }
    path = body.next_page.path.replace(/^\/api\/[^/]+/, '');
    if (wasStopped && body.data.length === 0) return reading;
  }
}

/** Creates and changes tenders at random. Returns the last acknowledged dateModified of each. */
async function writeTenders(writer: Broker): Promise<Map<string, string>> {
  const ownTenders: { id: string; token: string }[] = [];
  const last = new Map<string, string>();
  for (let n = 0; n < WRITES; n += 1) {
    const one = Math.random() < 0.3 ? undefined : ownTenders[Math.floor(Math.random() * ownTenders.length)];
    if (one === undefined) {
      const { body } = await writer.post('/tenders', minimalTender());
      ownTenders.push({ id: body.data.id, token: body.access.token });
      last.set(body.data.id, body.data.dateModified);
    } else {
      const change = { description: `change ${n}` };
      const { body } = await writer.patch(`/tenders/${one.id}?acc_token=${one.token}`, change);
      last.set(one.id, body.data.dateModified);
    }
  }
  return last;
}

describe('the feed under concurrent writers', () => {
  it('shows readers of segments 2.5 and 2.3 the last change of every tender, in strictly increasing positions', async () => {
    const head = await patientBroker(gatewayUrl, undefined, '2.5').get('/tenders?descending=1&limit=1&mode=_all_');
    const start = head.body.prev_page.path.replace(/^\/api\/[^/]+/, '').replace('limit=1&', 'limit=100&');
    let stopped = false;
    const readings = SEGMENTS.map(async (segment) =>
      followFeed(patientBroker(gatewayUrl, undefined, segment), start, () => stopped),
    );
    const written = await Promise.all(
      Array.from({ length: WRITERS }, async (_, n) =>
        writeTenders(patientBroker(gatewayUrl, `broker${(n % 3) + 1}`, SEGMENTS[n % SEGMENTS.length])),
      ),
    );
    stopped = true;
    const last = new Map(written.flatMap((tenders) => [...tenders]));
    for (const { latest, positions } of await Promise.all(readings)) {
      for (const [id, dateModified] of last) expect(latest.get(id), id).toBe(dateModified);
      for (let at = 1; at < positions.length; at += 1) expect(positions[at - 1]! < positions[at]!).toBe(true);
    }
  });
});

describe('pages of the feed', () => {
  const reader = patientBroker(gatewayUrl, undefined, '2.3');

  it('go back with descending, and forward from the same offset, as mirrors read them', async () => {
    const writer = patientBroker(gatewayUrl, 'broker1');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await writer.post('/tenders', minimalTender())).body.data.id);
    const head = (await reader.get('/tenders?descending=1&limit=2&mode=_all_')).body;
    expect(head.data).toHaveLength(2);
    expect(head.data[0].dateModified > head.data[1].dateModified).toBe(true);
    const back = (await reader.get(head.next_page.path.slice('/api/2.3'.length))).body;
    expect(back.data[0].dateModified < head.data[1].dateModified).toBe(true);
    const fresh = (await writer.post('/tenders', minimalTender())).body.data.id;
    const forward = await until('the new tender behind the turn-around', async () => {
      // Tenders of other tests may have changed before it.
      const turned = head.prev_page.path.slice('/api/2.3'.length).replace('limit=2', 'limit=100');
      const page = (await reader.get(turned)).body;
      return page.data.some((entry: { id: string }) => entry.id === fresh) && page;
    });
    for (const entry of forward.data) expect(entry.dateModified > head.data[0].dateModified).toBe(true);
  });

  it('treat empty parameters as absent (http.md 8, row 1)', async () => {
    // One of the first tenders may change between the two looks.
    await until('equal pages', async () => {
      const empty = (await reader.get('/tenders?descending=&offset=&limit=100&opt_fields=&mode=_all_')).body;
      const plain = (await reader.get('/tenders?limit=100&mode=_all_')).body;
      expect(Object.keys(empty)).toEqual(Object.keys(plain));
      return isDeepStrictEqual(empty.data.slice(0, 3), plain.data.slice(0, 3));
    });
  });

  it.each([
    ['2.5', 'hide', false],
    ['2.3', 'show', true],
  ])(
    'of a sandbox on %s %s test tenders without mode (rulings R38), and hide drafts always',
    async (segment, _what, shown) => {
      const writer = patientBroker(gatewayUrl, 'broker1');
      const real = minimalTender();
      delete real['mode'];
      const realId = (await writer.post('/tenders', real)).body.data.id;
      const testId = (await writer.post('/tenders', minimalTender())).body.data.id;
      const draftId = (await writer.post('/tenders', minimalTender({ status: 'draft' }))).body.data.id;
      const lister = patientBroker(gatewayUrl, undefined, segment);
      const fetchIds = async (query: string): Promise<string[]> =>
        (await lister.get(`/tenders?descending=1&limit=100${query}`)).body.data.map(
          (entry: { id: string }) => entry.id,
        );
      const [none, test, all] = [await fetchIds(''), await fetchIds('&mode=test'), await fetchIds('&mode=_all_')];
      expect([none.includes(realId), none.includes(testId)]).toEqual([true, shown]);
      expect([test.includes(realId), test.includes(testId)]).toEqual([false, true]);
      expect([all.includes(realId), all.includes(testId)]).toEqual([true, true]);
      expect([none, test, all].flat()).not.toContain(draftId);
      expect((await reader.get(`/tenders/${draftId}`)).status).toBe(200);
    },
  );

  it('add the members of opt_fields, precomputed ones and others', async () => {
    const id = (await patientBroker(gatewayUrl, 'broker1').post('/tenders', minimalTender())).body.data.id;
    const fetchEntry = async (fields: string): Promise<unknown> =>
      (await reader.get(`/tenders?descending=1&limit=100&mode=_all_&opt_fields=${fields}`)).body.data.find(
        (entry: { id: string }) => entry.id === id,
      );
    const place = { id, dateModified: expect.any(String) };
    expect(await fetchEntry('status,tenderID')).toEqual({
      ...place,
      status: 'active.enquiries',
      tenderID: expect.stringMatching(/^UA-/),
    });
    expect(await fetchEntry('items,unknown')).toEqual({ ...place, items: [expect.objectContaining({ id: 'cases' })] });
  });

  it('accept the opaque offsets of feed=changes', async () => {
    const first = (await reader.get('/tenders?feed=changes&limit=1&mode=_all_')).body;
    expect(first.next_page.offset).toMatch(/^[0-9a-f]{32}$/);
    const second = await reader.get(first.next_page.path.slice('/api/2.3'.length));
    expect(second.status).toBe(200);
    expect(second.body.data[0].dateModified > first.data[0].dateModified).toBe(true);
  });

  it('issue unix seconds with feed=changes on segment 2.5, and accept them from 0 on (rulings R24)', async () => {
    const crawler = patientBroker(gatewayUrl, 'broker1', '2.5');
    const page = (await crawler.get('/tenders?feed=changes&offset=0&limit=1&mode=_all_')).body;
    expect(page.data).toHaveLength(1);
    expect(page.next_page.offset).toMatch(/^\d+\.\d{6}$/);
    const next = (await crawler.get(page.next_page.path.slice('/api/2.5'.length))).body;
    expect(next.data[0].dateModified > page.data[0].dateModified).toBe(true);
  });
});
