import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answers. Load generators pipeline 10; browsers and libraries do not pipeline. */
const PIPELINED_MAX = 32;

/**
 * Ends a connection on which more requests arrive than the gateway answers. Node reads and dispatches all pipelined requests at once:
 * 25 connections with 5,000 requests each kept the event loop busy for 7 s.
 *
 * Also closes the responses that wait behind another one when the connection ends. Node emits `close` for the one in front only, and
 * what the others hold (bytes, places of their address) would never be given back.
 *
 * Called after the listeners of requests are set.
 */
export function limitPipelining(server: Server): void {
  // Lists, not sets: V8 makes a new table for a set after a few deletions, and an old one that a collection has promoted keeps the responses
  // that it had, and by them the next table, alive until the next full collection.
  const waitingOf = new WeakMap<Socket, ServerResponse[]>();
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node goes on with the bytes that it has read, after the connection was ended.
    if (socket.destroyed) return;
    const waiting = waitingOf.get(socket) ?? watchEnd(socket);
    waitingOf.set(socket, waiting);
    if (waiting.length >= PIPELINED_MAX) {
      socket.destroy();
      return;
    }
    waiting.push(response);
    // Not once, here and wherever each request is listened to: see garbage.test.ts.
    response.on('close', () => waiting.splice(waiting.indexOf(response), 1));
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** Responses of a connection that wait. */
function watchEnd(socket: Socket): ServerResponse[] {
  const waiting: ServerResponse[] = [];
  socket.once('close', () => {
    // After Node has closed the response in front.
    setImmediate(() => {
      for (const response of waiting.splice(0)) response.destroy().emit('close');
    });
  });
  return waiting;
}
