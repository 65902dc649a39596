import { z } from 'zod';
import { ChangeNotice } from './change-notice.ts';

const timestamp = () => z.iso.datetime({ offset: true });

/** Body of a delivery (register.md 5.2). */
export const WebhookChangeMessage = z
  .object({
    type: ChangeNotice.shape.type,
    timestamp: timestamp().describe('The `dateModified` of the change'),
    data: ChangeNotice.omit({ type: true }).extend({
      uri: z.url().describe('Address of the tender'),
      truncated: z.literal(true).optional().describe('With `expand`: the tender is left out, since it is too large'),
    }),
  })
  .meta({ id: 'WebhookChangeMessage' });
export type WebhookChangeMessage = z.infer<typeof WebhookChangeMessage>;

/** Body of the request that asks an address whether it wants deliveries (register.md 5.5). */
export const WebhookVerifyMessage = z
  .object({
    type: z.literal('webhook.verify'),
    timestamp: timestamp(),
    data: z.object({ challenge: z.string().regex(/^[0-9a-f]{32}$/) }),
  })
  .meta({ id: 'WebhookVerifyMessage' });
export type WebhookVerifyMessage = z.infer<typeof WebhookVerifyMessage>;

/** Body of the request that `POST .../test` sends. */
export const WebhookTestMessage = z
  .object({
    type: z.literal('webhook.test'),
    timestamp: timestamp(),
    data: z.object({ webhook: z.string().describe('Id of the webhook') }),
  })
  .meta({ id: 'WebhookTestMessage' });
export type WebhookTestMessage = z.infer<typeof WebhookTestMessage>;

/** What a receiver answers to the request of a verification. */
export const WebhookVerifyAnswer = z
  .object({ challenge: z.string().describe('The one of the request') })
  .meta({ id: 'WebhookVerifyAnswer' });

/** Headers of every message, as Standard Webhooks 1.0 has them (register.md 5.2). */
export const WebhookHeaders = z.object({
  'webhook-id': z
    .string()
    .describe(
      '`wh_<webhook>_<position in microseconds>`: the same when a change is sent again, to recognise repetitions by',
    ),
  'webhook-timestamp': z.string().regex(/^\d+$/).describe('Unix seconds of this attempt'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, one for each valid secret, with blanks between',
    ),
  'x-redelivery': z.literal('1').optional().describe('The owner of the webhook asked for the change again'),
});
