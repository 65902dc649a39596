import type { Circuit } from './domain/delivery-window.ts';
import { failureText } from './domain/webhook.ts';
import type { AttemptOutcome, DeliveryAttempt, WebhookHealth, WebhookStatus } from './domain/webhook.ts';
import { healthAfter, isDue, verifyAgainAt } from './domain/webhook-schedule.ts';
import type { LoadedWebhook, RedeliveryRange, WebhookProgress } from './webhook-delivery.store.ts';

type AttemptOf = Pick<DeliveryAttempt, 'type' | 'position' | 'at' | 'attempt'>;

/** What is stored of the progress; changes of the window come beside it. */
type Stored = Omit<WebhookProgress, 'changes'>;

/** What is added to until it is taken to be stored. */
interface Unsaved {
  readonly attempts: DeliveryAttempt[];
  readonly ranges: Map<string, RedeliveryRange>;
  readonly rangesDone: string[];
}

function nothing(): Unsaved {
  return { attempts: [], ranges: new Map(), rangesDone: [] };
}

/**
 * What a sender knows of a receiver, and what it has settled and not stored: health, status, attempts and ranges of redelivery.
 * Instants are microseconds since 1970 UTC.
 */
export class DeliveryProgress {
  readonly #storedStatus: WebhookStatus;
  #health: WebhookHealth;
  #status: WebhookStatus;
  #verified: boolean;
  #ranges: readonly RedeliveryRange[];
  #unsaved = nothing();

  constructor({ webhook, ranges }: LoadedWebhook) {
    this.#storedStatus = webhook.status;
    this.#health = webhook;
    this.#status = webhook.status;
    this.#verified = webhook.verified;
    this.#ranges = ranges;
  }

  get health(): WebhookHealth {
    return this.#health;
  }

  get status(): WebhookStatus {
    return this.#status;
  }

  /** Whether reading has stopped because the receiver fails, and whether a change may be tried all the same. */
  circuit(now: number): Circuit {
    return { isOpen: this.#health.circuitAt !== undefined, isDue: isDue(this.#health.nextAt, now) };
  }

  /** Notes an attempt, as its owner may see it. */
  addAttempt({ status, error, milliseconds }: AttemptOutcome, what: AttemptOf): void {
    this.#unsaved.attempts.push({
      ...what,
      milliseconds,
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
    });
  }

  /** Notes what an attempt shows of the receiver. `parked`: changes that wait, with this one. */
  judge(outcome: AttemptOutcome, at: { readonly now: number; readonly parked: number; readonly random: number }): void {
    const { health, isOver } = healthAfter(this.#health, outcome, at);
    this.#health = health;
    if (isOver) this.#status = 'disabled';
  }

  /** Notes the answer to a challenge (register.md 5.5). */
  judgeChallenge(outcome: AttemptOutcome, { sentAt, now }: { readonly sentAt: number; readonly now: number }): void {
    const tries = this.#health.tries + 1;
    this.addAttempt(outcome, { type: 'webhook.verify', at: sentAt, attempt: tries });
    if (outcome.ok) {
      this.#status = 'active';
      this.#verified = true;
      this.#health = { failures: 0, tries: 0, lastSuccess: sentAt };
      return;
    }
    const nextAt = verifyAgainAt(now, tries);
    const lastError = failureText(outcome);
    this.#health = { ...this.#health, tries, lastError, ...(nextAt === undefined ? {} : { nextAt }) };
    if (nextAt === undefined) this.#status = 'disabled';
  }

  /** A range whose next change is due. Nothing is sent again beside the normal flow while the receiver fails. */
  dueRange(now: number): RedeliveryRange | undefined {
    return this.#health.circuitAt === undefined ? this.#ranges.find(({ nextAt }) => isDue(nextAt, now)) : undefined;
  }

  /** When the ranges are due; undefined is at once. */
  rangesDueAt(): readonly (number | undefined)[] {
    return this.#ranges.map(({ nextAt }) => nextAt);
  }

  /** A range goes on after a position, or ends. */
  moveRange(range: RedeliveryRange, position: bigint, nextAt: number): void {
    if (position < range.upTo) return this.replaceRange({ ...range, position, attempts: 0, nextAt });
    this.#ranges = this.#ranges.filter(({ id }) => id !== range.id);
    this.#unsaved.ranges.delete(range.id);
    this.#unsaved.rangesDone.push(range.id);
  }

  replaceRange(range: RedeliveryRange): void {
    this.#ranges = this.#ranges.map((one) => (one.id === range.id ? range : one));
    this.#unsaved.ranges.set(range.id, range);
  }

  hasUnsaved(): boolean {
    const { attempts, ranges, rangesDone } = this.#unsaved;
    return attempts.length > 0 || ranges.size > 0 || rangesDone.length > 0;
  }

  /** What is to be stored. `putBack` takes it back after a failure, before what was settled meanwhile. */
  take(): { readonly stored: Stored; readonly putBack: () => void } {
    const taken = this.#unsaved;
    this.#unsaved = nothing();
    return {
      stored: {
        health: this.#health,
        attempts: taken.attempts,
        ranges: [...taken.ranges.values()],
        rangesDone: taken.rangesDone,
        status: this.#status === this.#storedStatus ? undefined : this.#status,
        verified: this.#verified,
      },
      putBack: () => {
        const later = this.#unsaved;
        this.#unsaved = {
          attempts: [...taken.attempts, ...later.attempts],
          ranges: new Map([...taken.ranges, ...later.ranges]),
          rangesDone: [...taken.rangesDone, ...later.rangesDone],
        };
      },
    };
  }
}
