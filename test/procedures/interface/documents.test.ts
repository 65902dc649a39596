import { describe, expect, inject, it } from 'vitest';
import type { Answer, Broker, Json } from '../../support/broker.ts';
import {
  EARLIEST,
  MIDDLE,
  SEGMENT_0,
  SEGMENT_2_3,
  SHOWN_GENERATIONS,
  type Generation,
} from '../../support/generations.ts';
import { bidOf, fileForm, published, speaking } from '../../support/speaking.ts';

const gatewayUrl = inject('gatewayUrl');

/** A place for documents, and who may fill it. */
interface Shelf {
  readonly path: string;
  readonly owned: string;
  readonly filler: Broker;
}

async function shelfOfTender(generation: Generation): Promise<Shelf> {
  const { path, owned, owner } = await published(gatewayUrl, generation);
  return { path: `${path}/documents`, owned, filler: owner };
}

async function shelfOfBid(generation: Generation): Promise<Shelf> {
  const { path } = await published(gatewayUrl, generation);
  const filler = speaking(gatewayUrl, generation, 'broker2');
  const bids = `${path}/${generation.names.bids}`;
  const { data, access } = (await filler.post(bids, bidOf(generation, 400))).body;
  return { path: `${bids}/${data.id}/documents`, owned: `?acc_token=${access.token}`, filler };
}

async function upload({ path, owned, filler }: Shelf, text = '%PDF'): Promise<Answer> {
  return filler.request('POST', path + owned, await fileForm(text));
}

/** What the members of a document are called, whatever else there is. */
function expectDocument({ documentMembers }: Generation, data: Json): void {
  expect(
    Object.keys(data)
      .filter((name) => name !== 'author')
      .sort(),
  ).toEqual([...documentMembers].sort());
  expect(data).toMatchObject({ title: 'тендер.pdf', format: 'application/pdf' });
}

const bytesAt = async (address: string): Promise<string> => (await fetch(address)).text();

const OF_BOTH = SHOWN_GENERATIONS.flatMap((generation) => [
  { ...generation, of: 'a tender', shelf: async () => shelfOfTender(generation) },
  { ...generation, of: 'a bid', shelf: async () => shelfOfBid(generation) },
]);
const readable = OF_BOTH.filter(({ name, of }) => name !== EARLIEST.name || of === 'a tender');

describe.each(OF_BOTH)('documents of $of in interface.md, generation $name', (generation) => {
  const anyone = speaking(gatewayUrl, generation);

  it('POST of a file answers 201 with Location and its record', async () => {
    const shelf = await generation.shelf();
    const answer = await upload(shelf, '%PDF перша');
    expect(answer.status, answer.text).toBe(201);
    expectDocument(generation, answer.body.data);
    const { id, url } = answer.body.data;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${shelf.path}/${id}`);
    expect(await bytesAt(url)).toBe('%PDF перша');
  });

  it('POST needs the key and the token', async () => {
    const shelf = await generation.shelf();
    expect((await anyone.request('POST', shelf.path, await fileForm('x'))).status).toBe(401);
    expect((await shelf.filler.request('POST', shelf.path, await fileForm('x'))).status).toBe(403);
  });
});

describe.each(readable)('a document of $of in interface.md, generation $name', (generation) => {
  const anyone = speaking(gatewayUrl, generation);

  it('GET lists and shows it, PUT brings a new version of the file', async () => {
    const shelf = await generation.shelf();
    const { data } = (await upload(shelf, '%PDF перша')).body;
    expect((await anyone.get(shelf.path)).body).toEqual({ data: [data] });
    const path = `${shelf.path}/${data.id}`;
    expect((await anyone.get(path)).body.data).toMatchObject(data);
    const replaced = await shelf.filler.request('PUT', path + shelf.owned, await fileForm('%PDF друга'));
    expect([replaced.status, replaced.body.data.id]).toEqual([200, data.id]);
    expectDocument(generation, replaced.body.data);
    expect(await bytesAt(replaced.body.data.url)).toBe('%PDF друга');
    expect((await anyone.get(shelf.path)).body).toEqual({ data: [replaced.body.data] });
  });
});

describe.each(OF_BOTH.filter(({ segment }) => segment !== '0.1'))(
  'PATCH of a document of $of, generation $name',
  (generation) => {
    it('changes what is sent of its record', async () => {
      const { path, owned, filler, ...shelf } = await generation.shelf();
      const { data } = (await upload({ path, owned, filler, ...shelf })).body;
      const answer = await filler.patch(`${path}/${data.id}${owned}`, { title: 'умови.pdf' });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ id: data.id, title: 'умови.pdf', hash: data.hash });
    });
  },
);

describe('documents on the segments as they are shown in their parents', () => {
  it.each([SEGMENT_2_3, SEGMENT_0, MIDDLE])('the bid shows its own, generation $name', async (generation) => {
    const shelf = await shelfOfBid(generation);
    const { data } = (await upload(shelf)).body;
    const bid = await speaking(gatewayUrl, generation).get(shelf.path.replace(/\/documents$/, ''));
    expect(bid.body.data.documents).toEqual([data]);
  });

  it.each(SHOWN_GENERATIONS)('the tender shows its own, generation $name', async (generation) => {
    const shelf = await shelfOfTender(generation);
    const { data } = (await upload(shelf)).body;
    const tender = await speaking(gatewayUrl, generation).get(shelf.path.replace(/\/documents$/, ''));
    expect(tender.body.data.documents).toEqual([data]);
  });

  it('the oldest segment takes a file under its first name too (http.md 2.3)', async () => {
    const { path, owned, filler } = await shelfOfTender(MIDDLE);
    const old = await fileForm('%PDF', 'тендер.pdf', 'upload');
    expect((await filler.request('POST', path + owned, old)).status).toBe(201);
    const current = await shelfOfTender(SEGMENT_2_3);
    expect((await current.filler.request('POST', current.path + current.owned, old)).status).toBe(404);
  });
});
