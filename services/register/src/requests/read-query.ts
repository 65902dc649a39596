import { secondsText } from '@procurement/domain/feed-offset';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readParameters, type ParametersOf, type ParameterTable, type ReadingOptions } from './domain/parameters.ts';

/** The parameters of a request. Throws the refusals of `readParameters`. */
export function readQuery<T extends ParameterTable>(
  request: FastifyRequest,
  table: T,
  options: ReadingOptions = {},
): ParametersOf<T> {
  const reading = readParameters(queryText(request), table, options);
  if ('refused' in reading) throw new ProblemError(reading.refused);
  return reading.parameters;
}

/** The parameters as they were sent. */
export function parseQuery(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(queryText(request));
}

function queryText({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Sends JSON that contains every publication up to a position (register.md 3.4). */
export function sendJsonAt(reply: FastifyReply, position: bigint, json: string | Buffer): FastifyReply {
  return sendJson(reply.header('x-feed-position', secondsText(position)), 200, json);
}
