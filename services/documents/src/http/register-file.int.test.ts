import { createHash } from 'node:crypto';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import {
  anonymous,
  auction,
  broker,
  fileForm,
  buildForm,
  pathOf,
  postDocument,
  readsFrom,
  sendForm,
  sendJson,
  tenderOwner,
  type Headers,
} from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get } = readsFrom(running);

const md5 = (content: string): string => createHash('md5').update(content).digest('hex');
const HASH = `md5:${md5('content')}`;

async function register(data: unknown = { hash: HASH }, caller: Headers = tenderOwner) {
  return sendJson(running().app, 'POST', '/register', caller, data);
}

describe('POST /register, POST /upload/{doc_id}, POST …/documents', () => {
  it('work in the documented order: register, add, upload, read', async () => {
    const registered = await register({ hash: HASH, title: 'kept' });
    expect(registered.statusCode, registered.body).toBe(201);
    const { data, upload_url: upload } = registered.json();
    expect(registered.headers.location).toBe(upload);
    expect(data).toEqual({ hash: HASH, title: 'kept', url: expect.stringContaining('https://api.example.org/get/') });

    const { id: tender } = await running().tender();
    const body = {
      title: 'Оголошення.pdf',
      format: 'application/pdf',
      documentType: 'notice',
      hash: HASH,
      url: data.url,
    };
    const added = await sendJson(running().app, 'POST', `/tenders/${tender}/documents`, tenderOwner, body);
    expect(added.statusCode, added.body).toBe(201);
    const record = added.json().data;
    expect(record).toMatchObject({ title: 'Оголошення.pdf', documentType: 'notice', hash: HASH });
    expect(record.url).not.toBe(data.url);
    expect(record).not.toHaveProperty('sha256');
    expect((await get(pathOf(record.url))).statusCode).toBe(204);

    const uploaded = await sendForm(running().app, 'POST', pathOf(upload), tenderOwner, fileForm('content', 'укр.doc'));
    expect(uploaded.statusCode, uploaded.body).toBe(200);
    expect(uploaded.json()).toEqual({
      data: { url: data.url, hash: HASH, format: 'application/pdf', title: 'укр.doc' },
      get_url: expect.stringContaining('&Expires='),
    });
    // From its arrival on, whatever the client sends.
    const sha256 = createHash('sha256').update('content').digest('hex');
    const path = `/tenders/${tender}/documents/${record.id}`;
    expect((await get(path)).json().data).toMatchObject({ sha256, previousVersions: [] });
    const change = { title: 'Інша назва.pdf', sha256: 'f'.repeat(64) };
    expect((await sendJson(running().app, 'PATCH', path, tenderOwner, change)).json().data).toMatchObject({ sha256 });
    const [, event] = await running().events(tender);
    expect(event).toMatchObject({ data: { documents: [{ document: { id: record.id, sha256 } }] } });
    for (const address of [record.url, uploaded.json().get_url]) {
      const got = await get(pathOf(address));
      expect([got.statusCode, got.body]).toEqual([200, 'content']);
      expect(got.headers['content-disposition']).toBe(
        "attachment; filename=%D1%83%D0%BA%D1%80.doc; filename*=utf-8''%D1%83%D0%BA%D1%80.doc",
      );
    }
    expect((await get(pathOf(data.url))).json().errors[0].name).toBe('KeyID');
  });

  it.each([
    ['a form field', 'application/x-www-form-urlencoded', `hash=${encodeURIComponent(HASH)}`],
    ['JSON', 'application/json', JSON.stringify({ data: { hash: HASH } })],
    [
      'a multipart field',
      fileForm().headers['content-type'],
      buildForm({ disposition: 'name="hash"', content: HASH }).payload,
    ],
  ])('registers by %s', async (_title, type, payload) => {
    const headers = { ...broker, 'content-type': type ?? '' };
    const response = await running().app.inject({ method: 'POST', url: '/register', headers, payload });
    expect([response.statusCode, response.json().data.hash]).toEqual([201, HASH]);
  });

  it.each([
    [404, {}, 'Not Found'],
    [422, { hash: `sha1:${'0'.repeat(40)}` }, ['Hash type is not supported.']],
    [422, { hash: 'md5:00' }, ['Hash value is wrong length.']],
    [422, { hash: HASH.toUpperCase().replace('MD5', 'md5') }, ['Hash value is not hexadecimal.']],
  ])('%d: %j', async (status, data, description) => {
    const response = await register(data);
    expect([response.statusCode, response.json().errors]).toMatchObject([
      status,
      [{ location: 'body', name: 'hash', description }],
    ]);
  });

  it('404: data that is no object counts as a missing hash', async () => {
    const response = await register('text');
    expect([response.statusCode, response.json().errors[0].name]).toEqual([404, 'hash']);
  });

  it.each([
    [401, anonymous],
    [403, signedIdentity({ group: 'chronograph' })],
    [201, auction],
    [201, signedIdentity({ group: 'bots' })],
    [201, signedIdentity({ group: 'reviewers' })],
    [201, signedIdentity({ group: 'admins' })],
  ])('%d by the group of the caller', async (status, caller) => {
    expect((await register({ hash: HASH }, caller)).statusCode).toBe(status);
  });

  it('403: another file than the registered one; the right one is accepted after it, once', async () => {
    const { upload_url: upload } = (await register()).json();
    const send = async (content: string) =>
      sendForm(running().app, 'POST', pathOf(upload), tenderOwner, fileForm(content));
    const wrong = await send('other');
    expect([wrong.statusCode, wrong.json().errors[0]]).toEqual([
      403,
      { location: 'body', name: 'file', description: 'Invalid checksum' },
    ]);
    expect((await send('content')).statusCode).toBe(200);
    const again = await send('content');
    expect([again.statusCode, again.json().errors[0]]).toEqual([
      403,
      { location: 'url', name: 'doc_id', description: 'Content already uploaded' },
    ]);
  });

  it('403: an upload by another broker than the one that registered the file', async () => {
    const { upload_url: upload } = (await register()).json();
    const other = await sendForm(running().app, 'POST', pathOf(upload), broker);
    expect([other.statusCode, other.json().errors[0].name]).toEqual([403, 'permission']);
    expect((await sendForm(running().app, 'POST', pathOf(upload), tenderOwner)).statusCode).toBe(200);
  });

  it('accept one of two concurrent uploads', async () => {
    const { upload_url: upload } = (await register()).json();
    const both = await Promise.all(
      ['content', 'content'].map(async (content) =>
        sendForm(running().app, 'POST', pathOf(upload), tenderOwner, fileForm(content)),
      ),
    );
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 403]));
  });

  it('refuse an upload in the order of the checks', async () => {
    const { upload_url: upload } = (await register()).json();
    const url = pathOf(upload);
    const none = buildForm({ disposition: 'name="x"', content: 'a' });
    const [path = ''] = url.split('?');
    const unknown = running().deps.signedUrls.upload('0'.repeat(32));
    const rows = [
      [path, none, 404, 'file'],
      [path, fileForm(), 403, 'KeyID'],
      [url.replace(/&Signature=.*/, ''), fileForm(), 403, 'Signature'],
      [pathOf(unknown), fileForm(), 404, 'doc_id'],
    ] as const;
    for (const [target, form, status, name] of rows) {
      const response = await sendForm(running().app, 'POST', target, tenderOwner, form);
      expect([response.statusCode, response.json().errors[0].name]).toEqual([status, name]);
    }
  });
});

