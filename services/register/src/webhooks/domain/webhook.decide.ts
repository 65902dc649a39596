import { webhooksApi } from '@procurement/contracts/api/webhooks.api';
import type { Actor } from '@procurement/contracts/api/actor';
import { invalid, problem, type ErrorEntry, type Problem, allowing } from '@procurement/contracts/problems/problems';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { DAY, HOUR, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import { WEBHOOK_URL_CHARACTERS_MAX, type WebhookSettings } from '@procurement/contracts/resources/webhook';
import { admitWrite } from '@procurement/domain/admission';
import { position } from '../../requests/domain/parameters.ts';
import { readFilter } from './webhook-filter.ts';
import type { StoredWebhook, WebhookTerms } from './webhook.ts';

export type Decision<T> = T | { readonly refused: Problem };

/** Webhooks of one broker. */
export const WEBHOOKS_MAX = 10;
/** Ranges of one webhook that are sent again at the same time. */
export const RANGES_MAX = 10;

const CONCURRENCY_DEFAULT = 4;
const CONCURRENCY_MAX = 16;
const AHEAD_MAX = BigInt(MINUTE);
const OLD_SECRET_DEFAULT = 'PT24H';
const OLD_SECRET_MAX = 7 * DAY;
const INVALID_VALUE = 'Invalid value';

/** Reads the body of a write of a caller with a key: every broker, whatever its group and level. */
function readBody<T>(
  body: BodyResult,
  actor: Actor,
  parse: (data: JsonObject) => ParseResult<T>,
): Decision<{ readonly value: T }> {
  const admission = admitWrite(body, actor, true);
  if ('refused' in admission) return admission;
  const reading = parse(admission.data);
  return reading.ok ? { value: reading.value } : { refused: invalid(reading.errors) };
}

export interface CreateContext {
  readonly actor: Actor;
  /** Whether a webhook may lead there. */
  readonly isUrlAllowed: (url: string) => boolean;
  /** Microseconds since 1970 UTC. */
  readonly now: number;
}

export interface NewWebhook {
  readonly terms: WebhookTerms;
  /** Undefined: from now. */
  readonly from: bigint | undefined;
}

/** `POST /webhooks`. */
export function decideCreate(body: BodyResult, { actor, isUrlAllowed, now }: CreateContext): Decision<NewWebhook> {
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.createWebhook.body, data));
  if ('refused' in reading) return reading;
  const { from, ...settings } = reading.value;
  const start = from === undefined ? undefined : readPosition(from, now);
  const errors = [
    ...settingsErrors(settings, isUrlAllowed),
    ...(from !== undefined && start === undefined ? [error('from', INVALID_VALUE)] : []),
  ];
  return errors.length > 0 ? { refused: invalid(errors) } : { terms: pickTerms(settings), from: start };
}

export interface PatchedWebhook {
  readonly terms: WebhookTerms;
  /** Undefined: as it is. A sender may change it meanwhile. */
  readonly status: StoredWebhook['status'] | undefined;
  /** The address is another one. */
  readonly isMoved: boolean;
}

/** `PATCH /webhooks/{id}`: the settings and the status that it asks for. */
export function decidePatch(
  body: BodyResult,
  stored: StoredWebhook,
  { actor, isUrlAllowed }: CreateContext,
): Decision<PatchedWebhook> {
  const { url, filter, expand, concurrency, description } = stored;
  const before = { url, filter, expand, concurrency, ...(description === undefined ? {} : { description }) };
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.patchWebhook.body, { ...before, ...data }));
  if ('refused' in reading) return reading;
  const errors = settingsErrors(reading.value, isUrlAllowed);
  if (errors.length > 0) return { refused: invalid(errors) };
  const terms = pickTerms(reading.value);
  const isMoved = terms.url !== url;
  const asked = reading.value.status;
  if (asked === 'paused' && !isMoved && !PAUSABLE.includes(stored.status))
    return {
      refused: allowing(problem('webhook.update-status', { status: stored.status }), { allowedStatuses: PAUSABLE }),
    };
  return { terms, isMoved, status: statusAfter(stored, isMoved, asked) };
}

const PAUSABLE: readonly StoredWebhook['status'][] = ['active', 'paused'];

