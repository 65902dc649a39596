import { z } from 'zod';
import { CursorLink } from '../resources/revision.ts';
import {
  Webhook,
  WebhookAttempt,
  WebhookDeadLetter,
  WebhookInput,
  WebhookPageQuery,
  WebhookRedeliveryInput,
  WebhookRequestInput,
  WebhookSecretInput,
  WebhookSettings,
  WebhookTest,
} from '../resources/webhook.ts';
import {
  WebhookChangeMessage,
  WebhookHeaders,
  WebhookTestMessage,
  WebhookVerifyAnswer,
  WebhookVerifyMessage,
} from '../resources/webhook-message.ts';
import type { RouteContract, SentMessage } from './route.ts';

const shared = { owner: 'register', rateClass: 'webhook', segments: ['2.5'] } as const;

const ID = '0c0ffee0c0ffee0c0ffee0c0ffee0c0f';

const WEBHOOK = {
  id: ID,
  url: 'https://broker.example/hooks/tenders',
  status: 'active',
  filter: { status: ['active.tendering'], cpv: ['30'] },
  expand: false,
  concurrency: 4,
  position: '1772609412.105000',
  waiting: 0,
  deadLetters: 0,
  lastSuccess: '2026-03-04T09:30:12.310000+02:00',
  dateCreated: '2026-03-02T10:15:00.482000+02:00',
  dateModified: '2026-03-02T10:15:00.482000+02:00',
};

const { lastSuccess: _lastSuccess, ...NEW } = WEBHOOK;
const SECRET = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';

const TIMESTAMP = '2026-03-04T09:30:12.105000+02:00';
const CHALLENGE = '9f86d081884c7d659a2feaa0c55ad015';

/** Requests to the address of a webhook (register.md 5.2, 5.5). */
const MESSAGES = {
  tenderChange: {
    summary: 'A change of a tender',
    description:
      'Sent for every change that matches the filter, at least once; the changes of one tender come in the order of their positions. Verify the signature, answer 2xx within 15 seconds, and ignore a position that you have seen. 410 disables the webhook; after every other answer the change is sent again, for 72 hours.',
    body: WebhookChangeMessage,
    headers: WebhookHeaders,
    example: {
      type: 'tender.changed',
      timestamp: TIMESTAMP,
      data: {
        position: '1772609412.105000',
        id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
        tenderID: 'UA-2026-03-02-000001',
        dateModified: TIMESTAMP,
        rev: 2,
        status: 'active.enquiries',
        causes: ['question.answered'],
        changed: ['questions'],
        uri: 'https://api.example.org/api/2.5/tenders/5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
      },
    },
  },
  webhookVerify: {
    summary: 'Whether the address wants the changes',
    description:
      'Sent before the first delivery to a new address. It must answer 2xx within 10 seconds, with a JSON body that repeats the challenge at its top or in `data`.',
    body: WebhookVerifyMessage,
    headers: WebhookHeaders,
    answer: WebhookVerifyAnswer,
    example: { type: 'webhook.verify', timestamp: TIMESTAMP, data: { challenge: CHALLENGE } },
  },
  webhookTest: {
    summary: 'A test that the owner of the webhook asked for',
    description: 'Sent once, by `POST /webhooks/{webhook_id}/test`, which answers what came of it.',
    body: WebhookTestMessage,
    headers: WebhookHeaders,
    example: { type: 'webhook.test', timestamp: TIMESTAMP, data: { webhook: ID } },
  },
} as const satisfies Record<string, SentMessage>;

