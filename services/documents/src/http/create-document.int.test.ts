import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/events.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { fileForm, pathOf, postDocument, readsFrom, sendForm, tenderOwner } from '../../test-support/requests.ts';

const running = setupDocuments();
const { get } = readsFrom(running);

describe('POST /tenders/{id}/documents with a form', () => {
  it('201: the record of http.md 2.3, its address, and the event for the tender', async () => {
    const { id } = await running().tender();
    const form = fileForm('content', 'укр.doc', 'application/msword');
    const response = await sendForm(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, form);
    expect(response.statusCode, response.body).toBe(201);
    const { data } = response.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: 'укр.doc',
      format: 'application/msword',
      hash: 'md5:9a0364b9e99bb480dd25e1f0284c8555',
      sha256: createHash('sha256').update('content').digest('hex'),
      documentOf: 'tender',
      author: 'tender_owner',
      datePublished: NOW,
      dateModified: NOW,
      url: expect.stringMatching(/^https:\/\/api\.example\.org\/get\/[0-9a-f]{32}\?KeyID=[0-9a-f]{8}&Signature=/),
    });
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5/tenders/${id}/documents/${data.id}`);
    expect(await running().events(id)).toMatchObject([
      {
        type: 'document.changed',
        asksForAppliedAck: true,
        data: { id, version: 1, documents: [{ parent: { kind: 'tender', id }, document: data }] },
      },
    ]);
  });

  it('201: the file is downloaded byte for byte', async () => {
    const { id } = await running().tender();
    const content = Buffer.alloc(300_000, 'any bytes at all \u0000\r\n--a-bound');
    const { url, hash } = await postDocument(running().app, `/tenders/${id}/documents`, tenderOwner, fileForm(content));
    const got = await get(pathOf(url));
    expect(got.statusCode).toBe(200);
    expect(got.rawPayload.equals(content)).toBe(true);
    expect(hash).toBe(`md5:${createHash('md5').update(content).digest('hex')}`);
    expect(got.headers).toMatchObject({
      'content-length': '300000',
      'content-disposition': 'attachment; filename=notice.pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${hash.slice(4)}"`,
    });
  });
});
