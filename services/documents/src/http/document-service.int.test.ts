import { createHash } from 'node:crypto';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auction,
  broker,
  fileForm,
  formOf,
  postDocument,
  sendForm,
  sendJson,
  tenderOwner,
  type Headers,
} from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

let running: RunningDocuments;

beforeAll(async () => {
  running = await startDocuments();
});

afterAll(async () => {
  await running.close();
});

const anonymous = anonymousIdentity();
const md5 = (content: string): string => createHash('md5').update(content).digest('hex');
const HASH = `md5:${md5('content')}`;

/** An address without its host, which the gateway has taken off. */
function local(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

async function get(url: string, headers: Headers = {}) {
  return running.app.inject({ method: 'GET', url, headers: { ...anonymous, ...headers } });
}

async function register(data: unknown = { hash: HASH }, caller: Headers = broker) {
  return sendJson(running.app, 'POST', '/register', caller, data);
}

describe('POST /register, POST /upload/{doc_id}, POST .../documents', () => {
  it('in the documented order: register, add, upload, read', async () => {
    const registered = await register({ hash: HASH, title: 'kept' });
    expect(registered.statusCode, registered.body).toBe(201);
    const { data, upload_url: upload } = registered.json();
    expect(registered.headers.location).toBe(upload);
    expect(data).toEqual({ hash: HASH, title: 'kept', url: expect.stringContaining('https://api.example.org/get/') });

    const { id: tender } = await running.tender();
    const body = {
      title: 'Оголошення.pdf',
      format: 'application/pdf',
      documentType: 'notice',
      hash: HASH,
      url: data.url,
    };
    const added = await sendJson(running.app, 'POST', `/tenders/${tender}/documents`, tenderOwner, body);
    expect(added.statusCode, added.body).toBe(201);
    const record = added.json().data;
    expect(record).toMatchObject({ title: 'Оголошення.pdf', documentType: 'notice', hash: HASH });
    expect(record.url).not.toBe(data.url);
    expect((await get(local(record.url))).statusCode).toBe(204);

    const uploaded = await sendForm(running.app, 'POST', local(upload), broker, fileForm('content', 'укр.doc'));
    expect(uploaded.statusCode, uploaded.body).toBe(200);
    expect(uploaded.json()).toEqual({
      data: { url: data.url, hash: HASH, format: 'application/pdf', title: 'укр.doc' },
      get_url: expect.stringContaining('&Expires='),
    });
    for (const address of [record.url, uploaded.json().get_url]) {
      const got = await get(local(address));
      expect([got.statusCode, got.body]).toEqual([200, 'content']);
      expect(got.headers['content-disposition']).toBe(
        "attachment; filename=%D1%83%D0%BA%D1%80.doc; filename*=utf-8''%D1%83%D0%BA%D1%80.doc",
      );
    }
    expect((await get(local(data.url))).json().errors[0].name).toBe('KeyID');
  });

  it.each([
    ['a form field', 'application/x-www-form-urlencoded', `hash=${encodeURIComponent(HASH)}`],
    ['JSON', 'application/json', JSON.stringify({ data: { hash: HASH } })],
    [
      'a multipart field',
      fileForm().headers['content-type'],
      formOf({ disposition: 'name="hash"', content: HASH }).payload,
    ],
  ])('registers by %s', async (_title, type, payload) => {
    const headers = { ...broker, 'content-type': type ?? '' };
    const answer = await running.app.inject({ method: 'POST', url: '/register', headers, payload });
    expect([answer.statusCode, answer.json().data.hash]).toEqual([201, HASH]);
  });

  it.each([
    [404, {}, 'Not Found'],
    [422, { hash: `sha1:${'0'.repeat(40)}` }, ['Hash type is not supported.']],
    [422, { hash: 'md5:00' }, ['Hash value is wrong length.']],
    [422, { hash: HASH.toUpperCase().replace('MD5', 'md5') }, ['Hash value is not hexadecimal.']],
  ])('%d: %j', async (status, data, description) => {
    const answer = await register(data);
    expect([answer.statusCode, answer.json().errors]).toEqual([
      status,
      [{ location: 'body', name: 'hash', description }],
    ]);
  });

  it('404: data that is no object is no hash', async () => {
    const answer = await register('text');
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'hash']);
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

  it('403: another file than was registered, after which the right one is taken, once', async () => {
    const { upload_url: upload } = (await register()).json();
    const send = async (content: string) => sendForm(running.app, 'POST', local(upload), broker, fileForm(content));
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

  it('of two at once one wins', async () => {
    const { upload_url: upload } = (await register()).json();
    const both = await Promise.all(
      ['content', 'content'].map(async (content) =>
        sendForm(running.app, 'POST', local(upload), broker, fileForm(content)),
      ),
    );
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 403]));
  });

  it('tells what is wrong with an upload in the order of the checks', async () => {
    const { upload_url: upload } = (await register()).json();
    const url = local(upload);
    const none = formOf({ disposition: 'name="x"', content: 'a' });
    const [path = ''] = url.split('?');
    const unknown = running.deps.signedUrls.upload('0'.repeat(32));
    const rows = [
      [path, none, 404, 'file'],
      [path, fileForm(), 403, 'KeyID'],
      [url.replace(/&Signature=.*/, ''), fileForm(), 403, 'Signature'],
      [local(unknown), fileForm(), 404, 'doc_id'],
    ] as const;
    for (const [target, form, status, name] of rows) {
      const answer = await sendForm(running.app, 'POST', target, broker, form);
      expect([answer.statusCode, answer.json().errors[0].name]).toEqual([status, name]);
    }
  });
});

