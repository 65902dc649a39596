import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebhooksDeps } from './deps.ts';
import { anyText, wholeNumber } from '../requests/domain/parameters.ts';
import type { RowsQuery } from './webhook.store.ts';
import { readQuery } from '../requests/read-query.ts';
import { loadWebhook } from './webhook-path.ts';

const LIMIT_MAX = 100;
const PARAMETERS = { limit: wholeNumber(1, LIMIT_MAX), cursor: anyText(64) } as const;
const CURSOR = /^\d{1,18}$/;

export interface RowsSource<R> {
  /** The last part of the path. */
  readonly name: string;
  readonly read: (id: string, query: RowsQuery) => Promise<readonly R[]>;
  readonly cursorOf: (row: R) => bigint;
  readonly view: (row: R) => object;
}

/** One page of what belongs to a webhook. */
export async function sendRows<R>(
  deps: WebhooksDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, read, cursorOf, view }: RowsSource<R>,
): Promise<FastifyReply> {
  const { id } = await loadWebhook(deps, request);
  const { limit = LIMIT_MAX, cursor } = readQuery(request, PARAMETERS);
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new ProblemError(problem('params.expired', { name: 'cursor' }));
  // One more than a page: whether there is a next one.
  const rows = await read(id, { limit: limit + 1, after: cursor === undefined ? undefined : BigInt(cursor) });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? String(cursorOf(last)) : undefined;
  const path = `/api/2.5/webhooks/${id}/${name}?${new URLSearchParams({ limit: String(limit), cursor: next ?? '' })}`;
  const next_page = next === undefined ? undefined : { cursor: next, path, uri: deps.config.PUBLIC_BASE_URL + path };
  return sendJson(reply, 200, JSON.stringify({ data: shown.map(view), next_page }));
}
