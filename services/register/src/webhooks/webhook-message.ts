import { createHmac } from 'node:crypto';
import type { ChangeNotice } from '@procurement/contracts/resources/change-notice';
import type {
  WebhookChangeMessage,
  WebhookTestMessage,
  WebhookVerifyMessage,
} from '@procurement/contracts/resources/webhook-message';

/** Largest body of a delivery with a tender (register.md 5.1). */
export const EXPANDED_BYTES_MAX = 256 * 1024;

const SECRET_PREFIX = 'whsec_';

/** The text of a secret, as the owner gets it. */
export function secretText(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

/** The id of a message: the same in every repetition. `what`: the position in microseconds, or a challenge. */
export function messageId(webhook: string, what: bigint | string): string {
  return `wh_${webhook}_${what}`;
}

/** The public text of a tender: `{"data":{...}}`. */
export interface MessageOptions {
  readonly baseUrl: string;
  /** Undefined: the webhook does not expand, or the tender is not public any more. */
  readonly tenderText?: string;
  /** The text is larger than any delivery, and was not read. */
  readonly isTooLarge?: boolean;
}

/** The body of a delivery (register.md 5.2). The text of the tender is pasted, never parsed. */
export function messageBody({ type, ...notice }: ChangeNotice, options: MessageOptions): string {
  const { baseUrl, tenderText, isTooLarge = false } = options;
  const uri = `${baseUrl}/api/2.5/tenders/${notice.id}`;
  const text = (data: WebhookChangeMessage['data']): string =>
    JSON.stringify({ type, timestamp: notice.dateModified, data } satisfies WebhookChangeMessage);
  const plain = { ...notice, uri };
  if (tenderText !== undefined && !isTooLarge) {
    const expanded = `${text(plain).slice(0, -2)},"tender":${tenderText.slice('{"data":'.length, -1)}}}`;
    if (Buffer.byteLength(expanded) <= EXPANDED_BYTES_MAX) return expanded;
  }
  return text(tenderText === undefined && !isTooLarge ? plain : { ...plain, truncated: true });
}

/** Body of a message that carries no change. */
export function eventBody(message: WebhookVerifyMessage | WebhookTestMessage): string {
  return JSON.stringify(message);
}

/** Headers of a message per Standard Webhooks 1.0: one signature per secret. */
export function signedHeaders(
  id: string,
  unixSeconds: number,
  body: string,
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${unixSeconds}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
