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
  onAnswer: (watched: Watched) => Promise<void>;
  close(): void;
}

export async function watchGateway(gatewayUrl: string): Promise<WatchedGateway> {
  const server = createServer((request, response) => {
    // A gateway that is away, or a component that has been killed: the connection breaks, as without the proxy.
    forward(request, response).catch(() => request.socket.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const { authorization, 'content-type': type } = headers;
    const answer = await fetch(gatewayUrl + path, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body.length === 0 ? {} : { body }),
    });
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
    onAnswer: async () => undefined,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return watched;
}
