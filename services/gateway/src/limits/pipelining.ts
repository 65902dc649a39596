import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers. Load generators pipeline 10; browsers and libraries do not pipeline. */
const PIPELINED_MAX = 32;

/**
 * Ends a connection on which more requests arrive than the gateway answers. Node reads and dispatches all pipelined requests at once:
 * 25 connections with 5,000 requests each kept the event loop busy for 10 s. Called after the listeners of requests are set.
 */
export function limitPipelining(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node goes on with the bytes that it has read, after the connection was ended.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINED_MAX) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}
