import { rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from './ports.ts';
import type { ServiceOptions } from './service.ts';

/**
 * The socket over which a supervisor hands one service to a second process (`npm run dev -- --only bids`): the client sends the name of
 * the service, the supervisor stops its own process and answers with the options of the service. When the connection closes, for
 * any reason, the supervisor starts its own process again.
 */
export function handoverSocket(dataDir: string): string {
  // Not in `dataDir`: the path of a socket has at most 104 characters.
  return join(tmpdir(), `procurement-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}.sock`);
}

export interface HandoverSource {
  /** Stops a service and answers how it was run. */
  release(service: ServiceName): Promise<ServiceOptions>;
  /** Starts the service again. */
  resume(service: ServiceName): Promise<void>;
}

/** Serves the socket until `close`. The socket belongs to this user; the options hold the secrets of the local installation. */
export async function serveHandover(path: string, source: HandoverSource): Promise<{ close(): void }> {
  rmSync(path, { force: true });
  const taken = new Set<ServiceName>();
  const sockets = new Set<Socket>();
  const onRequest = async (socket: Socket, name: string): Promise<void> => {
    const service = SERVICES.find((one) => one === name);
    if (service === undefined || taken.has(service)) {
      socket.end();
      return;
    }
    taken.add(service);
    const options = await source.release(service);
    const giveBack = (): void => {
      taken.delete(service);
      sockets.delete(socket);
      void source.resume(service);
    };
    if (socket.destroyed) return giveBack();
    socket.once('close', giveBack);
    socket.write(`${JSON.stringify(options)}\n`);
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (data) => void onRequest(socket, data.toString('utf8').trim()));
  });
  const previousMask = process.umask(0o077);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  process.umask(previousMask);
  return {
    close() {
      server.close();
      for (const socket of sockets) {
        socket.removeAllListeners('close');
        socket.destroy();
      }
    },
  };
}

export interface TakenService {
  readonly options: ServiceOptions;
  /** Resolves when the supervisor has ended. */
  readonly supervisorEnded: Promise<void>;
  giveBack(): void;
}

/** Takes a service from the supervisor that serves the socket. Throws if that refuses. */
export async function takeService(path: string, service: ServiceName): Promise<TakenService> {
  const socket = connect(path);
  socket.setEncoding('utf8');
  const supervisorEnded = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    socket.on('data', (data: string) => {
      received += data;
      if (received.endsWith('\n')) resolve(received);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${service} is already run by another npm run dev -- --only`)));
    socket.write(`${service}\n`);
  });
  // The other end of `serveHandover`.
  const options = JSON.parse(text) as ServiceOptions;
  return { options, supervisorEnded, giveBack: () => socket.destroy() };
}
