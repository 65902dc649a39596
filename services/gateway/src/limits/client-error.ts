import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, problemBody, type Problem } from '@procurement/contracts/problems/problems';
import { JSON_TYPE } from '@procurement/kit/http/server';

/**
 * Answers a request that Node cannot parse (broken syntax, too many header bytes, endless headers) in the error format of the API,
 * and closes the connection. There is no request object yet, so the response is written to the socket.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWithProblem(socket, problem(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request.timeout' : 'request.bad'));
}

/** Answers on the socket itself, where there is no request object, and closes the connection. */
export function endWithProblem(socket: Socket, failure: Problem): void {
  const body = JSON.stringify(problemBody(failure));
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    ...failure.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    `${[`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}`, ...lines].join('\r\n')}\r\n\r\n${body}`,
  );
}