/** Subscriptions of brokers to changes (register.md 5). */
export const webhooksApi = {
  listWebhooks: {
    ...shared,
    name: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    spore: 'get_webhooks',
    summary: 'Webhooks of the broker',
    description: 'All webhooks of the broker whose key is sent. Secrets are not shown.',
    responses: { 200: z.array(Webhook) },
    example: { data: [WEBHOOK] },
  },
  createWebhook: {
    ...shared,
    name: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    spore: 'post_webhooks',
    summary: 'Subscribe to changes',
    description:
      'Every public change after `from` (default: now) that matches `filter` is sent to `url` as POST, signed per Standard Webhooks with `secret`, which is shown once. First the address must answer a `webhook.verify` request with 2xx and its `challenge`. A broker has at most 10.',
    body: WebhookInput,
    exampleRequest: { data: { url: WEBHOOK.url, filter: WEBHOOK.filter, from: '1772439300.482000' } },
    responses: { 201: Webhook },
    example: { data: { ...NEW, status: 'pending', secret: SECRET } },
    sends: MESSAGES,
  },
  getWebhook: {
    ...shared,
    name: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:webhook_id',
    spore: 'get_webhook',
    summary: 'A webhook',
    description: 'Its settings, and how far it was delivered. Webhooks of other brokers are 404.',
    responses: { 200: Webhook },
    example: { data: WEBHOOK },
  },
  patchWebhook: {
    ...shared,
    name: 'patchWebhook',
    method: 'PATCH',
    path: '/webhooks/:webhook_id',
    spore: 'patch_webhook',
    summary: 'Change a webhook',
    description:
      'A new `url` is verified again. `status` pauses and resumes it; `active` also takes a disabled one into use again, from where it stood.',
    body: WebhookSettings,
    exampleRequest: { data: { status: 'paused' } },
    responses: { 200: Webhook },
    example: { data: { ...WEBHOOK, status: 'paused' } },
  },
  deleteWebhook: {
    ...shared,
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:webhook_id',
    spore: 'delete_webhook',
    summary: 'Delete a webhook',
    description: 'Answers its last state. Nothing is sent after the answer.',
    responses: { 200: Webhook },
    example: { data: WEBHOOK },
  },
  rotateWebhookSecret: {
    ...shared,
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/:webhook_id/secret',
    spore: 'post_webhook secret',
    summary: 'Make a new secret',
    description:
      'Requests are signed with both secrets for `oldValid`, from `PT0S` to `P7D` (default `PT24H`). A third rotation in that time drops the oldest.',
    body: WebhookSecretInput,
    exampleRequest: { data: { oldValid: 'PT24H' } },
    responses: { 200: Webhook },
    example: { data: { ...WEBHOOK, secret: SECRET } },
  },
  testWebhook: {
    ...shared,
    name: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:webhook_id/test',
    spore: 'post_webhook test',
    summary: 'Send a test',
    description: 'Sends `webhook.test` now, and answers its status or the class of its error. For a verified address.',
    body: WebhookRequestInput,
    exampleRequest: { data: {} },
    responses: { 200: WebhookTest },
    example: { data: { status: 200, milliseconds: 41 } },
  },
  redeliverWebhook: {
    ...shared,
    name: 'redeliverWebhook',
    method: 'POST',
    path: '/webhooks/:webhook_id/redeliver',
    spore: 'post_webhook redeliver',
    summary: 'Send changes again',
    description:
      'Changes after `from` are sent again, marked `x-redelivery: 1`. With `to` up to there, beside the normal flow; without it the position of the webhook is set back.',
    body: WebhookRedeliveryInput,
    exampleRequest: { data: { from: '1772609000.000000', to: '1772609412.105000' } },
    responses: { 202: Webhook },
    example: { data: { ...WEBHOOK, position: '1772609000.000000' } },
  },
  listWebhookDeliveries: {
    ...shared,
    name: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/:webhook_id/deliveries',
    spore: 'get_webhook deliveries',
    summary: 'Attempts to deliver',
    description: 'The last 1,000 attempts, newest first.',
    query: WebhookPageQuery,
    responses: { 200: z.array(WebhookAttempt) },
    beside: { next_page: CursorLink.optional() },
    example: {
      data: [
        {
          type: 'tender.changed',
          position: '1772609412.105000',
          at: '2026-03-04T09:30:12.310000+02:00',
          status: 200,
          milliseconds: 41,
          attempt: 1,
        },
      ],
    },
  },
  listWebhookDeadLetters: {
    ...shared,
    name: 'listWebhookDeadLetters',
    method: 'GET',
    path: '/webhooks/:webhook_id/dead-letters',
    spore: 'get_webhook dead_letters',
    summary: 'Changes that were given up',
    description: 'Changes that were refused for 72 hours, oldest first. They are kept for 30 days.',
    query: WebhookPageQuery,
    responses: { 200: z.array(WebhookDeadLetter) },
    beside: { next_page: CursorLink.optional() },
    example: {
      data: [
        {
          position: '1772609412.105000',
          tender: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
          attempts: 11,
          lastError: '500',
          date: '2026-03-07T09:30:12.310000+02:00',
        },
      ],
    },
  },
  retryWebhookDeadLetter: {
    ...shared,
    name: 'retryWebhookDeadLetter',
    method: 'POST',
    path: '/webhooks/:webhook_id/dead-letters/:position/retry',
    spore: 'post_webhook dead_letter retry',
    summary: 'Send a change that was given up',
    description: 'The change waits again, with a fresh schedule of retries.',
    body: WebhookRequestInput,
    exampleRequest: { data: {} },
    responses: { 202: Webhook },
    example: { data: { ...WEBHOOK, waiting: 1 } },
  },
} as const satisfies Record<string, RouteContract>;
