import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import { noticeFor, type StreamedRevision } from '../revisions/domain/change-notice.ts';
import { makeDeliveryWindow, type DeliveryWindow, type DueChange } from './domain/delivery-window.ts';
import type { Filter } from '../requests/domain/filters.ts';
import { readFilter } from './domain/webhook-filter.ts';
import { messageId } from './webhook-message.ts';
import { isDue, retryAt } from './domain/webhook-schedule.ts';
import { failureText, type StoredWebhook } from './domain/webhook.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { DeliveryProgress } from './delivery-progress.ts';
import { PAGE_ROWS, type RevisionPages } from './revision-pages.ts';
import type { LoadedWebhook, RedeliveryRange, WebhookDeliveryStore } from './webhook-delivery.store.ts';
import { makeWebhookMessages, type MessageDeps, type WebhookMessages } from './webhook-messages.ts';
import type { TransportAnswer } from './webhook-transport.ts';
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
const NOTHING_TO_SEND_MS = 100;
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

/** What a sender has in memory of one version of a webhook (register.md 5.3). */
export class WebhookSession {
  readonly version: number;
  readonly #webhook: StoredWebhook;
  readonly #deps: WebhookSessionDeps;
  readonly #hooks: SessionHooks;
  readonly #filter: Filter;
  readonly #messages: WebhookMessages;
  readonly #window: DeliveryWindow;
  readonly #progress: DeliveryProgress;
  /** Revisions of changes that were read and are not settled. */
  readonly #revisions = new Map<bigint, StreamedRevision>();
  readonly #running = new Set<Promise<void>>();
  #saving: Promise<void> | undefined;
  #savedAtMs: number;
  #isLost = false;
  /** Nothing is tried before, after an error that is here and not at the receiver. Monotonic. */
  #troubleUntilMs = 0;
  /** The log is not read before. */
  #readAt = 0;

  constructor(loaded: LoadedWebhook, deps: WebhookSessionDeps, hooks: SessionHooks) {
    this.version = loaded.webhook.version;
    this.#webhook = loaded.webhook;
    this.#deps = deps;
    this.#hooks = hooks;
    this.#filter = requireFilter(loaded.webhook);
    this.#messages = makeWebhookMessages(loaded, deps);
    this.#window = makeDeliveryWindow({ ...loaded.webhook, parked: loaded.parked });
    this.#progress = new DeliveryProgress(loaded);
    this.#savedAtMs = deps.nowMs();
  }

