import { fileUpload } from '../../support/file-upload.ts';
import { describe, expect, inject, it } from 'vitest';
import type { ApiResponse, Broker, Json } from '../../support/broker.ts';
import {
  EARLIEST,
  MIDDLE,
  SEGMENT_0,
  SEGMENT_2_3,
  LEGACY_GENERATIONS,
  type Generation,
} from '../../support/generations.ts';
import { bidBody, publishTender, generationClient } from '../../support/generation-client.ts';

const gatewayUrl = inject('gatewayUrl');

/** A documents collection and a client that may write to it. */
interface DocumentCollection {
  readonly path: string;
  readonly tokenQuery: string;
  readonly uploader: Broker;
}

async function documentsOfTender(generation: Generation): Promise<DocumentCollection> {
  const { path, tokenQuery, owner } = await publishTender(gatewayUrl, generation);
  return { path: `${path}/documents`, tokenQuery, uploader: owner };
}

async function documentsOfBid(generation: Generation): Promise<DocumentCollection> {
  const { path } = await publishTender(gatewayUrl, generation);
  const uploader = generationClient(gatewayUrl, generation, 'broker2');
  const bids = `${path}/${generation.names.bids}`;
  const { data, access } = (await uploader.post(bids, bidBody(generation, 400))).body;
  return { path: `${bids}/${data.id}/documents`, tokenQuery: `?acc_token=${access.token}`, uploader };
}

async function upload({ path, tokenQuery, uploader }: DocumentCollection, content = '%PDF'): Promise<ApiResponse> {
  return uploader.request('POST', path + tokenQuery, pdfUpload(content));
}

const pdfUpload = (content: string) => fileUpload('тендер.pdf', 'application/pdf', content);

/** The names of the members of a document. */
function expectDocument({ documentMembers }: Generation, data: Json): void {
  expect(
    Object.keys(data)
      .filter((name) => name !== 'author')
      .sort(),
  ).toEqual([...documentMembers].sort());
  expect(data).toMatchObject({ title: 'тендер.pdf', format: 'application/pdf' });
}

const downloadText = async (address: string): Promise<string> => (await fetch(address)).text();

const PARENTS = LEGACY_GENERATIONS.flatMap((generation) => [
  { ...generation, of: 'a tender', collection: async () => documentsOfTender(generation) },
  { ...generation, of: 'a bid', collection: async () => documentsOfBid(generation) },
]);
const READABLE_PARENTS = PARENTS.filter(({ name, of }) => name !== EARLIEST.name || of === 'a tender');

describe.each(PARENTS)('documents of $of in interface.md, generation $name', (generation) => {
  const anyone = generationClient(gatewayUrl, generation);

  it('POST of a file answers 201 with Location and the document', async () => {
    const documents = await generation.collection();
    const answer = await upload(documents, '%PDF перша');
    expect(answer.status, answer.text).toBe(201);
    expectDocument(generation, answer.body.data);
    const { id, url } = answer.body.data;
    expect(answer.headers.get('location')).toBe(`${gatewayUrl}/api/${generation.segment}${documents.path}/${id}`);
    expect(await downloadText(url)).toBe('%PDF перша');
  });

  it('POST needs the key and the token', async () => {
    const documents = await generation.collection();
    expect((await anyone.request('POST', documents.path, pdfUpload('x'))).status).toBe(401);
    expect((await documents.uploader.request('POST', documents.path, pdfUpload('x'))).status).toBe(403);
  });
});

describe.each(READABLE_PARENTS)('a document of $of in interface.md, generation $name', (generation) => {
  const anyone = generationClient(gatewayUrl, generation);

  it('GET answers list and document, PUT adds a new version of the file', async () => {
    const documents = await generation.collection();
    const { data } = (await upload(documents, '%PDF перша')).body;
    expect((await anyone.get(documents.path)).body).toEqual({ data: [data] });
    const path = `${documents.path}/${data.id}`;
    expect((await anyone.get(path)).body.data).toMatchObject(data);
    const replaced = await documents.uploader.request('PUT', path + documents.tokenQuery, pdfUpload('%PDF друга'));
    expect([replaced.status, replaced.body.data.id]).toEqual([200, data.id]);
    expectDocument(generation, replaced.body.data);
    expect(await downloadText(replaced.body.data.url)).toBe('%PDF друга');
    expect((await anyone.get(documents.path)).body).toEqual({ data: [replaced.body.data] });
  });
});

describe.each(PARENTS.filter(({ segment }) => segment !== '0.1'))(
  'PATCH of a document of $of, generation $name',
  (generation) => {
    it('changes the members that are sent', async () => {
      const { path, tokenQuery, uploader, ...documents } = await generation.collection();
      const { data } = (await upload({ path, tokenQuery, uploader, ...documents })).body;
      const answer = await uploader.patch(`${path}/${data.id}${tokenQuery}`, { title: 'умови.pdf' });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ id: data.id, title: 'умови.pdf', hash: data.hash });
    });
  },
);

describe('documents in the bodies of their parents', () => {
  it.each([SEGMENT_2_3, SEGMENT_0, MIDDLE])('a bid contains its documents, generation $name', async (generation) => {
    const documents = await documentsOfBid(generation);
    const { data } = (await upload(documents)).body;
    const bid = await generationClient(gatewayUrl, generation).get(documents.path.replace(/\/documents$/, ''));
    expect(bid.body.data.documents).toEqual([data]);
  });

  it.each(LEGACY_GENERATIONS)('a tender contains its documents, generation $name', async (generation) => {
    const documents = await documentsOfTender(generation);
    const { data } = (await upload(documents)).body;
    const tender = await generationClient(gatewayUrl, generation).get(documents.path.replace(/\/documents$/, ''));
    expect(tender.body.data.documents).toEqual([data]);
  });

  it('segment 0.1 accepts the form field "upload" too (http.md 2.3)', async () => {
    const { path, tokenQuery, uploader } = await documentsOfTender(MIDDLE);
    const old = fileUpload('тендер.pdf', 'application/pdf', '%PDF', 'upload');
    expect((await uploader.request('POST', path + tokenQuery, old)).status).toBe(201);
    const current = await documentsOfTender(SEGMENT_2_3);
    expect((await current.uploader.request('POST', current.path + current.tokenQuery, old)).status).toBe(404);
  });
});
