import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on which bytes take some time, as to one on another machine. */
export interface SlowWay {
  /** Address of the server by this way. */
  readonly url: string;
  /** Lets bytes take so long from now on, each way. */
  takes(ms: number): void;
  close(): void;
}

export async function openSlowWay(serverUrl: string, ms: number): Promise<SlowWay> {
  const { hostname, port } = new URL(serverUrl);
  let wayMs = ms;

  function pass(from: Socket, to: Socket): void {
    let arrivesAt = 0;
    from.on('data', (bytes) => {
      // Bytes do not overtake those before them when the way gets shorter.
      arrivesAt = Math.max(arrivesAt, performance.now() + wayMs);
      setTimeout(() => to.write(bytes), arrivesAt - performance.now());
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  }

  const proxy = createServer((client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    pass(client.setNoDelay(), server);
    pass(server, client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(serverUrl);
  // Safe cast: it listens on TCP.
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    takes(next) {
      wayMs = next;
    },
    close: () => proxy.close(),
  };
}