/** A new address must be verified. */
function statusAfter(
  { verified }: StoredWebhook,
  isMoved: boolean,
  asked: WebhookSettings['status'],
): StoredWebhook['status'] | undefined {
  if (isMoved) return 'pending';
  return asked === 'active' && !verified ? 'pending' : asked;
}

/** `POST .../secret`: how long the secret before stays valid, in microseconds. */
export function decideRotation(body: BodyResult, actor: Actor): Decision<{ readonly oldValid: number }> {
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.rotateWebhookSecret.body, data));
  if ('refused' in reading) return reading;
  const oldValid = readDuration(reading.value.oldValid ?? OLD_SECRET_DEFAULT);
  return oldValid === undefined || oldValid > OLD_SECRET_MAX
    ? { refused: invalid([error('oldValid', INVALID_VALUE)]) }
    : { oldValid };
}

export interface Redelivery {
  readonly from: bigint;
  readonly to: bigint | undefined;
}

/** `POST .../redeliver`. */
export function decideRedelivery(
  body: BodyResult,
  stored: StoredWebhook,
  { actor, now }: CreateContext,
): Decision<Redelivery> {
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.redeliverWebhook.body, data));
  if ('refused' in reading) return reading;
  const from = readPosition(reading.value.from, now);
  const to = reading.value.to === undefined ? undefined : readPosition(reading.value.to, now);
  // Only what was passed can be sent again.
  if (from === undefined || from > stored.position) return { refused: invalid([error('from', INVALID_VALUE)]) };
  const isOrdered = to !== undefined && to > from && to <= stored.position;
  if (reading.value.to !== undefined && !isOrdered) return { refused: invalid([error('to', INVALID_VALUE)]) };
  return { from, to };
}

/** `POST .../test`: only an address that has answered a challenge, so that nobody can aim this service at a stranger. */
export function decideTest(
  body: BodyResult,
  { status, suspended, verified }: StoredWebhook,
  actor: Actor,
): Problem | undefined {
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.testWebhook.body, data));
  if ('refused' in reading) return reading.refused;
  const shown = suspended ? 'suspended' : status;
  return verified && !suspended ? undefined : problem('webhook.test-status', { status: shown });
}

/** `POST .../dead-letters/{position}/retry`. */
export function retryRefusal(body: BodyResult, actor: Actor): Problem | undefined {
  const reading = readBody(body, actor, (data) => parseWith(webhooksApi.retryWebhookDeadLetter.body, data));
  return 'refused' in reading ? reading.refused : undefined;
}

function settingsErrors(
  { url, filter, concurrency }: WebhookSettings,
  isUrlAllowed: CreateContext['isUrlAllowed'],
): readonly ErrorEntry[] {
  const reading = readFilter(filter ?? {});
  return [
    ...(url.length > WEBHOOK_URL_CHARACTERS_MAX ? [error('url', 'String value is too long.')] : []),
    ...(isUrlAllowed(url) ? [] : [error('url', 'Address is not allowed.')]),
    ...('invalid' in reading
      ? [
          {
            location: 'body',
            name: 'filter',
            description: Object.fromEntries(reading.invalid.map((name) => [name, [INVALID_VALUE]])),
          },
        ]
      : []),
    ...((concurrency ?? 1) > CONCURRENCY_MAX
      ? [error('concurrency', `Int value should be less than ${CONCURRENCY_MAX}.`)]
      : []),
  ];
}

function error(name: string, message: string): ErrorEntry {
  return { location: 'body', name, description: [message] };
}

function pickTerms({ url, filter, expand, concurrency, description }: WebhookSettings): WebhookTerms {
  return {
    url,
    filter: filter ?? {},
    expand: expand ?? false,
    concurrency: concurrency ?? CONCURRENCY_DEFAULT,
    ...(description === undefined ? {} : { description }),
  };
}

/** Undefined for a text that is no position, and for one that is far ahead. */
function readPosition(text: string, now: number): bigint | undefined {
  const stamp = position(text);
  return stamp === undefined || stamp > BigInt(now) + AHEAD_MAX ? undefined : stamp;
}

const DURATION = /^P(?=.)(?:(\d{1,3})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/;

/** ISO 8601 in days, hours, minutes and seconds, as microseconds. */
function readDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
}
