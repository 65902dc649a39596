import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { makeIdentityVerifier, type Identity } from '@procurement/kit/http/identity';
import { decodeReads, encodeHead, READS_PATH, type Read } from '@procurement/kit/http/read-frames';
import { publicKeyOf } from '@procurement/kit/runtime/identity-keys';
import { unixSeconds } from '@procurement/kit/runtime/clock';

/** One request as a service behind the gateway received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly identity: Identity | undefined;
  readonly body: string;
}

export interface FakeService {
  readonly url: string;
  /** All requests, oldest first. */
  readonly received: ReceivedRequest[];
  /** Sends the response to a request; tests replace it. */
  respond: (received: ReceivedRequest, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** The private key in the example of RFC 8410. */
export const IDENTITY_PRIVATE_KEY = 'MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC';
export const IDENTITY_SETTINGS = {
  IDENTITY_PRIVATE_KEY,
  IDENTITY_PUBLIC_KEYS: publicKeyOf(IDENTITY_PRIVATE_KEY),
  IDEMPOTENCY_SECRET: 'a secret of at least thirty-two characters',
};

// A fake service accepts identities signed for any service.
const verifiers = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register', 'ledger'].map((service) =>
  makeIdentityVerifier([IDENTITY_SETTINGS.IDENTITY_PUBLIC_KEYS], service),
);

/** A service whose responses a test sets. Listens on a real socket, because proxying is under test. */
export async function fakeService(): Promise<FakeService> {
  const server = createServer((request, response) => {
    // Probes are not part of any test.
    if (request.url === '/live') {
      sendJson(response, 200, '{"live":true}');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === READS_PATH) {
        answerReads(decodeReads(Buffer.concat(chunks)) ?? [], request, response);
        return;
      }
      const header = request.headers['x-identity']?.toString();
      const received: ReceivedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        identity: verifiers
          .map((verify) => verify(header, { method: request.method ?? '', url: request.url ?? '' }, unixSeconds()))
          .find((identity) => identity !== undefined),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      fake.received.push(received);
      fake.respond(received, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a listening TCP server.
  const { port } = server.address() as AddressInfo;
  const fake: FakeService = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    respond: (_received, response) => sendJson(response, 200, '{"data":{}}'),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

/** Answers reads that came together by a request of each to the fake service itself, so that tests see requests as clients sent them. */
function answerReads(reads: readonly Read[], { socket }: IncomingMessage, response: ServerResponse): void {
  const base = { host: '127.0.0.1', port: socket.localPort ?? 0 };
  const answers = reads.map(async ({ target, identity, requestId, ifNoneMatch, ...trace }, index) => {
    const condition = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch };
    const { traceparent, tracestate } = trace;
    const sent = httpRequest({
      ...base,
      path: target,
      headers: {
        'x-identity': identity,
        'x-request-id': requestId,
        traceparent,
        ...(tracestate === undefined ? {} : { tracestate }),
        ...condition,
      },
    }).end();
    response.once('close', () => sent.destroy());
    // `once` rejects with the error of a request that is cut.
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await buffer(answer);
    const revision = Number(/^"(\d+)/.exec(answer.headers.etag ?? '')?.[1] ?? 0);
    const retryAfter = Number(answer.headers['retry-after'] ?? 0);
    const status = answer.statusCode ?? 0;
    const head = encodeHead({ index, isLast: true, status, revision, retryAfter, length: bytes.length });
    response.write(Buffer.concat([head, bytes]));
  });
  Promise.all(answers).then(
    () => response.end(),
    () => response.destroy(),
  );
}

/** Sends compact JSON with its length, as the services do. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
