import type { FastifyReply } from 'fastify';

const REASON_CHARACTERS_MAX = 1_000;

/** Why an operator acts; undefined when it is missing or too long. */
export function reasonOf(form: URLSearchParams): string | undefined {
  const reason = (form.get('reason') ?? '').trim();
  return reason === '' || reason.length > REASON_CHARACTERS_MAX ? undefined : reason;
}

export function refuse(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(text);
}
