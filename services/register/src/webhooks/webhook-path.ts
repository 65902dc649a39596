import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Webhook } from '@procurement/contracts/resources/webhook';
import { secondsText } from '@procurement/domain/feed-offset';
import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { FastifyRequest } from 'fastify';
import type { WebhooksDeps } from './deps.ts';
import type { Decision } from './domain/webhook.decide.ts';
import { requireBroker } from '../requests/caller.ts';
import type { CountedWebhook } from './webhook.store.ts';

const WEBHOOK_ID = /^[0-9a-f]{32}$/;

/** The webhook of the path. Throws 401 without a key, 404 when it is not one of the caller's broker. */
export async function loadWebhook(deps: WebhooksDeps, request: FastifyRequest): Promise<CountedWebhook> {
  const { broker } = requireBroker(request);
  const found = await findWebhook(deps, request, broker);
  if (found === undefined) throw new ProblemError(NOT_FOUND);
  return found;
}

const NOT_FOUND = problem('object.not-found', { kind: 'webhook' });

async function findWebhook(
  deps: WebhooksDeps,
  request: FastifyRequest,
  broker: string,
): Promise<CountedWebhook | undefined> {
  // Safe cast: the paths of the contracts have this parameter.
  const { webhook_id: id = '' } = request.params as { readonly webhook_id?: string };
  return WEBHOOK_ID.test(id) ? deps.webhooks.find(broker, id) : undefined;
}

/** Checks for methods that a path lacks whether there is such a webhook at all. */
export function webhookMissing(deps: WebhooksDeps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const { broker } = actorOf(request.identity);
    const isOfOne = 'webhook_id' in (request.params as object);
    if (broker === undefined || !isOfOne) return undefined;
    return (await findWebhook(deps, request, broker)) === undefined ? NOT_FOUND : undefined;
  };
}

export function readBody({ headers, body }: FastifyRequest): BodyResult {
  return readJsonBody(headers['content-type'], body);
}

/** What was decided. Throws a refusal. */
export function accepted<T extends object>(decision: Decision<T>): T {
  if ('refused' in decision) throw new ProblemError(decision.refused);
  return decision;
}

/** The webhook after a change. Throws 404 when it is gone meanwhile. */
export async function reread({ webhooks }: WebhooksDeps, { broker, id }: CountedWebhook): Promise<CountedWebhook> {
  const found = await webhooks.find(broker, id);
  if (found === undefined) throw new ProblemError(NOT_FOUND);
  return found;
}

/** 32 random bytes; the same for a repetition of an idempotent request. */
export function newSecret(ids: IdGenerator): Buffer {
  return Buffer.from(ids.nextToken() + ids.nextToken(), 'hex');
}

/** `{"data": ...}` of an answer. */
export function webhookText(webhook: CountedWebhook, secret?: string): string {
  return JSON.stringify({ data: webhookView(webhook, secret) });
}

export function webhookView(webhook: CountedWebhook, secret?: string): Webhook {
  const { id, url, filter, expand, concurrency, description, position, waiting, deadLetters } = webhook;
  const { failingSince, lastError, lastSuccess, created, modified } = webhook;
  return {
    id,
    url,
    status: shownStatus(webhook),
    ...(secret === undefined ? {} : { secret }),
    filter,
    expand,
    concurrency,
    ...(description === undefined ? {} : { description }),
    position: secondsText(position),
    waiting,
    deadLetters,
    ...(failingSince === undefined ? {} : { failingSince: dateText(failingSince) }),
    ...(lastError === undefined ? {} : { lastError }),
    ...(lastSuccess === undefined ? {} : { lastSuccess: dateText(lastSuccess) }),
    dateCreated: dateText(created),
    dateModified: dateText(modified),
  };
}

function shownStatus({ status, suspended }: CountedWebhook): Webhook['status'] {
  return suspended && (status === 'active' || status === 'pending') ? 'suspended' : status;
}

export function dateText(micros: number): string {
  // Safe cast: stored instants are whole microseconds.
  return formatServerDate(micros as Instant);
}
