import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of a component, which the gateway has answered and the component does not know yet. */
export interface Watched {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

/** The gateway behind a proxy that holds each answer until `onAnswer` has ended. */
export interface WatchedGateway {
  readonly url: string;
  /** Requests that are sent twice at the same time, as by two components that do not know of each other. */
  isDoubled: (request: Pick<Watched, 'method' | 'path'>) => boolean;
  onAnswer: (watched: Watched) => Promise<void>;
  close(): void;
}

const FORWARDED = ['authorization', 'content-type', 'idempotency-key'] as const;

export async function watchGateway(gatewayUrl: string): Promise<WatchedGateway> {
  const server = createServer((request, response) => {
    // A gateway that is away, or a component that has been killed: the connection breaks, as without the proxy.
    forward(request, response).catch(() => request.socket.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const sent = FORWARDED.flatMap((name): [string, string][] => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    });
    const send = async (): Promise<Response> =>
      fetch(gatewayUrl + path, { method, headers: sent, ...(body.length === 0 ? {} : { body }) });
    const [answer] = await Promise.all(watched.isDoubled({ method, path }) ? [send(), send()] : [send()]);
    const answered = Buffer.from(await answer.arrayBuffer());
    const { status } = answer;
    await watched.onAnswer({ method, path, body: body.toString(), status });
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end(answered);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on TCP.
  const { port } = server.address() as AddressInfo;
  const watched: WatchedGateway = {
    url: `http://127.0.0.1:${port}`,
    isDoubled: () => false,
    onAnswer: async () => undefined,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return watched;
}
