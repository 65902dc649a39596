import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../runtime/log.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startS3Server, type S3Server } from '@procurement/testing/s3-server';
import { prepareStorage } from './prepare-storage.ts';
import { digestSource } from './digest-source.ts';
import { MissingFileError, StorageError, type FileStorage } from './file-storage.ts';
import { folderStorage } from './folder-storage.ts';
import { readUrl } from './read-file-url.ts';
import { PART_BYTES, s3Storage } from './s3-storage.ts';

let folder: string;
let server: S3Server;
const stores: Record<string, FileStorage> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-store-'));
  server = await startS3Server();
  stores['folder'] = folderStorage(folder);
  stores['s3'] = s3Storage(server);
  if (GIVEN === '') return;
  const { origin, pathname, username, password } = new URL(GIVEN);
  const [accessKey, secretKey] = [decodeURIComponent(username), decodeURIComponent(password)];
  const endpoint = new URL(origin);
  const given = s3Storage({ endpoint, bucket: pathname.slice(1), accessKey, secretKey, region: 'us-east-1' });
  await given.prepare();
  stores['given s3'] = given;
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function requireStore(name: string): FileStorage {
  const store = stores[name];
  if (store === undefined) throw new Error(`no store ${name}`);
  return store;
}

let count = 0;
function newKey(): string {
  count += 1;
  return `files/${count}`;
}

const CHUNK = 65_536;

/** Bytes that differ from chunk to chunk, in chunks of the size of a socket's. */
async function* generateBytes(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += CHUNK) {
    const chunk = Buffer.alloc(Math.min(CHUNK, size - at), at.toString(36));
    yield chunk;
  }
}

async function hashChunks(source: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of source) hash.update(chunk);
  return hash.digest('hex');
}

