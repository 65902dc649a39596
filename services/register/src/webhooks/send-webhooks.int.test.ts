import { createHmac } from 'node:crypto';
import { signalSubjects } from '@procurement/contracts/events/subjects';
import { HOUR } from '@procurement/contracts/reading/instant';
import { secondsText } from '@procurement/domain/feed-offset';
import { padId } from '@procurement/testing/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runningWebhooks, type RunningWebhooks } from '../../test-support/running-webhooks.ts';
import { webhookReceiver, type WebhookReceiver } from '@procurement/testing/webhook-receiver';
import type { WebhookSender } from './send-webhooks.ts';

let running: RunningWebhooks;
let sender: WebhookSender;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  running = await runningWebhooks();
  sender = running.startSender();
});
afterEach(async () => {
  await running.database.pool.query("UPDATE webhook SET status = 'disabled', version = version + 1");
  await running.database.pool.query('UPDATE webhook SET broker = id::text');
  await Promise.all(receivers.splice(0).map(async (receiver) => receiver.stop()));
});
afterAll(async () => {
  await running.stop();
});

interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly receiver: WebhookReceiver;
  state(): Promise<
    Record<string, unknown> & { status: string; position: string; waiting: number; deadLetters: number }
  >;
}

/** A webhook of a receiver of its own, verified. `mode`: the tenders of the tests are real. */
async function subscribe(terms: object = {}, broker = 'broker1'): Promise<Subscription> {
  const receiver = await webhookReceiver();
  receivers.push(receiver);
  const answer = await running.send('POST', '', { url: receiver.url, ...terms }, broker);
  expect(answer.statusCode, answer.body).toBe(201);
  const { id, secret } = answer.json().data;
  const state = async () => (await running.send('GET', `/${id}`, undefined, broker)).json().data;
  await waitFor(async () => (await state()).status === 'active', { what: 'the verified webhook' });
  return { id, secret, receiver, state };
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(condition, { what });
}

/** Sorted as numbers. */
const inOrder = (positions: readonly bigint[]): bigint[] => positions.toSorted((one, other) => Number(one - other));

const buildTenderIds = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, n) => padId((first + n).toString(16)));

/** Moves the clock of the service, and wakes its senders, which wait by the machine's. */
function passTime(hours: number): void {
  running.clock.advance((hours * HOUR) / 1_000);
  running.bus.connection.publish(signalSubjects.registerApplied);
}

/** Computes the signature by the standard; `webhook-message.test.ts` compares it with the library, which has no clock to be set. */
function computeSignature(secret: string, headers: Readonly<Record<string, string>>, text: string): string {
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  mac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  return `v1,${mac.digest('base64')}`;
}

/** The accepted positions of each tender are in order. */
function expectOrdered(receiver: WebhookReceiver): void {
  const last = new Map<string, bigint>();
  const seen = new Set<bigint>();
  for (const { tender, position, status } of receiver.messages) {
    if (position === 0n || status !== 200 || seen.has(position)) continue;
    expect(position).toBeGreaterThan(last.get(tender) ?? 0n);
    last.set(tender, position);
    seen.add(position);
  }
}

