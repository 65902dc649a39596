import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { anonymousIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/document-facts.ts';
import { StorageError, type FileStorage } from '@procurement/kit/files/file-storage';
import { folderStorage } from '@procurement/kit/files/folder-storage';
import { broker, fileForm, buildForm, postDocument, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

const FILE_BYTES_MAX = 200_000;

/** A storage whose `put` fails after the first bytes while `breaks` is set. */
function failingStorage(folder: string): FileStorage & { breaks: boolean; puts: number } {
  const whole = folderStorage(folder);
  const store = {
    ...whole,
    breaks: false,
    puts: 0,
    put: async (...[key, type, arriving]: Parameters<FileStorage['put']>) => {
      store.puts += 1;
      if (!store.breaks) return whole.put(key, type, arriving);
      await arriving.bytes[Symbol.asyncIterator]().next();
      throw new StorageError('the disk failed');
    },
  };
  return store;
}

let running: RunningDocuments;
/** The same, for clients that stall: it waits for them for a moment only, which a busy machine may take with any client. */
let impatient: RunningDocuments;
let storage: ReturnType<typeof failingStorage>;

beforeAll(async () => {
  const settings = { MAX_FILE_BYTES: String(FILE_BYTES_MAX) };
  [running, impatient] = await Promise.all([
    startDocuments({ settings: { ...settings, UPLOAD_IDLE_MS: '300000', UPLOAD_MS_MAX: '600000' } }),
    startDocuments({ settings: { ...settings, UPLOAD_IDLE_MS: '300', UPLOAD_MS_MAX: '5000' } }),
  ]);
  storage = failingStorage(running.folder);
  Object.assign(running.deps, { fileStorage: storage });
});

afterAll(async () => {
  await Promise.all([running.close(), impatient.close()]);
});

async function fileRows(of = running): Promise<number> {
  const { rows } = await of.database.pool.query('SELECT count(*)::int AS count FROM file');
  return rows[0].count;
}

/** Names of temporary files of unfinished uploads. */
function temporaryFiles(of = running): string[] {
  return readdirSync(join(of.folder, 'tmp'));
}

/** Waits until nothing is left of uploads but these rows: the answer may come before the end of the clean-up. */
async function expectLeft(rows: number, of = running): Promise<void> {
  await expect.poll(async () => [await fileRows(of), temporaryFiles(of)]).toEqual([rows, []]);
}

/** A request written byte by byte, for clients that send other than they announced. */
async function raw(path: string, headers: Record<string, string>, body: Buffer, to = running): Promise<Socket> {
  const { hostname, port } = new URL(to.url);
  const socket = connect(Number(port), hostname);
  const identity = tenderOwner[IDENTITY_HEADER] ?? '';
  const lines = Object.entries({ host: 'documents', [IDENTITY_HEADER]: identity, ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(body);
  return socket;
}

async function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.includes('"errors":')) resolve(text);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** The beginning of a form, without its end. */
function beginning(bytes: number): Buffer {
  const { payload } = fileForm(Buffer.alloc(bytes, 'x'));
  return payload.subarray(0, payload.length - 30);
}
const { headers: FORM } = fileForm();

describe('a failed upload leaves neither a record nor a file', () => {
  it('when the client disconnects', async () => {
    const { id } = await running.tender();
    const [rows, puts] = [await fileRows(), storage.puts];
    const body = beginning(100_000);
    const socket = await raw(`/tenders/${id}/documents`, { ...FORM, 'content-length': '150000' }, body);
    await waitFor(() => storage.puts > puts, { what: 'the upload to begin' });
    await waitFor(() => temporaryFiles().length > 0, { what: 'the temporary file' });
    socket.destroy();
    await waitFor(() => temporaryFiles().length === 0, { what: 'the file to be removed' });
    await waitFor(async () => (await fileRows()) === rows, { what: 'its row to be removed' });
    expect(await running.events(id)).toEqual([]);
  });

  it('408: when the client stalls before the announced length', async () => {
    const { id } = await impatient.tender();
    const rows = await fileRows(impatient);
    const body = beginning(1_000);
    const socket = await raw(`/tenders/${id}/documents`, { ...FORM, 'content-length': '100000' }, body, impatient);
    const response = await readAnswer(socket);
    expect(response).toContain('HTTP/1.1 408');
    expect(response).toContain('{"location":"url","name":"request_timeout","description":"Request Timeout"');
    socket.destroy();
    await expectLeft(rows, impatient);
  });

  it.each([
    ['a document', '/documents'],
    ['the document service', '/upload'],
    ['a registration', '/register'],
  ])('408: when the form of %s stalls before its file', async (_what, path) => {
    const { id } = await impatient.tender();
    const rows = await fileRows(impatient);
    const url = path === '/documents' ? `/tenders/${id}${path}` : path;
    const begun = fileForm().payload.subarray(0, 20);
    const socket = await raw(url, { ...FORM, 'content-length': '100000' }, begun, impatient);
    const response = await readAnswer(socket);
    expect(response).toContain('HTTP/1.1 408');
    expect(response.toLowerCase()).toContain('connection: close');
    socket.destroy();
    await expectLeft(rows, impatient);
  });

  it('422: when the form ends before its boundary', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const body = beginning(1_000);
    const form = { headers: FORM, payload: body };
    const response = await sendForm(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, form);
    expect([response.statusCode, response.json().errors[0].description]).toEqual([422, 'could not decode params']);
    await expectLeft(rows);
  });

  it('422: when the form has more than 100 parts before its file', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const send = async (count: number) => {
      const parts = Array.from({ length: count }, () => ({ disposition: 'filename=other', content: 'x' }));
      const form = buildForm(...parts, { disposition: 'name="file"; filename="a.txt"', content: 'x' });
      return (await sendForm(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, form)).statusCode;
    };
    expect([await send(100), await fileRows()]).toEqual([422, rows]);
    expect(await send(99)).toBe(201);
  });

  it.each([
    ['a form', { ...FORM }, fileForm(Buffer.alloc(FILE_BYTES_MAX + 1)).payload],
    [
      'bytes',
      { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a' },
      Buffer.alloc(FILE_BYTES_MAX + 1),
    ],
  ])('413: when %s exceeds the limit of a file, with and without Content-Length', async (_title, headers, body) => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const expected = '{"location":"body","name":"file","description":"Request Entity Too Large"';
    const said = { ...headers, 'content-length': String(body.length) };
    const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
    const unsaid = { ...headers, 'transfer-encoding': 'chunked' };
    for (const [given, bytes] of [
      [said, body],
      [unsaid, chunked],
    ] as const) {
      const socket = await raw(`/tenders/${id}/documents`, given, bytes);
      const response = await readAnswer(socket);
      expect(response).toContain('HTTP/1.1 413');
      expect(response).toContain(expected);
      socket.destroy();
    }
    await expectLeft(rows);
  });

  it('422: when the storage fails; the next upload succeeds', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    storage.breaks = true;
    const url = `/tenders/${id}/documents`;
    const response = await sendForm(running.app, 'POST', url, tenderOwner, fileForm(Buffer.alloc(150_000)));
    storage.breaks = false;
    expect([response.statusCode, response.json().errors]).toMatchObject([
      422,
      [{ location: 'body', name: 'data', description: "Can't upload document to document service." }],
    ]);
    // The storage may hold bytes: the row stays for the clean-up.
    expect([await fileRows(), await running.events(id)]).toEqual([rows + 1, []]);
    expect((await running.app.inject({ method: 'GET', url, headers: broker })).json().data).toEqual([]);
    await postDocument(running.app, url, tenderOwner);
  });

  it('403: before a byte is stored', async () => {
    const { id } = await running.tender({ status: 'complete' });
    const puts = storage.puts;
    const url = `/tenders/${id}/documents`;
    expect((await sendForm(running.app, 'POST', url, tenderOwner)).statusCode).toBe(403);
    expect((await sendForm(running.app, 'POST', url, broker)).json().errors[0].name).toBe('permission');
    expect(storage.puts).toBe(puts);
  });

  it('403: when the tender changed during the upload', async () => {
    const { id } = await running.tender();
    const url = `/tenders/${id}/documents`;
    const { put } = storage;
    storage.put = async (...given) => {
      const digest = await put(...given);
      await running.deliverTender(tenderFacts({ id, status: 'active.tendering', version: 2 }));
      return digest;
    };
    const response = await sendForm(running.app, 'POST', url, tenderOwner);
    storage.put = put;
    expect([response.statusCode, response.json().errors[0].description]).toEqual([
      403,
      "Can't add document in current (active.tendering) tender status",
    ]);
    expect((await running.app.inject({ method: 'GET', url, headers: broker })).json().data).toEqual([]);
  });
});

