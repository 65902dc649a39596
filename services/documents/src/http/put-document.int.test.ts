import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../test-support/document-facts.ts';
import { NOW } from '../../test-support/events.ts';
import { postDocument, readsFrom, sendForm, tenderOwner, type Headers } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get, bytesAt } = readsFrom(running);

describe('PUT …/documents/{document_id}', () => {
  it('200: raw bytes keep the title', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running().app, url, tenderOwner);
    running().clock.advance(1_000);
    const headers = { ...tenderOwner, 'content-type': 'text/plain; charset=utf-8' };
    const response = await running().app.inject({ method: 'PUT', url: `${url}/${id}`, headers, payload: 'raw' });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers.location).toBeUndefined();
    expect(response.json().data).toMatchObject({
      id,
      title: 'notice.pdf',
      format: 'text/plain',
      datePublished: NOW,
      dateModified: '2026-05-12T10:15:01.120034+03:00',
    });
    expect(await bytesAt(response.json().data.url)).toBe('raw');
  });

  it('412: PUT and PATCH with the present ETag, when If-Match names another', async () => {
    const { id: tender } = await running().tender();
    const { id } = await postDocument(running().app, `/tenders/${tender}/documents`, tenderOwner);
    const url = `/tenders/${tender}/documents/${id}`;
    const etagNow = async () => (await get(url)).headers.etag ?? '';
    const first = await etagNow();
    const ifFirst = { ...tenderOwner, 'if-match': first };
    expect((await sendForm(running().app, 'PUT', url, ifFirst)).statusCode).toBe(200);
    const patch = async (etag: string) =>
      running().app.inject({
        method: 'PATCH',
        url,
        headers: { ...tenderOwner, 'if-match': etag, 'content-type': 'application/json' },
        payload: { data: { description: 'x' } },
      });
    const present = await etagNow();
    for (const stale of [await sendForm(running().app, 'PUT', url, ifFirst), await patch(first)]) {
      expect([stale.statusCode, stale.headers.etag]).toEqual([412, present]);
    }
    expect((await patch(present)).statusCode).toBe(200);
    expect(await etagNow()).not.toBe(present);
  });

  it('200: a repeat with the same seed makes no second version; a repeated POST makes no second document', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const tokenHash = sha256Hex(TOKENS.tender);
    const seeded = (seed: string): Headers => signedIdentity({ broker: 'broker1', tokenHash, seed });
    const [first, again] = [
      await postDocument(running().app, url, seeded('one')),
      await postDocument(running().app, url, seeded('one')),
    ];
    expect(again).toEqual(first);
    const put = async () => sendForm(running().app, 'PUT', `${url}/${first.id}`, seeded('two'));
    expect((await put()).json().data).toEqual((await put()).json().data);
    expect((await get(`${url}?all=1`)).json().data).toHaveLength(2);
  });
});
