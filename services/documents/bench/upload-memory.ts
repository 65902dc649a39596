/**
 * How much memory an upload of 1 GiB takes: the service as a process of its own, on an embedded PostgreSQL and a real
 * nats-server, storing in a folder and in an S3. Prints its resident growth; the bar is 50 MB (architecture.md).
 *
 * npx tsx --conditions=source services/documents/bench/upload-memory.ts [MiB]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streams } from '@procurement/contracts/events/subjects';
import { eventSubject } from '@procurement/contracts/events/envelope';
import { IDENTITY_HEADER, makeIdentitySigner } from '@procurement/kit/http/identity';
import { publicKeyOf } from '@procurement/kit/runtime/identity-keys';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { freshBus } from '@procurement/testing/bus';
import { setup, teardown } from '@procurement/testing/global-setup';
import { waitFor } from '@procurement/testing/wait-for';
import { ensureStream } from '@procurement/kit/messaging/streams';
import { openBus } from '@procurement/kit/messaging/bus';
import { makeLog } from '@procurement/kit/runtime/log';
import { tenderFacts, TOKENS } from '../test-support/document-facts.ts';
import { buildEvent } from '../test-support/events.ts';
import { startS3Server } from '@procurement/testing/s3-server';

let version = 0;
const MIB = 1024 * 1024;
const size = Number(process.argv[2] ?? 1024) * MIB;
const secret = 'a secret of this bench, and of it only';
const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64');
const sign = makeIdentitySigner(privateKey);
const folder = mkdtempSync(join(tmpdir(), 'procurement-bench-'));

// The servers of the integration tests.
let databaseUrl = '';
const project = { provide: (_name: string, value: string) => (databaseUrl = value) };
await setup(project as unknown as Parameters<typeof setup>[0]);
const nats = await freshBus();
const s3 = await startS3Server();

const storages = {
  folder: { STORAGE: `folder:${join(folder, 'files')}` },
  s3: {
    STORAGE: `s3:${s3.endpoint.origin}/${s3.bucket}`,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
  },
};

try {
  for (const [name, storage] of Object.entries(storages)) await measure(name, storage);
} finally {
  await s3.stop();
  await nats.stop();
  await teardown();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, storage: Record<string, string>): Promise<void> {
  const port = 18_084;
  const service = spawn(process.execPath, [new URL('../dist/main.js', import.meta.url).pathname], {
    env: {
      ...process.env,
      ...storage,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      NATS_URL: nats.url,
      IDENTITY_PUBLIC_KEYS: publicKeyOf(privateKey),
      FILE_SECRET: secret,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${base}/ready`)).ok, { what: 'the service', timeoutMs: 30_000 });
    await deliverTender();
    const url = `${base}/tenders/${tenderFacts().id}/documents`;
    await waitFor(async () => (await fetch(url, { headers: identity('GET', url) })).ok, { what: 'the tender' });
    // Warm-up with a small file: code that any request loads once must not count.
    await upload(url, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = residentMb(service);
    let peak = before;
    const watcher = setInterval(() => {
      peak = Math.max(peak, residentMb(service));
    }, 20);
    const startedMs = performance.now();
    const md5 = await upload(url, size);
    const seconds = (performance.now() - startedMs) / 1_000;
    clearInterval(watcher);
    const record = (await (await fetch(url, { headers: identity('GET', url) })).json()) as {
      data: { hash: string; url: string }[];
    };
    const isSame = record.data.at(-1)?.hash === `md5:${md5}`;
    const [readMd5, readPeak] = await read(service, base, record.data.at(-1)?.url ?? '');
    console.log(
      `${name}: ${size / MIB} MiB in ${seconds.toFixed(1)} s (${(size / MIB / seconds).toFixed(0)} MiB/s), ` +
        `resident ${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB: grew by ${(peak - before).toFixed(0)} MB ` +
        `(bar 50); hash ${isSame ? 'right' : 'WRONG'}; read back ${readMd5 === md5 ? 'the same' : 'DIFFERENT'}, ` +
        `at most ${readPeak.toFixed(0)} MB`,
    );
  } finally {
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
  }
}

function identity(method: string, url: string): Record<string, string> {
  const claim = {
    broker: 'broker1',
    group: 'brokers',
    levels: '1234',
    tokenHash: sha256Hex(TOKENS.tender),
    segment: '2.5',
    expires: 4_102_444_800,
  };
  return { [IDENTITY_HEADER]: sign(claim, { audience: 'documents', method, path: new URL(url).pathname }) };
}

async function deliverTender(): Promise<void> {
  const bus = await openBus(nats.url, 'bench', makeLog('bench', 'fatal'));
  await ensureStream(bus, streams.tenders, 1);
  const tender = tenderFacts({ version: (version += 1) });
  const event = buildEvent('tenders', 'tender.changed', tender.id, tender);
  const subject = eventSubject(streams.tenders.name, 'tender.changed', tender.id);
  await waitFor(async () => bus.connection.request(subject, JSON.stringify(event), { timeout: 500 }), {
    what: 'the stream of tenders',
  });
  await bus.close();
}

/** Sends a form of that size with chunked encoding and backpressure. Returns the MD5 of the file. */
async function upload(url: string, bytes: number): Promise<string> {
  const hash = createHash('md5');
  const chunk = Buffer.alloc(256 * 1024, 'any bytes ');
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'POST', headers: { ...identity('POST', url), 'content-type': 'multipart/form-data; boundary=b' } },
      (response) => {
        response.resume();
        if (response.statusCode === 201) response.on('end', () => resolve(hash.digest('hex')));
        else reject(new Error(`status ${response.statusCode}`));
      },
    );
    sending.on('error', reject);
    sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
    let left = bytes;
    const sendNext = (): void => {
      while (left > 0) {
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        left -= part.length;
        hash.update(part);
        if (!sending.write(part)) {
          sending.once('drain', sendNext);
          return;
        }
      }
      sending.end('\r\n--b--\r\n');
    };
    sendNext();
  });
}

async function read(service: ChildProcess, base: string, address: string): Promise<readonly [string, number]> {
  const { pathname, search } = new URL(address);
  const url = base + pathname + search;
  const response = await fetch(url, { headers: identity('GET', url) });
  const hash = createHash('md5');
  let peak = 0;
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    peak = Math.max(peak, residentMb(service));
  }
  return [hash.digest('hex'), peak];
}

/** Resident memory of a process. */
function residentMb({ pid }: ChildProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1_000;
}
