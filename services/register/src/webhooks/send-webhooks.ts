import { signalSubjects, streams } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { startLoop, type Loop, type LoopOptions, type Round } from '@procurement/kit/runtime/loop';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import { askHasKey } from '../requests/broker-keys.ts';
import type { WebhookCounts } from './webhook-delivery.store.ts';
import { runWebhook, type RunWebhookDeps, type WebhookRunner } from './run-webhook.ts';

export interface SendWebhooksDeps extends Omit<RunWebhookDeps, 'count'> {
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** Sends the webhooks of which this process has the leases. */
export interface WebhookSender {
  /** What is stuck here; receivers that fail are not. */
  details(): readonly ReadyDetail[];
  stop(): Promise<void>;
}

/** Pause between claims of webhooks whose process was killed: leases are longer. The owner's changes come by a signal. */
const CLAIM_EVERY_MS = 5_000;
const CLAIMED_MAX = 50;
const BROKERS_EVERY_MS = 15_000;
const COUNTS_EVERY_MS = 10_000;
const PURGE_EVERY_MS = 600_000;
/** A sender whose loop has not run for so long hangs, and loses its lease. */
const HUNG_MS = 60_000;

/**
 * Takes leases of webhooks and runs one sender for each. Every replica may do it: a webhook whose process was killed is taken by
 * another one when its lease ends.
 */
export function startSendingWebhooks(deps: SendWebhooksDeps): WebhookSender {
  const { deliveries, bus, log, metrics, clock, nowMs, owner, leaseMs } = deps;
  const runners = new Map<string, WebhookRunner>();
  let counts: WebhookCounts = { parked: 0, oldestSeconds: 0, unheld: 0, circuits: 0 };
  const countAttempt = makeCount(metrics);
  metrics.gauge('webhook_parked', 'Changes that receivers have not accepted yet', () => counts.parked);
  metrics.gauge('webhook_oldest_seconds', 'Age of the oldest of them', () => counts.oldestSeconds);
  metrics.gauge(
    'webhook_circuits',
    'Webhooks whose receiver fails, and is tried from time to time',
    () => counts.circuits,
  );
  metrics.gauge('webhook_unheld', 'Webhooks that no process has sent for a minute', () => counts.unheld);
  metrics.gauge('webhook_senders', 'Webhooks that this process sends', () => runners.size);

  const failure = 'webhooks: a periodic task failed';
  const repeat = (pauseMs: number, work: Round, options: Partial<LoopOptions> = {}): Loop =>
    startLoop(work, { firstMs: pauseMs, pauseMs, log, failure, ...options });
  const claims = repeat(CLAIM_EVERY_MS, claim, { firstMs: 0 });
  const brokers = repeat(BROKERS_EVERY_MS, checkBrokers, { firstMs: 0 });
  const loops = [
    claims,
    brokers,
    // A failure leaves time for several attempts before the leases end.
    repeat(leaseMs / 3, renew, { failedMs: leaseMs / 10 }),
    repeat(COUNTS_EVERY_MS, async () => {
      counts = await deliveries.counts(clock.now());
    }),
    repeat(PURGE_EVERY_MS, async () => deliveries.purge(clock.now())),
  ];
  bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, {
      callback: () => {
        for (const runner of runners.values()) runner.wake();
      },
    });
    connection.subscribe(signalSubjects.webhookChanged, {
      callback: (_error, message) => void reload(message.string()),
    });
    connection.subscribe(streams.brokers.subjects[0], { callback: () => brokers.wake() });
  });

  async function claim(stopping: AbortSignal): Promise<void> {
    for (const id of await deliveries.claim({ owner, leaseMs }, CLAIMED_MAX)) {
      if (stopping.aborted || runners.has(id)) continue;
      const runner = runWebhook(id, { ...deps, count: countAttempt });
      runners.set(id, runner);
      void runner.ended.then(() => {
        if (runners.get(id) === runner) runners.delete(id);
        claims.wake();
      });
    }
  }

  async function renew(): Promise<void> {
    const atMs = nowMs();
    const alive = [...runners].filter(([, runner]) => atMs - runner.tickedAtMs() < HUNG_MS);
    if (alive.length === 0) return;
    const held = await deliveries.renew(
      { owner, leaseMs },
      alive.map(([id]) => id),
    );
    for (const [id, runner] of alive) {
      const version = held.get(id);
      if (version === undefined) void runner.stop();
      else runner.renewed(atMs, version);
    }
  }

  /** The owner has changed it: what a sender here has in memory is out of date. */
  async function reload(id: string): Promise<void> {
    await runners.get(id)?.stop();
    claims.wake();
  }

  /** A broker without a key gets nothing (register.md 5.5). Without an answer all stays as it is. */
  async function checkBrokers(): Promise<void> {
    for (const name of await deliveries.brokers()) {
      const hasKey = await askHasKey(bus, name);
      if (hasKey === undefined) return;
      const isSuspended = !hasKey;
      const changed = await deliveries.setSuspended(name, isSuspended);
      if (changed.length > 0) log.info({ broker: name, webhooks: changed.length, isSuspended }, 'webhooks of a broker');
      await Promise.all(changed.map(reload));
    }
  }

  return {
    details: () => {
      const broken = [...runners.values()].filter((runner) => runner.isBroken()).length;
      return [
        buildDetail('unheld', counts.unheld, 'no process sends these webhooks'),
        buildDetail('broken', broken, 'these webhooks cannot be sent, see the log'),
      ].filter(({ count }) => count > 0);
    },
    async stop() {
      await Promise.all(loops.map(async (loop) => loop.stop()));
      await Promise.all([...runners.values()].map(async (runner) => runner.stop()));
    },
  };
}

function buildDetail(name: string, count: number, text: string): ReadyDetail {
  return { kind: 'webhooks', name, count, text };
}

function makeCount(metrics: Metrics): RunWebhookDeps['count'] {
  const help = 'Attempts to deliver';
  const counters = {
    delivered: metrics.counter('webhook_attempts_total', help, { outcome: 'delivered' }),
    failed: metrics.counter('webhook_attempts_total', help, { outcome: 'failed' }),
  };
  return (outcome) => counters[outcome].increment();
}
