import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import { noticeFor, type StreamedRevision } from '../revisions/domain/change-notice.ts';
import { makeDeliveryWindow, type Circuit, type DeliveryWindow, type DueChange } from './domain/delivery-window.ts';
import type { Filter } from '../requests/domain/filters.ts';
import { readFilter } from './domain/webhook-filter.ts';
import { messageId } from './webhook-message.ts';
import { healthAfter, isDue, retryAt, verifyAgainAt } from './domain/webhook-schedule.ts';
import { failureText, type AttemptOutcome, type StoredWebhook, type WebhookHealth } from './domain/webhook.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { PAGE_ROWS, type RevisionPages } from './revision-pages.ts';
import type { LoadedWebhook, RedeliveryRange, WebhookDeliveryStore } from './webhook-delivery.store.ts';
import { makeWebhookMessages, type MessageDeps } from './webhook-messages.ts';
import type { TransportAnswer } from './webhook-transport.ts';
import { attemptOf, emptyUnsaved, mergeUnsaved } from './unsaved-progress.ts';
import { sendChallenge } from './webhook-challenge.ts';

export interface WebhookSessionDeps extends MessageDeps {
  readonly deliveries: Pick<WebhookDeliveryStore, 'save'>;
  readonly pages: RevisionPages;
  readonly slots: AttemptSlots;
  readonly ids: IdGenerator;
  readonly log: Logger;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** The process, in leases. */
  readonly owner: string;
  readonly count: (outcome: 'delivered' | 'failed') => void;
}

const IDLE_MS = 1_000;
const SAVE_EVERY_MS = 25;
/** Pause after which a cursor that moves without a delivery is stored. */
const CURSOR_EVERY_MS = 10_000;
const TROUBLE_MS = 1_000;
/** Pause after a page of revisions of which none matches: a filter that matches nothing must not read the whole log at once. */
const UNMATCHED_PAGE_MS = 100;
/** One change is tried at a time from so many failures without a success on. */
const FAILURES_TO_SLOW = 3;

/** The lease is lost, or the owner has changed the webhook: what is in memory is out of date. */
export class LeaseLostError extends Error {}

export interface SessionHooks {
  readonly signal: AbortSignal;
  readonly confirm: (version: number) => Promise<void>;
  /** The lease was seen to be held at this moment. */
  readonly held: (atMs: number) => void;
  readonly notify: () => void;
}

export interface WebhookSession {
  readonly version: number;
  /** Reads, sends and stores what is due. Returns how long to wait for the next call, in milliseconds. */
  step(): Promise<number>;
  /** The webhook was disabled. */
  isOver(): boolean;
  close(): Promise<void>;
}

