import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { boolean, float, integer, oneOf, text, url } from '../reading/scalars.ts';
import { cursor, POSITION } from './query.ts';

const URL_CHARACTERS_MAX = 2_000;
const DESCRIPTION_CHARACTERS_MAX = 255;

/** ISO 8601 in days, hours, minutes and seconds. */
const DURATION = 'P(?:[0-9]{1,3}D)?(?:T(?:[0-9]{1,5}H)?(?:[0-9]{1,5}M)?(?:[0-9]{1,6}S)?)?';
/** A text whose form a later step reads; the pattern is for OpenAPI. */
const formedText = (pattern: string) => text('identifier', { meta: { pattern: `^(?:${pattern})$` } });
const entries = () => list('filterEntries', text('identifier')).optional();

/** Which changes a webhook sends: the filters of the change stream, with lists as arrays (register.md 3.3). */
export const WebhookFilter = model('WebhookFilter', {
  mode: oneOf(['test', '_all_']).optional(),
  ids: entries(),
  status: entries(),
  method: entries(),
  cpv: entries(),
  buyer: entries(),
  region: entries(),
  amountFrom: float().optional(),
  amountTo: float().optional(),
  currency: formedText('[A-Z]{3}').optional(),
  causes: entries(),
}).meta({ id: 'WebhookFilter' });
export type WebhookFilter = z.infer<typeof WebhookFilter>;

const settings = {
  url: url(),
  filter: WebhookFilter.optional(),
  expand: boolean().optional(),
  concurrency: integer({ min: 1 }).optional(),
  description: text('identifier', { charactersMax: DESCRIPTION_CHARACTERS_MAX }).optional(),
} as const;

/** Body of `POST /webhooks`. */
export const WebhookInput = model('Webhook', { ...settings, from: formedText(POSITION).optional() }).meta({
  id: 'WebhookInput',
});

/** What a PATCH of a webhook results in. */
export const WebhookSettings = model('Webhook', {
  ...settings,
  status: oneOf(['active', 'paused']).optional(),
}).meta({ id: 'WebhookSettings' });
export type WebhookSettings = z.infer<typeof WebhookSettings>;

/** Body of `POST .../secret`. */
export const WebhookSecretInput = model('WebhookSecret', { oldValid: formedText(DURATION).optional() }).meta({
  id: 'WebhookSecretInput',
});

/** Body of requests in which nothing is chosen. */
export const WebhookRequestInput = model('WebhookRequest', {}).meta({ id: 'WebhookRequestInput' });

/** Body of `POST .../redeliver`. Both are positions; neither end of the range is left out but `from`. */
export const WebhookRedeliveryInput = model('WebhookRedelivery', {
  from: formedText(POSITION),
  to: formedText(POSITION).optional(),
}).meta({ id: 'WebhookRedeliveryInput' });

export const WEBHOOK_URL_CHARACTERS_MAX = URL_CHARACTERS_MAX;

const instant = () => z.iso.datetime({ offset: true });

/** A webhook, as its owner sees it (register.md 5.1). */
export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    status: z.enum(['pending', 'active', 'paused', 'disabled', 'suspended']),
    secret: z.string().optional().describe('In the answers of creation and rotation only'),
    filter: z.record(z.string(), z.unknown()),
    expand: z.boolean(),
    concurrency: z.int(),
    description: z.string().optional(),
    position: z.string().describe('Everything up to it was delivered, is waiting, or is a dead letter'),
    waiting: z.int().describe('Changes that were not accepted yet and are sent again'),
    deadLetters: z.int(),
    failingSince: instant().optional(),
    lastError: z.string().optional(),
    lastSuccess: instant().optional(),
    dateCreated: instant(),
    dateModified: instant(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** Result of `POST .../test`. */
export const WebhookTest = z
  .object({ status: z.int().optional(), error: z.string().optional(), milliseconds: z.int() })
  .meta({ id: 'WebhookTest' });

/** One attempt to deliver. */
export const WebhookAttempt = z
  .object({
    type: z.string(),
    position: z.string().optional(),
    at: instant(),
    status: z.int().optional(),
    error: z.string().optional(),
    milliseconds: z.int(),
    attempt: z.int(),
  })
  .meta({ id: 'WebhookAttempt' });

/** A change that was not accepted in 72 hours. */
export const WebhookDeadLetter = z
  .object({
    position: z.string(),
    tender: z.string(),
    attempts: z.int(),
    lastError: z.string().optional(),
    date: instant().describe('When it was given up'),
  })
  .meta({ id: 'WebhookDeadLetter' });

/** Parameters of lists of a webhook, for OpenAPI and SPORE. */
export const WebhookPageQuery = z.object({
  limit: z.int().min(1).max(100).optional().describe('Default 100'),
  cursor: cursor(64).optional().describe('From `next_page`'),
});
