import type { Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver, type WebhookReceiver } from '@procurement/testing/webhook-receiver';
import { broker, type Broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import type { BenchmarkRow } from './row.ts';

const TENDERS = 100;
const CHANGES = 2_000;
const WRITERS = 8;
const LIVE_CHANGES = 200;
/** Receivers of several brokers, because one has at most ten webhooks. */
const RECEIVERS = 20;
const TIMEOUT_MS = 300_000;

interface Change {
  readonly position: string;
  readonly sentMs: number;
}

/** A new webhook of a receiver, from now or from a position. */
async function subscribe(owner: Broker, receiver: WebhookReceiver, from?: string): Promise<string> {
  const terms = {
    url: receiver.url,
    filter: { mode: '_all_' },
    concurrency: 16,
    ...(from === undefined ? {} : { from }),
  };
  const { status, body, text } = await owner.post('/webhooks', terms);
  if (status !== 201) throw new Error(text);
  return `/webhooks/${body.data.id}`;
}

async function change(owner: Broker, path: string, n: number): Promise<Change> {
  const { status, body, text } = await owner.patch(path, { description: `change ${n}` });
  if (status !== 200) throw new Error(text);
  return { position: body.data.dateModified, sentMs: performance.now() };
}

async function changeAll(owner: Broker, paths: readonly string[], count: number): Promise<readonly Change[]> {
  const changes: Change[] = [];
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) changes.push(await change(owner, paths[n % paths.length] ?? '', n));
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return changes;
}

/** Deliveries per second of what is stored already, to one receiver that answers at once. */
async function backlogRow(owner: Broker, count: number): Promise<BenchmarkRow> {
  const receiver = await webhookReceiver();
  const webhook = await subscribe(owner, receiver, '0');
  const received = (): number => receiver.messages.filter(({ position }) => position > 0n).length;
  await waitFor(() => received() > 0, { what: 'the first delivery', timeoutMs: TIMEOUT_MS });
  const [beganMs, before] = [performance.now(), received()];
  await waitFor(() => received() >= count, { what: 'all deliveries', timeoutMs: TIMEOUT_MS, intervalMs: 50 });
  const perSecond = ((received() - before) * 1_000) / (performance.now() - beganMs);
  await owner.request('DELETE', webhook);
  await receiver.stop();
  return {
    what: 'webhook deliveries per second to one receiver that answers at once, against 200',
    ratio: perSecond / 200,
    atLeast: 1,
    figures: `${Math.round(perSecond)}/s`,
  };
}

/** The p99 of the milliseconds from the answer of a write to its delivery, over all receivers that do not fail. */
async function latencyMs(
  owners: readonly Broker[],
  writer: Broker,
  paths: readonly string[],
  failing: number,
): Promise<number> {
  const receivers = await Promise.all(owners.map(async () => webhookReceiver()));
  for (const receiver of receivers.slice(0, failing)) receiver.reply = () => (Math.random() < 0.5 ? 500 : 200);
  const webhooks = await Promise.all(
    owners.map(async (owner, n) => subscribe(owner, receivers[n] ?? (await webhookReceiver()))),
  );
  await waitFor(() => receivers.every(({ messages }) => messages.length > 0), {
    what: 'verifications',
    timeoutMs: TIMEOUT_MS,
  });
  const healthy = receivers.slice(failing);
  const arrivals: { readonly position: string; readonly atMs: number }[] = [];
  const sent = new Map<string, number>();
  for (const receiver of healthy) {
    receiver.reply = ({ text }) => {
      arrivals.push({ position: JSON.parse(text).data.dateModified, atMs: performance.now() });
      return 200;
    };
  }
  for (let n = 0; n < LIVE_CHANGES; n += 1) {
    const { position, sentMs } = await change(writer, paths[n % paths.length] ?? '', n);
    sent.set(position, sentMs);
  }
  await waitFor(() => arrivals.length >= LIVE_CHANGES * healthy.length, {
    what: 'all deliveries',
    timeoutMs: TIMEOUT_MS,
  });
  await Promise.all(webhooks.map(async (webhook, n) => owners[n]?.request('DELETE', webhook)));
  await Promise.all(receivers.map(async (receiver) => receiver.stop()));
  // A delivery may come before the answer of its write.
  const delays = arrivals.map(({ position, atMs }) => Math.max(0, atMs - (sent.get(position) ?? atMs)));
  return delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? 0;
}

/** Webhooks (register.md 13, B13). */
export async function webhookRows(stack: Stack): Promise<BenchmarkRow[]> {
  const owner = broker(stack.gatewayUrl, 'broker1', '2.5');
  const tenders = await Promise.all(Array.from({ length: TENDERS }, async () => publish(owner, minimalTender())));
  const paths = tenders.map(({ path, tokenQuery }) => path + tokenQuery);
  await changeAll(owner, paths, CHANGES);
  const rate = await backlogRow(owner, TENDERS + CHANGES);
  const owners = Array.from({ length: RECEIVERS }, (_, n) => broker(stack.gatewayUrl, `broker${1 + (n % 3)}`, '2.5'));
  const alone = await latencyMs(owners.slice(0, RECEIVERS / 2), owner, paths, 0);
  const beside = await latencyMs(owners, owner, paths, RECEIVERS / 2);
  return [
    rate,
    {
      what: 'p99 from the answer of a write to 10 healthy receivers, beside 10 that fail half the time, against alone',
      ratio: beside / Math.max(1, alone),
      atMost: 2,
      figures: `${Math.round(beside)} ms of ${Math.round(alone)} ms`,
    },
  ];
}