async function* streamText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Stands before the S3 server, and answers 403 to puts. */
async function failingProxy() {
  const failed: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    if (method === 'PUT') {
      failed.push(method);
      incoming.resume().on('end', () => outgoing.writeHead(403).end());
      return;
    }
    const passed = request(new URL(url, server.endpoint), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    failed,
    stop: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

const SIZES = [0, 1, 100_000, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, 3 * PART_BYTES + 12_345];
/** `http://key:secret@host:9000/bucket` of an S3 server that checks what s3rver does not (platform.md 4.2). */
const GIVEN = process.env['TEST_S3_URL'] ?? '';
const NAMES = ['folder', 's3', ...(GIVEN === '' ? [] : ['given s3'])];

describe.each(NAMES)('%s storage', (name) => {
  it.each(SIZES)('returns %d bytes unchanged', async (size) => {
    const [storage, key] = [requireStore(name), newKey()];
    const expected = await hashChunks(generateBytes(size));
    const digest = await storage.put(key, 'application/pdf', digestSource(generateBytes(size), size));
    expect(digest).toMatchObject({ bytes: size, md5: expected });
    expect(digest.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await storage.head(key)).toEqual({ bytes: size });
    if (size === 0) return;
    expect(await hashChunks(await readUrl(await storage.url(key)))).toBe(expected);
    const range = { from: Math.floor(size / 2), to: size - 1 };
    const part = await hashChunks(await readUrl(await storage.url(key), { range }));
    const all: Buffer[] = [];
    for await (const chunk of generateBytes(size)) all.push(chunk);
    expect(part).toBe(createHash('md5').update(Buffer.concat(all).subarray(range.from)).digest('hex'));
  });

  it('is prepared any number of times, by several replicas at once', async () => {
    const storage = requireStore(name);
    await Promise.all([storage.prepare(), storage.prepare(), storage.prepare()]);
    await storage.prepare();
    expect(await storage.head(newKey())).toBeUndefined();
  });

  it.each([1_000, 2 * PART_BYTES + 1])('stores nothing of %d bytes when the source fails', async (size) => {
    const [storage, key] = [requireStore(name), newKey()];
    async function* broken(): AsyncGenerator<Buffer> {
      yield* generateBytes(size - 1);
      throw new Error('the client disconnected');
    }
    await expect(storage.put(key, 'text/plain', digestSource(broken(), size))).rejects.toThrow(
      'the client disconnected',
    );
    expect(await storage.head(key)).toBeUndefined();
  });

  it.each([1_000, 2 * PART_BYTES + 1])('stores nothing of %d bytes that are not the expected file', async (size) => {
    const [storage, key] = [requireStore(name), newKey()];
    const refuse = (): void => {
      throw new Error('another file');
    };
    await expect(storage.put(key, 'text/plain', digestSource(generateBytes(size), size, refuse))).rejects.toThrow(
      'another file',
    );
    expect(await storage.head(key)).toBeUndefined();
  });

  it('stops at the byte beyond the limit', async () => {
    const [storage, key] = [requireStore(name), newKey()];
    const source = digestSource(generateBytes(1_001), 1_000);
    await expect(storage.put(key, 'text/plain', source)).rejects.toThrow('file.too-large');
    expect(await storage.head(key)).toBeUndefined();
  });

  it('removes a file, and ignores a file that does not exist', async () => {
    const [storage, key] = [requireStore(name), newKey()];
    await storage.put(key, 'text/plain', digestSource(generateBytes(10), 10));
    await storage.remove(key);
    await storage.remove(key);
    expect(await storage.head(key)).toBeUndefined();
    await expect(readUrl(await storage.url(key))).rejects.toBeInstanceOf(MissingFileError);
  });
});

describe('folder storage', () => {
  it('refuses keys of another form', async () => {
    for (const key of ['../secret', 'files/../../x', '/etc/passwd', `files/aa/${'a'.repeat(31)}/`, 'tmp/x']) {
      await expect(requireStore('folder').url(key)).rejects.toThrow('invalid storage key');
      await expect(requireStore('folder').remove(key)).rejects.toThrow('invalid storage key');
    }
  });

  it('leaves no temporary file, and removes those of a crashed process', async () => {
    const temporary = join(folder, 'tmp');
    expect(readdirSync(temporary)).toEqual([]);
    const [old, young] = [join(temporary, 'old'), join(temporary, 'young')];
    for (const path of [old, young]) writeFileSync(path, 'half');
    const threeHoursAgo = Date.now() / 1_000 - 3 * 3_600;
    utimesSync(old, threeHoursAgo, threeHoursAgo);
    await requireStore('folder').removeAbandoned();
    expect(readdirSync(temporary)).toEqual(['young']);
    rmSync(young);
  });
});

describe('S3 storage', () => {
  it('throws StorageError when the server is killed during a put, and stores nothing', async () => {
    const dying = await startS3Server();
    try {
      const storage = s3Storage(dying);
      async function* bytes(): AsyncGenerator<Buffer> {
        yield* generateBytes(2 * PART_BYTES);
        await dying.kill();
        yield* generateBytes(2 * PART_BYTES);
      }
      const source = digestSource(bytes(), 10 * PART_BYTES);
      await expect(storage.put(newKey(), 'text/plain', source)).rejects.toBeInstanceOf(StorageError);
      await expect(storage.head(newKey())).rejects.toBeInstanceOf(StorageError);
    } finally {
      await dying.stop();
    }
  });

  it.each([
    [{ replaces: true }, 'old'],
    [{}, undefined],
  ])('after a put that cannot be confirmed, with %j, has %j', async (options, left) => {
    const [key, proxy] = [newKey(), await failingProxy()];
    try {
      const put = async (storage: FileStorage, text: string) =>
        storage.put(key, 'text/plain', digestSource(streamText(text), 100), options);
      await put(requireStore('s3'), 'old');
      await expect(put(s3Storage({ ...server, endpoint: proxy.endpoint }), 'new')).rejects.toBeInstanceOf(StorageError);
      expect(proxy.failed).toEqual(['PUT']);
      expect(await requireStore('s3').head(key)).toEqual(left === undefined ? undefined : { bytes: left.length });
    } finally {
      await proxy.stop();
    }
  });

  it('makes presigned addresses with an expiry', async () => {
    const key = newKey();
    await requireStore('s3').put(key, 'text/plain', digestSource(generateBytes(10), 10));
    const url = await requireStore('s3').url(key);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('300');
    expect(url.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(url.pathname).toBe(`/${server.bucket}/${key}`);
  });
});

describe('a store without the bucket', () => {
  it('has it after it was prepared', async () => {
    const storage = s3Storage({ ...server, bucket: 'made-at-start' });
    const put = async () => storage.put(newKey(), 'text/plain', digestSource(generateBytes(10), 10));
    await expect(put()).rejects.toThrow(StorageError);
    await Promise.all([storage.prepare(), storage.prepare()]);
    expect((await put()).bytes).toBe(10);
  });

  it('is prepared as soon as it responds', async () => {
    let calls = 0;
    const prepare = async (): Promise<void> => {
      calls += 1;
      if (calls < 3) throw new StorageError('no response from the bucket');
    };
    const fileStorage = { ...requireStore('folder'), prepare };
    await prepareStorage({ fileStorage, log: makeLog('test', 'fatal'), retryMs: 10 }, () => false);
    expect(calls).toBe(3);
  });
});
