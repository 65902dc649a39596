import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { unixSeconds } from '@procurement/kit/runtime/clock';
import { describe, expect, it } from 'vitest';
import { webhooksApi } from '@procurement/contracts/api/webhooks.api';
import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import {
  WebhookChangeMessage,
  WebhookHeaders,
  WebhookTestMessage,
  WebhookVerifyMessage,
} from '@procurement/contracts/resources/webhook-message';
import { eventBody, messageBody, messageId, secretText, signedHeaders } from './webhook-message.ts';

interface Vector {
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const FIXTURE = new URL('../../test-support/fixtures/webhook.vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FIXTURE, 'utf8')) as readonly Vector[];
const decodeSecret = (text: string): Buffer => Buffer.from(text.slice('whsec_'.length), 'base64');

/** The notice that a body was made of. */
function parseNotice(body: string): { notice: ChangeNotice; uri: string } {
  const { type, data } = JSON.parse(body);
  const { uri, ...notice } = data;
  return { notice: { type, ...notice }, uri };
}

/** The schema of a message that refuses a member that it does not name. */
function closed(schema: typeof WebhookChangeMessage | typeof WebhookVerifyMessage | typeof WebhookTestMessage) {
  const { data } = schema.shape;
  return schema.extend({ data: data.strict() }).strict();
}

describe.each(vectors)('message of the fixture ($headers.webhook-id)', ({ secrets, headers, body }) => {
  it('has the same body, id and signatures', () => {
    const { notice } = parseNotice(body);
    expect(messageBody(notice, { baseUrl: 'https://procurement.example' })).toBe(body);
    const [, webhook = '', position = ''] = /^wh_(\w{32})_(\d+)$/.exec(headers['webhook-id'] ?? '') ?? [];
    const id = messageId(webhook, BigInt(position));
    expect(signedHeaders(id, Number(headers['webhook-timestamp']), body, secrets.map(decodeSecret))).toEqual(headers);
  });
});

describe('the contract of messages', () => {
  it('names exactly the headers and members that are sent', () => {
    for (const { headers, body } of vectors) {
      const { notice } = parseNotice(body);
      expect(WebhookHeaders.strict().parse(headers)).toEqual(headers);
      for (const isTooLarge of [false, true]) {
        const sent: unknown = JSON.parse(messageBody(notice, { baseUrl: 'https://a.example', isTooLarge }));
        expect(closed(WebhookChangeMessage).parse(sent)).toEqual(sent);
      }
    }
  });

  it('has schemas of the messages that carry no change', () => {
    const timestamp = '2026-03-02T10:15:00.482000+02:00';
    const challenge = { type: 'webhook.verify', timestamp, data: { challenge: '0'.repeat(32) } } as const;
    const test = { type: 'webhook.test', timestamp, data: { webhook: '0'.repeat(32) } } as const;
    expect(closed(WebhookVerifyMessage).parse(JSON.parse(eventBody(challenge)))).toEqual(challenge);
    expect(closed(WebhookTestMessage).parse(JSON.parse(eventBody(test)))).toEqual(test);
    expect(WebhookVerifyMessage.safeParse({ ...challenge, data: { challenge: 'x' } }).success).toBe(false);
  });

  it('has examples of its schemas', () => {
    for (const { body, example } of Object.values(webhooksApi.createWebhook.sends))
      expect(body.safeParse(example).success, example.type).toBe(true);
  });
});

describe('signedHeaders', () => {
  it('verify with the library of the standard, with each of the secrets (A23)', () => {
    const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const headers = signedHeaders('wh_1', unixSeconds(), '{"a":1}', secrets);
    for (const secret of secrets) {
      expect(new Webhook(secretText(secret)).verify('{"a":1}', { ...headers })).toEqual({ a: 1 });
    }
    const other = new Webhook(secretText(Buffer.alloc(32, 3)));
    expect(() => other.verify('{"a":1}', { ...headers })).toThrow('No matching signature');
  });
});

describe('messageBody', () => {
  const { notice } = parseNotice(vectors[0]?.body ?? '');
  const parse = (tenderText: string, isTooLarge = false) =>
    JSON.parse(messageBody(notice, { baseUrl: 'https://a', tenderText, isTooLarge })).data;

  it('pastes the public text of the tender', () => {
    expect(parse('{"data":{"title":"a"}}')).toMatchObject({ tender: { title: 'a' } });
  });

  it('leaves out a tender that is too large, and marks it as left out', () => {
    const large = parse(`{"data":{"title":"${'x'.repeat(300_000)}"}}`);
    expect([large.truncated, large.tender]).toEqual([true, undefined]);
    expect(parse('{"data":{}}', true)).toMatchObject({ truncated: true });
  });
});
