import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startS3Server } from '@procurement/testing/s3-server';

/** An object store that may be full: it refuses every write then, and can still be read. */
export interface Store {
  /** Settings with which a service uses this store, by the name of its setting for the address. */
  settings(name: 'STORAGE' | 'LEDGER_STORE'): Readonly<Record<string, string>>;
  isFull: boolean;
  /** Ends it as a crash does: whoever waits for an answer gets none, whether the write was stored or not. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const FULL =
  '<?xml version="1.0"?><Error><Code>XMinioStorageFull</Code><Message>Storage backend is full</Message></Error>';
const WRITES: ReadonlySet<string> = new Set(['PUT', 'POST']);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders | { readonly 'content-type': string };
  readonly body: Buffer | string;
}

/**
 * Starts an object store, and a proxy before it. s3rver changes objects in place, which no store of an installation does: so it gets
 * whole bodies only, one request for an object at a time, and none is under way when it ends.
 */
export async function openStore(): Promise<Store> {
  const s3 = await startS3Server();
  const { endpoint, bucket, accessKey, secretKey, region } = s3;
  const busy = new Map<string, Promise<unknown>>();
  let isRunning = true;

  /** Undefined: nobody answers. */
  async function fetchAnswer(incoming: IncomingMessage, body: Buffer): Promise<Answer | undefined> {
    if (!isRunning) return undefined;
    if (store.isFull && WRITES.has(incoming.method ?? ''))
      return { status: 507, headers: { 'content-type': 'application/xml' }, body: FULL };
    return forward(endpoint, incoming, body);
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '', endpoint).pathname;
    const body = await buffer(incoming);
    const turn = (busy.get(path) ?? Promise.resolve()).then(async () => fetchAnswer(incoming, body));
    busy.set(
      path,
      turn.catch(() => undefined),
    );
    const answer = await turn;
    if (answer === undefined || !isRunning) response.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const store: Store = {
    settings: (name) => ({
      [name]: `s3:http://127.0.0.1:${port}/${bucket}`,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_REGION: region,
    }),
    isFull: false,
    async kill() {
      isRunning = false;
      server.closeAllConnections();
      await Promise.all(busy.values());
      await s3.kill();
    },
    async start() {
      await s3.start();
      isRunning = true;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await s3.stop();
    },
  };
  return store;
}

async function forward(endpoint: URL, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { hostname, port } = endpoint;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
      buffer(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: text }),
        reject,
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
