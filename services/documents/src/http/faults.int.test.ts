import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/document-facts.ts';
import { StorageError, type FileStorage } from '../files/file-storage.ts';
import { folderStorage } from '../files/folder-storage.ts';
import { broker, fileForm, formOf, postDocument, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

const FILE_BYTES_MAX = 200_000;

/** A store in which the next put can be told to fail after its first bytes. */
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
      throw new StorageError('the disk is gone');
    },
  };
  return store;
}

let running: RunningDocuments;
let storage: ReturnType<typeof failingStorage>;

beforeAll(async () => {
  running = await startDocuments({
    settings: { MAX_FILE_BYTES: String(FILE_BYTES_MAX), UPLOAD_IDLE_MS: '300', UPLOAD_MS_MAX: '5000' },
  });
  storage = failingStorage(running.folder);
  Object.assign(running.deps, { fileStorage: storage });
});

afterAll(async () => {
  await running.close();
});

async function fileRows(): Promise<number> {
  const { rows } = await running.database.pool.query('SELECT count(*)::int AS count FROM file');
  return rows[0].count;
}

/** Files that nobody finished: names in the folder where they are put aside. */
function temporaryFiles(): string[] {
  return readdirSync(join(running.folder, 'tmp'));
}

/** A request written byte for byte: what a client does that does not keep to what it said. */
async function raw(path: string, headers: Record<string, string>, body: Buffer): Promise<Socket> {
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname);
  const identity = tenderOwner[IDENTITY_HEADER] ?? '';
  const lines = Object.entries({ host: 'documents', [IDENTITY_HEADER]: identity, ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(body);
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
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

/** The beginning of a form whose end never comes. */
function beginning(bytes: number): Buffer {
  const { payload } = fileForm(Buffer.alloc(bytes, 'x'));
  return payload.subarray(0, payload.length - 30);
}
const { headers: FORM } = fileForm();

describe('an upload that goes wrong leaves neither a record nor a file', () => {
  it('when the client goes away in the middle', async () => {
    const { id } = await running.tender();
    const [rows, puts] = [await fileRows(), storage.puts];
    const body = beginning(100_000);
    const socket = await raw(`/tenders/${id}/documents`, { ...FORM, 'content-length': '150000' }, body);
    await waitFor(() => storage.puts > puts, { what: 'the upload to begin' });
    await waitFor(() => temporaryFiles().length > 0, { what: 'the file put aside' });
    socket.destroy();
    await waitFor(() => temporaryFiles().length === 0, { what: 'the file to be removed' });
    await waitFor(async () => (await fileRows()) === rows, { what: 'its row to be removed' });
    expect(await running.events(id)).toEqual([]);
  });

  it('408: when it stalls, having promised more than it sends', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const body = beginning(1_000);
    const socket = await raw(`/tenders/${id}/documents`, { ...FORM, 'content-length': '100000' }, body);
    const answer = await answerOf(socket);
    expect(answer).toContain('HTTP/1.1 408');
    expect(answer).toContain('{"location":"url","name":"request_timeout","description":"Request Timeout"}');
    socket.destroy();
    expect([await fileRows(), temporaryFiles()]).toEqual([rows, []]);
  });

  it('422: when the form ends before its boundary', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const body = beginning(1_000);
    const form = { headers: FORM, payload: body };
    const answer = await sendForm(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, form);
    expect([answer.statusCode, answer.json().errors[0].description]).toEqual([422, 'could not decode params']);
    expect([await fileRows(), temporaryFiles()]).toEqual([rows, []]);
  });

  it.each([
    ['a form', { ...FORM }, fileForm(Buffer.alloc(FILE_BYTES_MAX + 1)).payload],
    [
      'bytes',
      { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a' },
      Buffer.alloc(FILE_BYTES_MAX + 1),
    ],
  ])('413: when %s is longer than a file may be, with and without having said so', async (_title, headers, body) => {
    const { id } = await running.tender();
    const rows = await fileRows();
    const expected = '{"location":"body","name":"file","description":"Request Entity Too Large"}';
    const said = { ...headers, 'content-length': String(body.length) };
    const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
    const unsaid = { ...headers, 'transfer-encoding': 'chunked' };
    for (const [given, bytes] of [
      [said, body],
      [unsaid, chunked],
    ] as const) {
      const socket = await raw(`/tenders/${id}/documents`, given, bytes);
      const answer = await answerOf(socket);
      expect(answer).toContain('HTTP/1.1 413');
      expect(answer).toContain(expected);
      socket.destroy();
    }
    expect([await fileRows(), temporaryFiles()]).toEqual([rows, []]);
  });

  it('502: when the store breaks in the middle; the next one is well again', async () => {
    const { id } = await running.tender();
    const rows = await fileRows();
    storage.breaks = true;
    const url = `/tenders/${id}/documents`;
    const answer = await sendForm(running.app, 'POST', url, tenderOwner, fileForm(Buffer.alloc(150_000)));
    storage.breaks = false;
    expect([answer.statusCode, answer.json().errors]).toEqual([
      502,
      [{ location: 'body', name: 'data', description: "Can't upload document to document service." }],
    ]);
    // What the store kept is not known: the row stays, for the clean-up to look.
    expect([await fileRows(), await running.events(id)]).toEqual([rows + 1, []]);
    expect((await running.app.inject({ method: 'GET', url, headers: broker })).json().data).toEqual([]);
    await postDocument(running.app, url, tenderOwner);
  });

  it('403: before a byte of it is stored, when it must be refused', async () => {
    const { id } = await running.tender({ status: 'complete' });
    const puts = storage.puts;
    const url = `/tenders/${id}/documents`;
    expect((await sendForm(running.app, 'POST', url, tenderOwner)).statusCode).toBe(403);
    expect((await sendForm(running.app, 'POST', url, broker)).json().errors[0].name).toBe('permission');
    expect(storage.puts).toBe(puts);
  });

  it('403: when the tender has moved on while it came', async () => {
    const { id } = await running.tender();
    const url = `/tenders/${id}/documents`;
    const { put } = storage;
    storage.put = async (...given) => {
      const digest = await put(...given);
      await running.deliverTender(tenderFacts({ id, status: 'active.tendering', version: 2 }));
      return digest;
    };
    const answer = await sendForm(running.app, 'POST', url, tenderOwner);
    storage.put = put;
    expect([answer.statusCode, answer.json().errors[0].description]).toEqual([
      403,
      "Can't add document in current (active.tendering) tender status",
    ]);
    expect((await running.app.inject({ method: 'GET', url, headers: broker })).json().data).toEqual([]);
  });
});

describe('what is no upload', () => {
  it.each([
    ['a form without that part', formOf({ disposition: 'name="other"; filename="a.pdf"', content: 'a' }), 404],
    ['a part without a name of its file', formOf({ disposition: 'name="file"', content: 'a' }), 404],
    ['a name that is only a way', formOf({ disposition: 'name="file"; filename="../.."', content: 'a' }), 404],
    ['a name that cannot be read', formOf({ disposition: 'name="file"; filename*=utf-8\'\'%FF', content: 'a' }), 422],
    ['no form at all', { headers: FORM, payload: Buffer.from('nonsense') }, 422],
    ['nothing', { headers: FORM, payload: Buffer.alloc(0) }, 422],
    ['no boundary', { headers: { 'content-type': 'multipart/form-data' }, payload: Buffer.from('a') }, 422],
    ['too many words', formOf({ disposition: 'name="a"', content: 'a'.repeat(70_000) }), 422],
    ['bytes without a name', { headers: { 'content-type': 'text/plain' }, payload: Buffer.from('a') }, 404],
    ['too long a name', fileForm('a', `${'a'.repeat(256)}.pdf`), 422],
  ])('%s', async (_title, form, status) => {
    const { id } = await running.tender();
    const puts = storage.puts;
    const answer = await sendForm(running.app, 'POST', `/tenders/${id}/documents`, tenderOwner, form);
    expect(answer.statusCode, answer.body).toBe(status);
    if (status === 404) {
      expect(answer.json().errors).toEqual([{ location: 'body', name: 'file', description: 'Not Found' }]);
    }
    expect(storage.puts).toBe(puts);
  });

  it('an empty file is one', async () => {
    const { id } = await running.tender();
    const document = await postDocument(running.app, `/tenders/${id}/documents`, tenderOwner, fileForm(''));
    expect(document.hash).toBe('md5:d41d8cd98f00b204e9800998ecf8427e');
    const { pathname, search } = new URL(document.url);
    const answer = await running.app.inject({ method: 'GET', url: pathname + search, headers: broker });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  });

  it('only the first file of a form counts, wherever it stands', async () => {
    const { id } = await running.tender();
    const form = formOf(
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

  it('bytes with a name are a document', async () => {
    const { id } = await running.tender();
    const headers = {
      ...tenderOwner,
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=utf-8''%D1%83.pdf",
    };
    const answer = await running.app.inject({ method: 'POST', url: `/tenders/${id}/documents`, headers, payload: 'a' });
    expect([answer.statusCode, answer.json().data.title]).toEqual([201, 'у.pdf']);
  });
});
