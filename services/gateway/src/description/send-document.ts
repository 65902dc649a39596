import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '@procurement/kit/http/server';
import { LRUCache } from 'lru-cache';
import { compress, COMPRESS_BYTES_MIN, negotiateCoding } from '../answer/compression.ts';
import { jsonWithBase } from '../answer/public-base.ts';
import { firstHeaderValue } from '../request/request-target.ts';
import { needsFormatting } from '../answer/response-format.ts';

/** One or two addresses of the gateway, with and without compression; clients may send any `Host`. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;

const compressed = promisify(compress);

/**
 * Sends a description. One that changes gets another name. The OpenAPI document has 1 MB: linking, encoding and compressing it
 * for each request cost 10 ms, which 25 clients that read nothing turned into a stall of 200 ms for all others.
 */
export function makeSendDocument({ COMPRESSION }: { readonly COMPRESSION: boolean }) {
  const kept = new LRUCache<string, Buffer>({ maxSize: KEPT_BYTES_MAX, sizeCalculation: ({ length }) => length });

  /** `name`: of the text, one for each. */
  return async (request: FastifyRequest, reply: FastifyReply, name: string, text: string): Promise<FastifyReply> => {
    void reply.header('content-type', JSON_TYPE);
    if (needsFormatting(request.context)) return reply.send(text);
    const coding =
      COMPRESSION && text.length > COMPRESS_BYTES_MIN
        ? negotiateCoding(firstHeaderValue(request.headers['accept-encoding']))
        : undefined;
    const base = request.context.publicBase;
    const key = `${name} ${coding ?? 'identity'} ${base ?? ''}`;
    let bytes = kept.get(key);
    if (bytes === undefined) {
      const linked = base === undefined ? text : jsonWithBase(text, base);
      bytes = coding === undefined ? Buffer.from(linked) : await compressed(linked, coding);
      kept.set(key, bytes);
    }
    if (coding !== undefined) void reply.header('content-encoding', coding);
    return reply.send(bytes);
  };
}
