import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startS3Server } from '@procurement/testing/s3-server';

/** An object store that may be full: it refuses every write then, and can still be read. */
export interface Store {
  /** Settings with which the documents service uses this store. */
  readonly settings: Readonly<Record<string, string>>;
  isFull: boolean;
  close(): Promise<void>;
}

const FULL =
  '<?xml version="1.0"?><Error><Code>XMinioStorageFull</Code><Message>Storage backend is full</Message></Error>';
const WRITES: ReadonlySet<string> = new Set(['PUT', 'POST']);

/** Starts an object store, and a proxy before it. */
export async function openStore(): Promise<Store> {
  const { endpoint, bucket, accessKey, secretKey, region, stop } = await startS3Server();
  const server = createServer((incoming, response) => {
    if (store.isFull && WRITES.has(incoming.method ?? '')) refuse(incoming, response);
    else forward(endpoint, incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const store: Store = {
    settings: {
      STORAGE: `s3:http://127.0.0.1:${port}/${bucket}`,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_REGION: region,
    },
    isFull: false,
    async close() {
      server.close();
      server.closeAllConnections();
      await stop();
    },
  };
  return store;
}

function refuse(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume().once('end', () => response.writeHead(507, { 'content-type': 'application/xml' }).end(FULL));
}

function forward({ hostname, port }: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  incoming.pipe(outgoing);
}
