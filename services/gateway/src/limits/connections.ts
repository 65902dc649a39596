import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { unavailable } from '@procurement/contracts/problems/problems';
import { clientNetwork } from './client-network.ts';
import { endWithProblem } from './client-error.ts';
import type { Counter } from './counter.ts';

export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** Connections by address. */
  readonly connections: Counter;
  /** Many clients share the address of a proxy, so it is not counted. */
  isTrustedProxy(address: string | undefined): boolean;
}

/** Refuses connections beyond those of an address and of all with 503. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const remoteAddress = socket.remoteAddress ?? '';
    const isCounted = !limits.isTrustedProxy(remoteAddress);
    const address = clientNetwork(remoteAddress);
    if (open >= limits.connectionsMax || (isCounted && !limits.connections.enter(address))) {
      endWithProblem(socket, unavailable(5));
      socket.destroySoon();
      return;
    }
    open += 1;
    socket.once('close', () => {
      open -= 1;
      if (isCounted) limits.connections.leave(address);
    });
  });
}

/**
 * Disconnects a client that makes no progress. Node reports a socket on which nothing moved for `CLIENT_IDLE_MS`; it is cut when the
 * client is the one who is waited for: its body has not arrived though it is being read, or it does not take its answer. Otherwise the
 * gateway waits for a service, and the client for the gateway.
 */
export function cutWhenStalled(request: IncomingMessage, response: ServerResponse, isBodyRead: () => boolean): void {
  response.on('timeout', (socket: Socket) => {
    const owesBody = !request.complete && request.readableLength === 0 && isBodyRead();
    if (owesBody || response.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });
}

/** How long the rest of a body is read after its response, so that the client gets to read that. */
const DRAIN_MS_MAX = 5_000;

/** Ends the connection of a client that goes on sending a body after it was answered. */
export function boundDraining(
  request: Pick<IncomingMessage, 'complete' | 'once'> & { readonly socket: Socket | null },
): void {
  // Null once the connection has ended: Node detaches it, against the type of the library.
  const { socket } = request;
  if (request.complete || socket === null || socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS_MAX);
  timer.unref();
  const stop = (): void => {
    clearTimeout(timer);
    // The connection may live on for many requests.
    socket.off('close', stop);
  };
  request.once('end', stop);
  socket.once('close', stop);
}
