import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from './answers/answer-headers.ts';
import { codingFor, compress, COMPRESS_BYTES_MIN, compressor, isCompressible } from './answers/compression.ts';
import { presented, wantsAnotherForm } from './answers/presentation.ts';
import type { Deps } from './deps.ts';
import { headerText } from './exchange.ts';

/**
 * What happens to every answer that Fastify sends: the common headers, then the form that was asked for (`opt_pretty`,
 * `opt_jsonp`), then compression. Hot reads do the same by themselves (proxy/hot-read.ts), with the same functions.
 */
export function registerDeparture(app: FastifyInstance, deps: Deps): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(answerHeaders(request.exchange, request, deps.answers))) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    const type = reply.getHeader('content-type');
    // Files go as they lie, whatever they are: their length, ranges and tags are those of the bytes.
    const file = reply.hasHeader('content-disposition');
    if (file || !isCompressible(type) || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const text = typeof payload === 'string' ? inForm(request, reply, payload) : payload;
    const coding = deps.config.COMPRESSION ? codingFor(headerText(request.headers['accept-encoding'])) : undefined;
    if (coding === undefined || reply.hasHeader('content-encoding')) {
      done(null, text);
    } else if (typeof text === 'string' && text.length > COMPRESS_BYTES_MIN) {
      reply.removeHeader('content-length').header('content-encoding', coding);
      compress(text, coding, (error, bytes) => (error === null ? done(null, bytes) : done(error)));
    } else if (text instanceof Readable && Number(reply.getHeader('content-length') ?? Infinity) > COMPRESS_BYTES_MIN) {
      reply.removeHeader('content-length').header('content-encoding', coding);
      const packed = compressor(coding);
      text.once('error', (error) => packed.destroy(error));
      done(null, text.pipe(packed));
    } else done(null, text);
  });
}

function inForm(request: FastifyRequest, reply: FastifyReply, text: string): string {
  if (text === '' || !wantsAnotherForm(request.exchange)) return text;
  const form = presented(request.exchange, reply.statusCode, text);
  reply.removeHeader('content-length');
  if (form.type !== undefined) reply.header('content-type', form.type);
  return form.text;
}
