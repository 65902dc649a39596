import type { Socket } from 'node:net';
import { problem, problemBody } from '@procurement/contracts/problems/problems';
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
  const failure = problem(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request.timeout' : 'request.bad');
  const body = JSON.stringify(problemBody(failure));
  const phrase = failure.status === 408 ? 'Request Timeout' : 'Bad Request';
  const head = [
    `HTTP/1.1 ${failure.status} ${phrase}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