describe('Expect: 100-continue', () => {
  it('is not answered when the request is refused', async () => {
    const { id } = await running.tender({ status: 'complete' });
    const headers = { ...FORM, 'content-length': '1000', expect: '100-continue' };
    const response = await readAnswer(await raw(`/tenders/${id}/documents`, headers, Buffer.alloc(0)));
    expect(response).toMatch(/^HTTP\/1.1 403 /);
    const unregistered = { ...headers, [IDENTITY_HEADER]: anonymousIdentity()[IDENTITY_HEADER] ?? '' };
    expect(await readAnswer(await raw('/upload', unregistered, Buffer.alloc(0)))).toMatch(/^HTTP\/1.1 401 /);
  });

  it.each([
    ['a form', FORM, fileForm().payload],
    ['bytes', { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a' }, Buffer.from('a')],
  ])('is answered when %s is about to be read', async (_what, headers, body) => {
    const { id } = await running.tender();
    const expecting = { ...headers, 'content-length': String(body.length), expect: '100-continue' };
    const socket = await raw(`/tenders/${id}/documents`, expecting, Buffer.alloc(0));
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    const [second] = await once(socket, 'data');
    expect(String(second)).toMatch(/^HTTP\/1.1 201 /);
    socket.destroy();
  });
});

describe('unusual uploads', () => {
  it.each([
    ['a form without that part', buildForm({ disposition: 'name="other"; filename="a.pdf"', content: 'a' }), 404],
    ['a part without a file name', buildForm({ disposition: 'name="file"', content: 'a' }), 404],
    ['a file name that is only a path', buildForm({ disposition: 'name="file"; filename="../.."', content: 'a' }), 404],
    ['an undecodable file name', buildForm({ disposition: 'name="file"; filename*=utf-8\'\'%FF', content: 'a' }), 422],
    ['a malformed form', { headers: FORM, payload: Buffer.from('nonsense') }, 422],
    ['an empty body', { headers: FORM, payload: Buffer.alloc(0) }, 422],
    ['no boundary', { headers: { 'content-type': 'multipart/form-data' }, payload: Buffer.from('a') }, 422],
    ['a text part above the limit', buildForm({ disposition: 'name="a"', content: 'a'.repeat(70_000) }), 422],
    ['raw bytes without a name', { headers: { 'content-type': 'text/plain' }, payload: Buffer.from('a') }, 404],
    ['a file name above the limit', fileForm('a', `${'a'.repeat(256)}.pdf`), 422],
  ])('%s', async (_title, form, status) => {
    const { id } = await running.tender();
    const puts = storage.puts;
    const response = await sendForm(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, form);
    expect(response.statusCode, response.body).toBe(status);
    if (status === 404) {
      expect(response.json().errors).toMatchObject([{ location: 'body', name: 'file', description: 'Not Found' }]);
    }
    expect(storage.puts).toBe(puts);
  });

  it('201: an empty file', async () => {
    const { id } = await running.tender();
    const document = await postDocument(running.app, `/tenders/${id}/documents`, tenderOwner, fileForm(''));
    expect(document.hash).toBe('md5:d41d8cd98f00b204e9800998ecf8427e');
    const { pathname, search } = new URL(document.url);
    const response = await running.app.inject({ method: 'GET', url: pathname + search, headers: broker });
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  it('201: the first part `file` of a form counts, at any position', async () => {
    const { id } = await running.tender();
    const form = buildForm(
      { disposition: 'name="note"', content: 'a word' },
      { disposition: 'name="other"; filename="b.pdf"', content: 'not this one' },
      { disposition: 'name="file"; filename="a"', content: 'this one' },
      { disposition: 'name="file"; filename="c.pdf"', content: 'nor this one' },
    );
    const document = await postDocument(running.app, `/tenders/${id}/documents`, tenderOwner, form);
    expect(document).toMatchObject({ title: 'a', format: 'application/octet-stream' });
    const { pathname, search } = new URL(document.url);
    expect((await running.app.inject({ method: 'GET', url: pathname + search, headers: broker })).body).toBe(
      'this one',
    );
  });

  it('201: raw bytes with a name', async () => {
    const { id } = await running.tender();
    const headers = {
      ...tenderOwner,
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=utf-8''%D1%83.pdf",
    };
    const response = await running.app.inject({
      method: 'POST',
      url: `/tenders/${id}/documents`,
      headers,
      payload: 'a',
    });
    expect([response.statusCode, response.json().data.title]).toEqual([201, 'у.pdf']);
  });
});