describe('POST /upload', () => {
  it('200: the answer that the Python client reads, whose data a document is made of', async () => {
    const answer = await sendForm(
      running.app,
      'POST',
      '/upload',
      auction,
      fileForm('protocol', 'audit.yaml', 'text/yaml'),
    );
    expect(answer.statusCode, answer.body).toBe(200);
    const { data, get_url: address } = answer.json();
    expect(answer.headers.location).toBe(address);
    expect(data).toMatchObject({ hash: `md5:${md5('protocol')}`, title: 'audit.yaml', format: 'text/yaml' });
    const { id: tender } = await running.tender({ status: 'active.auction' });
    const url = `/tenders/${tender}/documents`;
    const added = await sendJson(running.app, 'POST', url, auction, data);
    expect([added.statusCode, added.json().data.author]).toEqual([201, 'auction']);
    const second = (await sendForm(running.app, 'POST', '/upload', auction, fileForm('protocol 2'))).json().data;
    const put = await sendJson(running.app, 'PUT', `${url}/${added.json().data.id}`, auction, second);
    expect(put.statusCode, put.body).toBe(200);
    expect((await get(local(put.json().data.url))).body).toBe('protocol 2');
  });

  it('502: in the words of the document service when the store breaks', async () => {
    const folder = running.deps.fileStorage;
    // A file where a folder has to be.
    Object.assign(running.deps, {
      fileStorage: (await import('../files/folder-storage.ts')).folderStorage('/dev/null/nowhere'),
    });
    const answer = await sendForm(running.app, 'POST', '/upload', broker);
    Object.assign(running.deps, { fileStorage: folder });
    expect([answer.statusCode, answer.json()]).toEqual([
      502,
      { status: 'error', errors: [{ description: 'Upload failed, please try again later' }] },
    ]);
  });
});

describe('registration of a file for a document', () => {
  async function brought(): Promise<{ url: string; hash: string }> {
    return (await sendForm(running.app, 'POST', '/upload', broker)).json().data;
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
    const { id } = await running.tender();
    const data = { title: 'a', format: 'text/plain', ...(await brought()), ...more };
    const answer = await sendJson(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
    expect([answer.statusCode, answer.json().errors]).toEqual([status, [{ location: 'body', name, description }]]);
  });

  it('may be of one file for several documents', async () => {
    const { id } = await running.tender();
    const data = { title: 'a', format: 'text/plain', ...(await brought()) };
    for (const status of [201, 201]) {
      const answer = await sendJson(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
      expect(answer.statusCode).toBe(status);
    }
  });

  it('is refused once the file was cleaned away', async () => {
    const { id } = await running.tender();
    const data = { title: 'a', format: 'text/plain', ...(await brought()) };
    const key = /get\/(\w+)/.exec(data.url)?.[1];
    await running.database.pool.query(`UPDATE file SET state = 'dropped' WHERE id = $1`, [key]);
    const answer = await sendJson(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, data);
    expect([answer.statusCode, answer.json().errors[0].description]).toEqual([422, 'Document url invalid.']);
  });
});

describe('GET /get/{doc_id}', () => {
  async function stored(): Promise<string> {
    const { id } = await running.tender();
    const form = fileForm('0123456789', 'a.html', 'text/html');
    return local((await postDocument(running.app, `/tenders/${id}/documents`, tenderOwner, form)).url);
  }

  it('keeps a page from being shown in a browser', async () => {
    const { headers } = await get(await stored());
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename=a.html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'accept-ranges': 'bytes',
    });
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
  ])('%s', async (range, status, body, contentRange) => {
    const answer = await get(await stored(), { range });
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([status, body, contentRange]);
    expect(answer.headers['content-length']).toBe(String(body.length));
  });

  it('HEAD tells the same without the bytes', async () => {
    const answer = await running.app.inject({ method: 'HEAD', url: await stored(), headers: anonymous });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, '10', '']);
  });

  it('404: of a file that does not exist, by an address that is good', async () => {
    const answer = await get(local(running.deps.signedUrls.permanent('0'.repeat(32))));
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'doc_id']);
  });

  it('502: of a file that the store has lost, in the shape of any error', async () => {
    const url = await stored();
    await running.deps.fileStorage.remove(`files/${url.slice(5, 7)}/${url.slice(5, 37)}`);
    const answer = await get(url);
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      502,
      'application/json; charset=UTF-8',
      undefined,
    ]);
  });
});
