import { makeSignal } from '@procurement/kit/runtime/signal';
import type { WebhookDeliveryStore } from './webhook-delivery.store.ts';
import { LeaseLostError, WebhookSession, type WebhookSessionDeps } from './webhook-session.ts';

export interface RunWebhookDeps extends WebhookSessionDeps {
  readonly deliveries: WebhookDeliveryStore;
  readonly leaseMs: number;
}

/** The sender of one webhook, as long as this process has its lease. */
export interface WebhookRunner {
  /** Something may have been published. */
  wake(): void;
  /** The lease was renewed at this moment, for a version of the webhook. */
  renewed(atMs: number, version: number): void;
  /** Time at which its loop last ran: a lease is not renewed for a loop that hangs. */
  tickedAtMs(): number;
  /** It cannot send, for a reason that is here and not at the receiver. */
  isBroken(): boolean;
  /** Ends attempts that are under way, stores what was settled, and gives the lease back. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

/** A lease that was confirmed longer ago than this is confirmed again before the next attempt. */
const CONFIRMED_MS = 1_000;
/** Pause after an error that a retry may not mend, such as a secret under a key that is gone. */
const BROKEN_MS = 5_000;

/** Sends the changes of one webhook in order (register.md 5.3). */
export function runWebhook(id: string, deps: RunWebhookDeps): WebhookRunner {
  const { deliveries, clock, nowMs, owner, log } = deps;
  const wake = makeSignal();
  const abort = new AbortController();
  let confirmedAtMs = nowMs();
  let tickedAtMs = nowMs();
  let session: WebhookSession | undefined;
  let isBroken = false;

  async function pauseUnlessAborted(ms: number): Promise<void> {
    const endsAtMs = nowMs() + ms;
    while (!abort.signal.aborted && nowMs() < endsAtMs) await wake.wait(endsAtMs - nowMs());
  }

  async function run(): Promise<void> {
    try {
      const loaded = await deliveries.load(owner, id, clock.now());
      if (loaded === undefined) return;
      session = new WebhookSession(loaded, deps, {
        signal: abort.signal,
        confirm,
        held: (atMs) => {
          confirmedAtMs = Math.max(confirmedAtMs, atMs);
        },
        notify: () => wake.notify(),
      });
      while (!abort.signal.aborted && !session.isOver()) {
        tickedAtMs = nowMs();
        const pauseMs = await session.step();
        await wake.wait(pauseMs);
      }
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      log.error({ err: error, webhookId: id }, 'webhook not sent');
      isBroken = true;
      await pauseUnlessAborted(BROKEN_MS);
    } finally {
      abort.abort();
      await session
        ?.close()
        .catch((error: unknown) => log.warn({ err: error, webhookId: id }, 'deliveries not stored'));
      await deliveries
        .release(owner, id)
        .catch((error: unknown) => log.warn({ err: error, webhookId: id }, 'lease of a webhook not released'));
    }
  }

  /** Throws when an attempt must not begin. */
  async function confirm(version: number): Promise<void> {
    if (nowMs() - confirmedAtMs < CONFIRMED_MS) return;
    const atMs = nowMs();
    const held = await deliveries.renew({ owner, leaseMs: deps.leaseMs }, [id]);
    if (held.get(id) !== version) throw new LeaseLostError();
    confirmedAtMs = atMs;
  }

  const ended = run();
  return {
    wake: () => wake.notify(),
    renewed(atMs, version) {
      if (session === undefined || session.version === version) confirmedAtMs = Math.max(confirmedAtMs, atMs);
      else abort.abort();
      if (abort.signal.aborted) wake.notify();
    },
    tickedAtMs: () => tickedAtMs,
    isBroken: () => isBroken,
    async stop() {
      abort.abort();
      wake.notify();
      await ended;
    },
    ended,
  };
}
