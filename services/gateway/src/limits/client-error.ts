import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { JSON_TYPE, problemText } from '@procurement/kit/http/server';
import { explainsErrors, splitTarget } from '../request/request-target.ts';

/**
 * Answers a request that Node cannot parse (broken syntax, an unknown method, too many header bytes, endless headers) in the error
 * format of the API, and closes the connection. There is no request object yet, so the response is written to the socket.
 */
export function handleClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
  refusalOfMethod: (method: string, path: string) => Problem | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endWithProblem(socket, problem('request.timeout'));
    return;
  }
  const line = error.code === 'HPE_INVALID_METHOD' ? requestLine(error.rawPacket) : undefined;
  const refusal = line === undefined ? undefined : refusalOfMethod(line.method, splitTarget(line.target).path);
  endWithProblem(socket, refusal ?? problem('request.bad'), explainsErrors(line?.target ?? ''));
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) (\/[!-~]{0,8000}) HTTP\/1\.[01]\r\n/;
const REQUEST_LINE_BYTES_MAX = 8_192;

/** The first line of a request whose method Node's parser does not know; undefined if the packet does not begin with one. */
function requestLine(packet: unknown): { readonly method: string; readonly target: string } | undefined {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, REQUEST_LINE_BYTES_MAX) : '';
  const [, method, target] = REQUEST_LINE.exec(text) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
}

/** Answers on the socket itself, where there is no request object, and closes the connection. */
export function endWithProblem(socket: Socket, failure: Problem, explainsErrors = false): void {
  const body = problemText({ explainsErrors }, failure);
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