describe('POST …/documents with a registered file', () => {
  async function uploadedFile(): Promise<{ url: string; hash: string }> {
    return (await sendForm(running().app, 'POST', '/upload', tenderOwner)).json().data;
  }

  it.each([
    [
      'an address elsewhere',
      { url: 'https://evil.example.org/get/0' },
      403,
      'url',
      'Can add document only from document service.',
    ],
    ['no hash', { hash: undefined }, 422, 'hash', 'This field is required.'],
    ['the hash of another', { hash: `md5:${'0'.repeat(32)}` }, 422, 'url', 'Document url invalid.'],
  ])('%s', async (_title, more, status, name, description) => {
    const { id } = await running().tender();
    const data = { title: 'a', format: 'text/plain', ...(await uploadedFile()), ...more };
    const response = await sendJson(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
    expect([response.statusCode, response.json().errors]).toMatchObject([
      status,
      [{ location: 'body', name, description }],
    ]);
  });

  it('201: one file for several documents of one object', async () => {
    const { id } = await running().tender();
    const data = { title: 'a', format: 'text/plain', ...(await uploadedFile()) };
    for (const status of [201, 201]) {
      const response = await sendJson(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
      expect(response.statusCode).toBe(status);
    }
  });

  it('422: a file that another broker registered', async () => {
    const { id } = await running().tender();
    const { data: sent } = (await sendForm(running().app, 'POST', '/upload', broker)).json();
    const url = `/tenders/${id}/documents`;
    const document = await postDocument(running().app, url, tenderOwner);
    for (const [method, path] of [
      ['POST', url],
      ['PUT', `${url}/${document.id}`],
    ] as const) {
      const response = await sendJson(running().app, method, path, tenderOwner, sent);
      expect([response.statusCode, response.json().errors]).toMatchObject([
        422,
        [{ location: 'body', name: 'url', description: 'Document url invalid.' }],
      ]);
    }
  });

  it('422: a file that belongs to another object, also when both are added at once', async () => {
    const tenders = [await running().tender(), await running().tender()];
    const data = await uploadedFile();
    const responses = await Promise.all(
      tenders.map(async ({ id }) => sendJson(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, data)),
    );
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 422]);
  });

  it('422: a file that was removed', async () => {
    const { id } = await running().tender();
    const data = { title: 'a', format: 'text/plain', ...(await uploadedFile()) };
    const key = /get\/(\w+)/.exec(data.url)?.[1];
    await running().database.pool.query(`UPDATE file SET state = 'dropped' WHERE id = $1`, [key]);
    const response = await sendJson(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
    expect([response.statusCode, response.json().errors[0].description]).toEqual([422, 'Document url invalid.']);
  });
});
