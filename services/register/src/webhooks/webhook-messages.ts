import type { Instant } from '@procurement/contracts/reading/instant';
import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import { EXPANDED_BYTES_MAX, messageBody, signedHeaders } from './webhook-message.ts';
import type { HistoryStore } from '../revisions/history.store.ts';
import type { SecretBox } from '@procurement/kit/runtime/secret-box';
import type { LoadedWebhook } from './webhook-delivery.store.ts';
import type { TransportAnswer, WebhookTransport } from './webhook-transport.ts';

export interface MessageDeps {
  readonly history: Pick<HistoryStore, 'revision' | 'texts'>;
  readonly transport: WebhookTransport;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/** Longest time of one attempt. */
const ATTEMPT_MS_MAX = 15_000;

export interface WebhookMessages {
  ofRevision(
    revision: StreamedRevision,
    notice: ChangeNotice,
  ): Promise<{ readonly type: string; readonly body: string }>;
  send(
    id: string,
    body: string,
    isRedelivery: boolean,
    signal: AbortSignal,
    timeoutMs?: number,
  ): Promise<TransportAnswer>;
}

/** The messages of one webhook, signed with the secrets that are valid at each moment. */
export function makeWebhookMessages({ webhook, secrets: sealed }: LoadedWebhook, deps: MessageDeps): WebhookMessages {
  const { transport, secretBox, history, clock, baseUrl } = deps;
  const secrets = sealed.map((one) => ({
    validUntil: one.validUntil ?? Infinity,
    secret: secretBox.open(webhook.id, one),
  }));

  /** Undefined for a change without a public text. */
  async function readText({ tender, rev }: StreamedRevision): Promise<{ tenderText?: string; isTooLarge?: true }> {
    if (!webhook.expand || !tender.listed) return {};
    const revision = await history.revision(tender.id, rev);
    if (revision === undefined) return {};
    if (revision.bytes > EXPANDED_BYTES_MAX) return { isTooLarge: true };
    const tenderText = (await history.texts(tender.id, [revision])).get(revision.position);
    return tenderText === undefined ? {} : { tenderText };
  }

  return {
    async ofRevision(revision, notice) {
      return { type: notice.type, body: messageBody(notice, { baseUrl, ...(await readText(revision)) }) };
    },
    async send(id, body, isRedelivery, signal, timeoutMs = ATTEMPT_MS_MAX) {
      const now: Instant = clock.now();
      const valid = secrets.filter(({ validUntil }) => validUntil > now).map(({ secret }) => secret);
      const headers = {
        ...signedHeaders(id, Math.floor(now / 1_000_000), body, valid),
        ...(isRedelivery ? { 'x-redelivery': '1' } : {}),
      };
      return transport.post({ url: webhook.url, headers, body, timeoutMs, signal });
    },
  };
}