/** What a sender has in memory of one version of a webhook (register.md 5.3). */
export function makeWebhookSession(
  loaded: LoadedWebhook,
  deps: WebhookSessionDeps,
  hooks: SessionHooks,
): WebhookSession {
  const { signal, confirm, notify } = hooks;
  const { deliveries, pages, clock, nowMs, owner, slots } = deps;
  const { webhook } = loaded;
  const filter = filterOf(webhook);
  const message = makeWebhookMessages(loaded, deps);
  const window: DeliveryWindow = makeDeliveryWindow({ ...webhook, parked: loaded.parked });
  /** Revisions of changes that were read and not settled. */
  const revisions = new Map<bigint, StreamedRevision>();
  const running = new Set<Promise<void>>();
  let ranges = [...loaded.ranges];
  let health: WebhookHealth = webhook;
  let { status } = webhook;
  let { verified } = webhook;
  let unsaved = emptyUnsaved();
  let savedAtMs = nowMs();
  let saving: Promise<void> | undefined;
  let isLost = false;
  let troubleUntilMs = 0;
  let readAt = 0;

  const random = (): number => Number.parseInt(deps.ids.next().slice(-6), 16) / 2 ** 24;
  const isStopped = (): boolean => signal.aborted || isLost || status === 'disabled';

  const circuit = (now: number): Circuit => ({
    isOpen: health.circuitAt !== undefined,
    isDue: isDue(health.nextAt, now),
  });

  async function step(): Promise<number> {
    if (isLost) throw new LeaseLostError();
    if (nowMs() < troubleUntilMs) return troubleUntilMs - nowMs();
    try {
      if (status === 'pending') await verify();
      else {
        await read();
        await launch();
      }
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      deps.log.warn({ err: error, webhookId: webhook.id }, 'changes not read for a webhook');
      troubleUntilMs = nowMs() + TROUBLE_MS;
    }
    saveSoon();
    return pauseMs();
  }

  /** Reads until there is enough to send, nothing more is there, or a page had nothing that matches. */
  async function read(): Promise<void> {
    while (!isStopped() && clock.now() >= readAt && window.canRead(circuit(clock.now()))) {
      const head = await pages.head();
      if (head === undefined || head <= window.readTo) return;
      const page = await pages.page(window.readTo, head);
      const last = page.at(-1);
      const upTo = page.length < PAGE_ROWS || last === undefined ? head : last.position;
      const matching = page.filter((revision) => noticeFor(filter, revision) !== undefined);
      for (const revision of matching) revisions.set(revision.position, revision);
      window.add(
        matching.map(({ position, tender }) => ({ position, tender: tender.id })),
        upTo,
      );
      if (matching.length === 0) readAt = clock.now() + UNMATCHED_PAGE_MS * 1_000;
    }
  }

  async function launch(): Promise<void> {
    const now = clock.now();
    const limit = health.failures >= FAILURES_TO_SLOW ? 1 : webhook.concurrency;
    while (!isStopped() && running.size < limit) {
      if (!slots.take(running.size, notify)) return;
      const change = window.next(now, circuit(now));
      const range = change === undefined && running.size === 0 ? dueRange(now) : undefined;
      if (change === undefined && range === undefined) return slots.give();
      try {
        await confirm(webhook.version);
      } catch (error) {
        if (change !== undefined) window.abandon(change);
        slots.give();
        throw error;
      }
      if (change !== undefined) start(sendChange(change));
      else if (range !== undefined) start(sendOfRange(range));
    }
  }

  /** Each has a slot, and gives it back. */
  function start(attempt: Promise<void>): void {
    const settled = attempt
      .catch((error: unknown) => {
        deps.log.warn({ err: error, webhookId: webhook.id }, 'change not sent to a webhook');
        troubleUntilMs = nowMs() + TROUBLE_MS;
      })
      .finally(() => {
        running.delete(settled);
        slots.give();
        notify();
      });
    running.add(settled);
  }

  async function sendChange(change: DueChange): Promise<void> {
    const { position } = change;
    let answer: TransportAnswer | undefined;
    try {
      const revision = revisions.get(position) ?? (await pages.one(position));
      const notice = revision === undefined ? undefined : noticeFor(filter, revision);
      // Voided by a restore, or it does not match a filter that was changed since.
      if (revision === undefined || notice === undefined) return settleDelivered(change);
      const { body, type } = await message.ofRevision(revision, notice);
      if (signal.aborted) return window.abandon(change);
      answer = await message.send(messageId(webhook.id, position), body, change.redelivery, signal);
      if (signal.aborted && !answer.ok) return window.abandon(change);
      settle(change, type, answer);
    } catch (error) {
      if (answer === undefined) window.abandon(change);
      throw error;
    }
  }

  function settle(change: DueChange, type: string, answer: TransportAnswer): void {
    const now = clock.now();
    const { position, attempts } = change;
    const isFree = health.circuitAt !== undefined;
    judge(answer, now);
    unsaved.attempts.push(attemptOf(answer, { type, position, at: now, attempt: attempts + 1 }));
    if (answer.ok) return settleDelivered(change);
    const again = retryAt(now, attempts + 1, random(), answer);
    // With an open circuit nothing is given up.
    const fallback = health.circuitAt === undefined ? undefined : (health.nextAt ?? now);
    window.failed(change, { retryAt: again ?? fallback, isFree, now, error: failureText(answer) });
    revisions.delete(position);
  }

  function settleDelivered(change: DueChange): void {
    window.delivered(change);
    revisions.delete(change.position);
  }

  /** What an attempt shows of the receiver. */
  function judge(outcome: AttemptOutcome, now: number): void {
    deps.count(outcome.ok ? 'delivered' : 'failed');
    const { health: next, isOver } = healthAfter(health, outcome, {
      now,
      parked: window.parkedCount + 1,
      random: random(),
    });
    health = next;
    if (isOver) status = 'disabled';
  }

  /** Nothing is sent again beside the normal flow while the receiver fails. */
  function dueRange(now: number): RedeliveryRange | undefined {
    return health.circuitAt === undefined ? ranges.find(({ nextAt }) => isDue(nextAt, now)) : undefined;
  }

  async function sendOfRange(range: RedeliveryRange): Promise<void> {
    const page = await pages.page(range.position, range.upTo);
    const revision = page.find((one) => noticeFor(filter, one) !== undefined);
    const notice = revision === undefined ? undefined : noticeFor(filter, revision);
    if (revision === undefined || notice === undefined) {
      const last = page.length < PAGE_ROWS ? undefined : page.at(-1);
      return moveRange(range, last?.position ?? range.upTo, clock.now() + UNMATCHED_PAGE_MS * 1_000);
    }
    const { position } = revision;
    const { body, type } = await message.ofRevision(revision, notice);
    const answer = await message.send(messageId(webhook.id, position), body, true, signal);
    if (signal.aborted && !answer.ok) return;
    const now = clock.now();
    const attempts = range.attempts + 1;
    judge(answer, now);
    unsaved.attempts.push(attemptOf(answer, { type, position, at: now, attempt: attempts }));
    const nextAt = answer.ok ? undefined : retryAt(now, attempts, random(), answer);
    // After the last attempt the range goes on with the next change: the list of attempts has what was refused.
    if (nextAt === undefined) moveRange(range, position, now);
    else replaceRange({ ...range, attempts, nextAt });
  }

  function moveRange(range: RedeliveryRange, position: bigint, nextAt: number): void {
    if (position < range.upTo) return replaceRange({ ...range, position, attempts: 0, nextAt });
    ranges = ranges.filter(({ id }) => id !== range.id);
    unsaved.ranges.delete(range.id);
    unsaved.rangesDone.push(range.id);
  }

  function replaceRange(range: RedeliveryRange): void {
    ranges = ranges.map((one) => (one.id === range.id ? range : one));
    unsaved.ranges.set(range.id, range);
  }

  /** Whether the address accepts webhooks (register.md 5.5). */
  async function verify(): Promise<void> {
    const now = clock.now();
    if (!isDue(health.nextAt, now)) return;
    await confirm(webhook.version);
    const outcome = await sendChallenge(message, webhook.id, { ...deps, signal });
    if (signal.aborted) return;
    const tries = health.tries + 1;
    unsaved.attempts.push(attemptOf(outcome, { type: 'webhook.verify', at: now, attempt: tries }));
    if (outcome.ok) {
      [status, verified] = ['active', true];
      health = { failures: 0, tries: 0, lastSuccess: now };
      return;
    }
    const nextAt = verifyAgainAt(clock.now(), tries);
    health = { ...health, tries, lastError: failureText(outcome), ...(nextAt === undefined ? {} : { nextAt }) };
    if (nextAt === undefined) status = 'disabled';
  }

  /** Stores what was settled, beside the attempts that are under way. */
  function saveSoon(): void {
    if (saving !== undefined || isLost) return;
    const sinceMs = nowMs() - savedAtMs;
    const isIdle = running.size === 0;
    const isDueNow = hasUnsaved() && (isIdle || sinceMs >= SAVE_EVERY_MS);
    if (!isDueNow && !(window.hasChanges() && sinceMs >= CURSOR_EVERY_MS)) return;
    saving = save().finally(() => {
      saving = undefined;
      notify();
    });
  }

  /** Something beside the cursor. */
  function hasUnsaved(): boolean {
    const { attempts, ranges: moved, rangesDone } = unsaved;
    return attempts.length > 0 || moved.size > 0 || rangesDone.length > 0;
  }

  async function save(): Promise<void> {
    const taken = unsaved;
    unsaved = emptyUnsaved();
    const changes = window.takeChanges();
    savedAtMs = nowMs();
    try {
      const isHeld = await deliveries.save(owner, webhook, {
        changes,
        health,
        attempts: taken.attempts,
        ranges: [...taken.ranges.values()],
        rangesDone: taken.rangesDone,
        status: status === webhook.status ? undefined : status,
        verified,
      });
      if (isHeld) hooks.held(savedAtMs);
      else isLost = true;
    } catch (error) {
      window.restoreChanges(changes);
      unsaved = mergeUnsaved(taken, unsaved);
      troubleUntilMs = nowMs() + TROUBLE_MS;
      deps.log.warn({ err: error, webhookId: webhook.id }, 'deliveries of a webhook not stored');
    }
  }

  function pauseMs(): number {
    if (hasUnsaved()) return SAVE_EVERY_MS;
    const now = clock.now();
    const readAgainAt = readAt > now ? readAt : undefined;
    const times = [readAgainAt, window.nextDueAt(), ...ranges.map(({ nextAt }) => nextAt)].filter(
      (at) => at !== undefined,
    );
    const dueAt = health.nextAt ?? Math.min(...times);
    return Math.min(Math.max((dueAt - now) / 1_000, SAVE_EVERY_MS), IDLE_MS);
  }

  return {
    version: webhook.version,
    step,
    isOver: () => status === 'disabled' && !hasUnsaved() && running.size === 0 && saving === undefined,
    async close() {
      await Promise.all(running);
      await saving;
      if (!isLost && (hasUnsaved() || window.hasChanges())) await save();
    },
  };
}

/** Throws for a filter that this release cannot read: the webhook must not send everything instead. */
function filterOf({ filter }: StoredWebhook): Filter {
  const reading = readFilter(filter);
  if ('invalid' in reading) throw new Error(`unreadable filter: ${reading.invalid.join()}`);
  return reading.filter;
}
