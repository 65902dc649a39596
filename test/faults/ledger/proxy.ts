import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `cut`: connections break, and new ones are refused. `stalled`: nothing is forwarded. `slow`: every piece comes later.
 * `deaf`: nothing reaches the server, and its answers arrive: a consumer applies events whose acknowledgements are lost.
 */
export type LinkState = 'open' | 'cut' | 'stalled' | 'slow' | 'deaf';

/** A TCP proxy before the processes of one service, which it uses in turns. */
export interface Link {
  readonly port: number;
  /** Ports of the processes. One that refuses a connection is passed over. */
  targets: readonly number[];
  /** Every change of state but those to and from `slow` breaks what was begun in the state before, where bytes were lost. */
  become(state: LinkState): void;
  close(): void;
}

const SLOW_MS = 40;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Opens a proxy on a free port. */
export async function openLink(): Promise<Link> {
  const pairs = new Set<Pair>();
  let state: LinkState = 'open';
  let turn = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (state === 'cut') return void client.destroy();
    turn += 1;
    reach(
      client,
      link.targets.map((_, n) => link.targets[(turn + n) % link.targets.length] ?? 0),
    );
  });

  function reach(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
    upstream.once('connect', () => pair(client, upstream));
    upstream.once('error', () => {
      if (upstream.pending) reach(client, others);
    });
  }

  function pair(client: Socket, upstream: Socket): void {
    const one = { client, server: upstream };
    pairs.add(one);
    forward(client, upstream, () => state === 'deaf');
    forward(upstream, client, () => false);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        pairs.delete(one);
        client.destroy();
        upstream.destroy();
      });
    }
    if (state === 'stalled') for (const socket of [client, upstream]) socket.pause();
  }

  function forward(from: Socket, to: Socket, drops: () => boolean): void {
    let freeAt = 0;
    const write = (chunk: Buffer): void => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => {
        if (state !== 'stalled') from.resume();
      });
    };
    from.on('data', (chunk: Buffer) => {
      if (drops()) return;
      const now = performance.now();
      // A later piece never overtakes one that waits.
      freeAt = Math.max(freeAt, state === 'slow' ? now + SLOW_MS : now);
      if (freeAt <= now) write(chunk);
      else setTimeout(() => write(chunk), freeAt - now);
    });
    from.on('end', () => setTimeout(() => to.end(), Math.max(0, freeAt - performance.now())));
  }

  const link: Link = {
    port: 0,
    targets: [],
    become(next) {
      const before = state;
      state = next;
      for (const { client, server: upstream } of pairs) {
        if (next === 'cut' || before === 'deaf') client.destroy();
        else if (next === 'stalled') for (const socket of [client, upstream]) socket.pause();
        else if (before === 'stalled') for (const socket of [client, upstream]) socket.resume();
      }
    },
    close() {
      server.close();
      for (const { client } of pairs) client.destroy();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address of this form.
  return Object.assign(link, { port: (server.address() as AddressInfo).port });
}