  /** Reads, sends and stores what is due. Returns how long to wait for the next call, in milliseconds. */
  async step(): Promise<number> {
    if (this.#isLost) throw new LeaseLostError();
    const { nowMs } = this.#deps;
    if (nowMs() < this.#troubleUntilMs) return this.#troubleUntilMs - nowMs();
    try {
      if (this.#progress.status === 'pending') await this.#verify();
      else {
        await this.#read();
        await this.#launch();
      }
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      this.#pauseAfter(error, 'changes not read for a webhook');
    }
    this.#saveSoon();
    return this.#pauseMs();
  }

  /** The webhook was disabled, and nothing is left to store. */
  isOver(): boolean {
    const isBusy = this.#progress.hasUnsaved() || this.#running.size > 0 || this.#saving !== undefined;
    return this.#progress.status === 'disabled' && !isBusy;
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
    await this.#saving;
    if (!this.#isLost && (this.#progress.hasUnsaved() || this.#window.hasChanges())) await this.#save();
  }

  #isStopped(): boolean {
    return this.#hooks.signal.aborted || this.#isLost || this.#progress.status === 'disabled';
  }

  #pauseAfter(error: unknown, what: string): void {
    this.#deps.log.warn({ err: error, webhookId: this.#webhook.id }, what);
    this.#troubleUntilMs = this.#deps.nowMs() + TROUBLE_MS;
  }

  /** A number from 0 to 1. */
  #random(): number {
    return Number.parseInt(this.#deps.ids.next().slice(-6), 16) / 2 ** 24;
  }

  /** Reads until there is enough to send, nothing more is there, or a page had nothing that matches. */
  async #read(): Promise<void> {
    const { clock, pages } = this.#deps;
    const canRead = (now: number): boolean => now >= this.#readAt && this.#window.canRead(this.#progress.circuit(now));
    while (!this.#isStopped() && canRead(clock.now())) {
      const head = await pages.head();
      if (head === undefined || head <= this.#window.readTo) return;
      const page = await pages.page(this.#window.readTo, head);
      const last = page.at(-1);
      const upTo = page.length < PAGE_ROWS || last === undefined ? head : last.position;
      const matching = page.filter((revision) => noticeFor(this.#filter, revision) !== undefined);
      for (const revision of matching) this.#revisions.set(revision.position, revision);
      this.#window.add(
        matching.map(({ position, tender }) => ({ position, tender: tender.id })),
        upTo,
      );
      if (matching.length === 0) this.#readAt = clock.now() + NOTHING_TO_SEND_MS * 1_000;
    }
  }

  async #launch(): Promise<void> {
    const { clock, slots } = this.#deps;
    const now = clock.now();
    const limit = this.#progress.health.failures >= FAILURES_TO_SLOW ? 1 : this.#webhook.concurrency;
    while (!this.#isStopped() && this.#running.size < limit) {
      if (!slots.take(this.#running.size, this.#hooks.notify)) return;
      const change = this.#window.next(now, this.#progress.circuit(now));
      const range = change === undefined && this.#running.size === 0 ? this.#progress.dueRange(now) : undefined;
      if (change === undefined && range === undefined) return slots.give();
      try {
        await this.#hooks.confirm(this.version);
      } catch (error) {
        if (change !== undefined) this.#window.abandon(change);
        slots.give();
        throw error;
      }
      if (change !== undefined) this.#start(this.#sendChange(change));
      else if (range !== undefined) this.#start(this.#sendOfRange(range));
    }
  }

  /** Each has a slot, and gives it back. */
  #start(attempt: Promise<void>): void {
    const recorded = attempt
      .catch((error: unknown) => this.#pauseAfter(error, 'change not sent to a webhook'))
      .finally(() => {
        this.#running.delete(recorded);
        this.#deps.slots.give();
        this.#hooks.notify();
      });
    this.#running.add(recorded);
  }

  async #sendChange(change: DueChange): Promise<void> {
    const { signal } = this.#hooks;
    let answer: TransportAnswer | undefined;
    try {
      const revision = this.#revisions.get(change.position) ?? (await this.#deps.pages.one(change.position));
      const notice = revision === undefined ? undefined : noticeFor(this.#filter, revision);
      // Voided by a restore, or it does not match a filter that was changed since.
      if (revision === undefined || notice === undefined) return this.#recordDelivered(change);
      const { body, type } = await this.#messages.ofRevision(revision, notice);
      if (signal.aborted) return this.#window.abandon(change);
      const id = messageId(this.#webhook.id, change.position);
      answer = await this.#messages.send(id, body, change.redelivery, signal);
      if (signal.aborted && !answer.ok) return this.#window.abandon(change);
      this.#recordAttempt(change, type, answer);
    } catch (error) {
      if (answer === undefined) this.#window.abandon(change);
      throw error;
    }
  }

  #recordAttempt(change: DueChange, type: string, answer: TransportAnswer): void {
    const now = this.#deps.clock.now();
    const { position, attempts } = change;
    const isFree = this.#progress.health.circuitAt !== undefined;
    this.#judge(answer, now);
    this.#progress.addAttempt(answer, { type, position, at: now, attempt: attempts + 1 });
    if (answer.ok) return this.#recordDelivered(change);
    const again = retryAt(now, attempts + 1, this.#random(), answer);
    const { circuitAt, nextAt } = this.#progress.health;
    // With an open circuit nothing is given up.
    const fallback = circuitAt === undefined ? undefined : (nextAt ?? now);
    this.#window.failed(change, { retryAt: again ?? fallback, isFree, now, error: failureText(answer) });
    this.#revisions.delete(position);
  }

  #recordDelivered(change: DueChange): void {
    this.#window.delivered(change);
    this.#revisions.delete(change.position);
  }

  #judge(answer: TransportAnswer, now: number): void {
    this.#deps.count(answer.ok ? 'delivered' : 'failed');
    this.#progress.judge(answer, { now, parked: this.#window.parkedCount + 1, random: this.#random() });
  }

  async #sendOfRange(range: RedeliveryRange): Promise<void> {
    const { clock, pages } = this.#deps;
    const { signal } = this.#hooks;
    const page = await pages.page(range.position, range.upTo);
    const revision = page.find((one) => noticeFor(this.#filter, one) !== undefined);
    const notice = revision === undefined ? undefined : noticeFor(this.#filter, revision);
    if (revision === undefined || notice === undefined) {
      const last = page.length < PAGE_ROWS ? undefined : page.at(-1);
      const nextAt = clock.now() + NOTHING_TO_SEND_MS * 1_000;
      return this.#progress.moveRange(range, last?.position ?? range.upTo, nextAt);
    }
    const { position } = revision;
    const { body, type } = await this.#messages.ofRevision(revision, notice);
    const answer = await this.#messages.send(messageId(this.#webhook.id, position), body, true, signal);
    if (signal.aborted && !answer.ok) return;
    const now = clock.now();
    const attempts = range.attempts + 1;
    this.#judge(answer, now);
    this.#progress.addAttempt(answer, { type, position, at: now, attempt: attempts });
    const nextAt = answer.ok ? undefined : retryAt(now, attempts, this.#random(), answer);
    // After the last attempt the range goes on with the next change: the list of attempts has what was refused.
    if (nextAt === undefined) this.#progress.moveRange(range, position, now);
    else this.#progress.replaceRange({ ...range, attempts, nextAt });
  }

  /** Asks whether the address accepts webhooks (register.md 5.5). */
  async #verify(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#hooks;
    const sentAt = clock.now();
    if (!isDue(this.#progress.health.nextAt, sentAt)) return;
    await this.#hooks.confirm(this.version);
    const outcome = await sendChallenge(this.#messages, this.#webhook.id, { ...this.#deps, signal });
    if (!signal.aborted) this.#progress.judgeChallenge(outcome, { sentAt, now: clock.now() });
  }

  /** Stores what was settled, beside the attempts that are under way. */
  #saveSoon(): void {
    if (this.#saving !== undefined || this.#isLost) return;
    const sinceMs = this.#deps.nowMs() - this.#savedAtMs;
    const isDueNow = this.#progress.hasUnsaved() && (this.#running.size === 0 || sinceMs >= SAVE_EVERY_MS);
    if (!isDueNow && !(this.#window.hasChanges() && sinceMs >= CURSOR_EVERY_MS)) return;
    this.#saving = this.#save().finally(() => {
      this.#saving = undefined;
      this.#hooks.notify();
    });
  }

  async #save(): Promise<void> {
    const { deliveries, nowMs, owner } = this.#deps;
    const { stored, putBack } = this.#progress.take();
    const changes = this.#window.takeChanges();
    this.#savedAtMs = nowMs();
    try {
      const isHeld = await deliveries.save(owner, this.#webhook, { changes, ...stored });
      if (isHeld) this.#hooks.held(this.#savedAtMs);
      else this.#isLost = true;
    } catch (error) {
      this.#window.restoreChanges(changes);
      putBack();
      this.#pauseAfter(error, 'deliveries of a webhook not stored');
    }
  }

  #pauseMs(): number {
    if (this.#progress.hasUnsaved()) return SAVE_EVERY_MS;
    const now = this.#deps.clock.now();
    const readAgainAt = this.#readAt > now ? this.#readAt : undefined;
    const times = [readAgainAt, this.#window.nextDueAt(), ...this.#progress.rangesDueAt()].filter(
      (at) => at !== undefined,
    );
    const dueAt = this.#progress.health.nextAt ?? Math.min(...times);
    return Math.min(Math.max((dueAt - now) / 1_000, SAVE_EVERY_MS), IDLE_MS);
  }
}

/** Throws for a filter that this release cannot read: the webhook must not send everything instead. */
function requireFilter({ filter }: StoredWebhook): Filter {
  const reading = readFilter(filter);
  if ('invalid' in reading) throw new Error(`unreadable filter: ${reading.invalid.join()}`);
  return reading.filter;
}