describe('startSendingWebhooks', () => {
  it('sends signed changes after the verification, and stores how far it came', async () => {
    const { id, secret, receiver, state } = await subscribe();
    const [challenge] = receiver.messages;
    expect(challenge?.type).toBe('webhook.verify');
    const positions = await running.publish(buildTenderIds(3));
    await until('all deliveries', () => receiver.accepted().length === 3);
    expect(inOrder(receiver.accepted())).toEqual(positions);
    for (const { headers, text, position } of receiver.messages) {
      expect(headers['webhook-id']).toContain(`wh_${id}_${position === 0n ? '' : position}`);
      expect(headers['webhook-signature']).toBe(computeSignature(secret, headers, text));
    }
    expect(JSON.parse(receiver.messages.at(-1)?.text ?? '')).toMatchObject({
      type: 'tender.created',
      data: { uri: expect.stringContaining('https://api.example.org/api/2.5/tenders/') },
    });
    await until('the position', async () => (await state()).position === secondsText(positions.at(-1) ?? 0n));
    const deliveries = (await running.send('GET', `/${id}/deliveries?limit=2`)).json();
    expect(deliveries.data).toMatchObject([
      { type: 'tender.created', status: 200, attempt: 1 },
      { type: 'tender.created', status: 200, attempt: 1 },
    ]);
    expect(deliveries.next_page.uri).toContain('cursor=');
  });

  it('ends complete and in order at a receiver that fails half of the time (A20)', async () => {
    const { receiver, state } = await subscribe({ concurrency: 8 });
    // No, one or two failures of each change, and so of half of all requests.
    const failures = new Map<bigint, number>();
    receiver.reply = ({ position }) => {
      const count = failures.get(position) ?? 0;
      failures.set(position, count + 1);
      return count < Number(position % 3n) ? 500 : 200;
    };
    const tenders = buildTenderIds(8, 100);
    const positions = await running.publish(Array.from({ length: 72 }, (_, at) => tenders[(at * 7) % 8] ?? ''));
    await until('all deliveries', async () => {
      passTime(6);
      return receiver.accepted().length === positions.length;
    });
    expect(inOrder(receiver.accepted())).toEqual(positions);
    expectOrdered(receiver);
    await until('nothing waits', async () => (await state()).waiting === 0);
    expect(await state()).toMatchObject({ status: 'active', deadLetters: 0 });
  });

  it('delays nobody by one tender that always fails, gives it up after 72 hours, and retries it on demand (A22)', async () => {
    const { id, receiver, state } = await subscribe();
    const [poison = '', ...others] = buildTenderIds(5, 200);
    let isPoison = true;
    let failing: bigint | undefined;
    // The first change of the tender fails until it is given up; its later change is accepted at once.
    receiver.reply = ({ tender, position }) => {
      if (tender !== poison) return 200;
      failing ??= position;
      return isPoison && position === failing ? 500 : 200;
    };
    const [first = 0n, ...rest] = await running.publish([poison, ...others]);
    await until('the others', () => receiver.accepted().length === rest.length);
    const [second = 0n] = await running.publish([poison]);
    await until('two that wait', async () => (await state()).waiting === 2);
    const isDead = async (): Promise<boolean> => {
      passTime(24);
      // A success between the failures keeps the circuit closed.
      await running.publish(buildTenderIds(1, 300));
      return (await state()).deadLetters === 1;
    };
    // Each look publishes a change: more of them would be sent for longer than the attempts take.
    await waitFor(isDead, { what: 'the dead letter', timeoutMs: 90_000, intervalMs: 250 });
    isPoison = false;
    expect(receiver.messages.filter(({ position }) => position === first)).toHaveLength(11);
    await until('the later change of its tender', () => receiver.accepted().includes(second));
    expect((await running.send('GET', `/${id}/dead-letters`)).json().data).toMatchObject([
      { position: secondsText(first), tender: poison, attempts: 11, lastError: '500' },
    ]);
    expect((await running.send('POST', `/${id}/dead-letters/${secondsText(first)}/retry`, {})).statusCode).toBe(202);
    await until('the retried one', () => receiver.accepted().includes(first));
    expect(
      receiver.messages.find(({ position, status }) => position === first && status === 200)?.headers,
    ).toMatchObject({
      'x-redelivery': '1',
      'webhook-id': `wh_${id}_${first}`,
    });
  });

  it('delivers all after an outage of 71 hours, and is disabled after a longer one, from where it goes on (A21)', async () => {
    const { id, receiver, state } = await subscribe();
    let isDown = true;
    receiver.reply = () => (isDown ? 503 : 200);
    const positions = await running.publish(buildTenderIds(60, 400));
    const tries = async (): Promise<unknown> => {
      const text = 'SELECT tries FROM webhook WHERE id = $1 AND circuit_at IS NOT NULL';
      return (await running.database.pool.query(text, [id])).rows[0]?.tries;
    };
    await until('the open circuit', async () => (await tries()) === 0);
    const { length: before } = receiver.messages;
    for (let count = 1; count <= 3; count += 1) {
      passTime(0.25);
      // The time of the next try is reckoned from the end of this one, which comes after its message.
      await until('one try of the open circuit', async () => (await tries()) === count);
    }
    expect(receiver.messages).toHaveLength(before + 3);
    expect((await state()).deadLetters).toBe(0);
    await until('the end of a long outage', async () => {
      passTime(12);
      return (await state()).status === 'disabled';
    });
    expect((await state()).failingSince).toBeDefined();
    isDown = false;
    expect((await running.send('PATCH', `/${id}`, { status: 'active' })).statusCode).toBe(200);
    await until('all deliveries', () => receiver.accepted().length === positions.length);
    expectOrdered(receiver);
  });

  it('does not let one dead receiver delay others', async () => {
    const { webhookTransport } = running.deps;
    await sender.stop();
    // Attempts to the silent one do not end before the test: all that waited for one would never be sent.
    const post: typeof webhookTransport.post = async (request) =>
      webhookTransport.post({ ...request, timeoutMs: 3_600_000 });
    sender = running.startSender({ transport: { ...webhookTransport, post } });
    const [dead, slow, good] = [await subscribe(), await subscribe(), await subscribe()];
    await dead.receiver.stop();
    slow.receiver.reply = () => () => undefined;
    const tenders = buildTenderIds(50, 500);
    const positions = await running.publish(Array.from({ length: 500 }, (_, n) => tenders[n % 50] ?? ''));
    await until('all deliveries', () => good.receiver.accepted().length === positions.length);
    expectOrdered(good.receiver);
    await until('the end of an attempt', async () => (await dead.state())['lastError'] === 'connect');
    // Attempts to the silent one are under way, and few of them: the window bounds them.
    expect(slow.receiver.messages.length).toBeLessThanOrEqual(5);
    receivers.splice(receivers.indexOf(dead.receiver), 1);
    await sender.stop();
    sender = running.startSender();
  });

  it('sends what was settled by no process again after a kill, from another replica, and nothing twice otherwise (A25)', async () => {
    const { id, receiver, state } = await subscribe();
    const { pool } = running.database;
    // As if the process that had sent was killed before it could store anything: its lease ends, and nobody has given it back.
    await sender.stop();
    await pool.query(
      "UPDATE webhook SET lease_owner = 'killed', lease_until = now() + interval '1 second' WHERE id = $1",
      [id],
    );
    const positions = await running.publish(buildTenderIds(40, 600));
    const replicas = [running.startSender({ leaseMs: 1_500 }), running.startSender({ leaseMs: 1_500 })];
    await until('all deliveries', () => receiver.accepted().length === positions.length);
    const sent = receiver.messages.map(({ position }) => position).filter((position) => position > 0n);
    expect(inOrder(sent)).toEqual(positions);
    await until('the position', async () => (await state()).position === secondsText(positions.at(-1) ?? 0n));
    // The position is set back by what a killed process had not stored: the same ids again.
    await Promise.all(replicas.map(async (replica) => replica.stop()));
    await pool.query('UPDATE webhook SET position = $2 WHERE id = $1', [id, positions[37]]);
    sender = running.startSender();
    await until('the repetition', () => receiver.messages.length === sent.length + 3);
    expect(new Set(receiver.messages.slice(1).map(({ headers }) => headers['webhook-id'])).size).toBe(positions.length);
  });

  it('sends again on demand, from a position or in a range', async () => {
    const { id, receiver, state } = await subscribe();
    const positions = await running.publish(buildTenderIds(6, 700));
    await until('all deliveries', () => receiver.accepted().length === 6);
    await until('the position', async () => (await state()).position === secondsText(positions[5] ?? 0n));
    receiver.messages.length = 0;
    const text = (n: number): string => secondsText(positions[n] ?? 0n);
    const range = await running.send('POST', `/${id}/redeliver`, { from: text(0), to: text(2) });
    expect([range.statusCode, range.json().data.position]).toEqual([202, text(5)]);
    await until('the range', () => receiver.accepted().length === 2);
    const back = await running.send('POST', `/${id}/redeliver`, { from: text(3) });
    expect([back.statusCode, back.json().data.position]).toEqual([202, text(3)]);
    await until('the changes after it', () => receiver.accepted().length === 4);
    expect(inOrder(receiver.accepted())).toEqual([1, 2, 4, 5].map((n) => positions[n]));
    expect(receiver.messages.every(({ headers }) => headers['x-redelivery'] === '1')).toBe(true);
    const later = await running.publish(buildTenderIds(1, 710));
    await until('the new one', () => receiver.accepted().includes(later[0] ?? 0n));
    expect(receiver.messages.at(-1)?.headers['x-redelivery']).toBeUndefined();
  });

  it('signs with both secrets while they are valid (W4)', async () => {
    const { id, secret, receiver } = await subscribe();
    const rotated = await running.send('POST', `/${id}/secret`, { oldValid: 'PT1H' });
    const next: string = rotated.json().data.secret;
    const signatures = async (): Promise<number> => {
      const count = receiver.messages.length;
      await running.publish(buildTenderIds(1, 720));
      await until('the delivery', () => receiver.messages.length > count);
      return receiver.messages.at(-1)?.headers['webhook-signature']?.split(' ').length ?? 0;
    };
    expect(next).not.toBe(secret);
    expect(await signatures()).toBe(2);
    passTime(1.01);
    expect(await signatures()).toBe(1);
    const { headers = {}, text = '' } = receiver.messages.at(-1) ?? {};
    expect(headers['webhook-signature']).toBe(computeSignature(next, headers, text));
  });

  it('sends nothing to a broker without a key, and goes on when it has one again (A26)', async () => {
    const { receiver, state } = await subscribe({}, 'leaving');
    const check = async (status: string): Promise<void> => {
      await waitFor(
        async () => {
          running.brokersChanged();
          return (await state()).status === status;
        },
        { what: status },
      );
    };
    running.revoked.add('leaving');
    await check('suspended');
    const [position = 0n] = await running.publish(buildTenderIds(1, 730));
    expect(receiver.accepted()).toEqual([]);
    running.revoked.delete('leaving');
    await check('active');
    await until('the delivery', () => receiver.accepted().includes(position));
  });

  it('stops at 410, and sends nothing after a deletion was answered', async () => {
    const [gone, deleted] = [await subscribe(), await subscribe()];
    gone.receiver.reply = () => 410;
    const pending: (() => void)[] = [];
    deleted.receiver.reply = () => (response) => void pending.push(() => response.writeHead(200).end());
    await running.publish(buildTenderIds(8, 740));
    await until('the disabled one', async () => (await gone.state()).status === 'disabled');
    await until('attempts under way', () => pending.length === 4);
    expect((await running.send('DELETE', `/${deleted.id}`)).json().data.status).toBe('active');
    const count = deleted.receiver.messages.length;
    for (const finish of pending) finish();
    await running.publish(buildTenderIds(3, 750));
    expect((await running.send('GET', `/${deleted.id}`)).statusCode).toBe(404);
    expect(deleted.receiver.messages.length).toBe(count);
  });

  it('disables an address that does not repeat the challenge, after four attempts', async () => {
    const receiver = await webhookReceiver();
    receivers.push(receiver);
    receiver.isVerifying = false;
    const { id } = (await running.send('POST', '', { url: receiver.url })).json().data;
    await until('the end', async () => {
      passTime(0.05);
      return (await running.send('GET', `/${id}`)).json().data.status === 'disabled';
    });
    expect(receiver.messages.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'webhook.verify'));
  });
});
