import { setTimeout as pause } from 'node:timers/promises';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import {
  FrozenError,
  allowsDecision,
  NOT_FROZEN,
  type DecisionFreeze,
} from '@procurement/kit/messaging/request/decision-freeze';
import type { DecisionFreezer, BegunFreeze } from '@procurement/kit/messaging/request/decision-freezer';
import { toJsonText } from '@procurement/domain/json-text';
import { tenderTime } from '@procurement/domain/tender-time';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Instant } from '@procurement/contracts/reading/instant';
import { type Problem, unavailable } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { appendAudit, readStoredText, type AuditAct } from '@procurement/kit/database/audit';
import { decideWithoutLock, transact, transactStatement } from '@procurement/kit/database/transaction';
import { sha256Hex, type IdGenerator } from '@procurement/kit/runtime/ids';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { budgetRefusal } from '../domain/tender.budget.ts';
import { withTenderNumber } from '../domain/tender.create.ts';
import { decideTender } from '../domain/tender.decide.ts';
import { causeOf } from '../domain/publication-causes.ts';
import { addsBlockingComplaint, cancels } from '../domain/frozen-changes.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import type { ClientCommand, TenderMeta, TenderSettings, TenderState } from '../domain/tender.ts';
import { isTenderId, loadTender } from './load-tenders.ts';
import { saveTenders, type SaveResult, type TenderToSave } from './save-tenders.ts';
import { readFacts, buildRow, viewTextAt, type TenderRecord, type TenderRow } from './tender.row.ts';
import { changesWaits } from './tender-waits.ts';
import { previewNumber, type NextTenderNumber } from './tender-number.ts';
import { viewsStore, type TenderView } from './views.store.ts';

export interface CreateTenderInput {
  readonly id: string;
  readonly body: BodyResult;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ids: IdGenerator;
  readonly secrets: { readonly token: string; readonly transfer: string };
  readonly isDryRun: boolean;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

export interface ChangeTenderInput {
  /** Makes the command, once the time of the tender is known. */
  makeCommand(meta: TenderMeta): ClientCommand;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ids: IdGenerator;
  /** Decides only: reads without locks, freezes nothing, and stores nothing (decision 0111). */
  readonly isDryRun: boolean;
  /** The refusal when the request requires another state of the object (http.md 5.4), or all of its change (rulings R40). */
  readonly precondition?: (before: TenderRecord, after: TenderState) => Problem | undefined;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

/** A tender after a command, and before it. */
export interface ChangedTender {
  readonly state: TenderState;
  readonly before: TenderState;
  /** The text of the public view that the change made; absent when it has to be read. */
  readonly body?: string | undefined;
  /** Bytes of the public view that was stored, or would be; absent when nothing changes. */
  readonly savedBytes?: number;
}

export type OrRefused<T> = T | { readonly refused: Problem };

/** Stores tenders, their views and their events. */
export interface TendersStore {
  view(id: string): Promise<TenderView | undefined>;
  facts(id: string): Promise<TenderFacts | undefined>;
  state(id: string): Promise<TenderState | undefined>;
  create(input: CreateTenderInput): Promise<OrRefused<{ readonly body: string }>>;
  /**
   * Decides and stores one command. Returns after the other services that must apply the change first have done so. A
   * cancellation is stored only while they have frozen their decisions (decision 0060); throws 503 when one does not, and for
   * a complaint when a signing does not end (decision 0060). Nothing is stored then.
   */
  change(id: string, input: ChangeTenderInput): Promise<OrRefused<ChangedTender>>;
}

export interface TendersStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly nextTenderNumber: NextTenderNumber;
  readonly settings: TenderSettings;
  /** Whether publications are logged; off in benchmarks only. */
  readonly logsPublications: boolean;
  /** Freezes decisions of other services while a tender or a lot is cancelled. */
  readonly cancellations: DecisionFreezer;
  /** Awards freezes complaints while it signs a contract. */
  readonly complaintsFreeze: DecisionFreeze;
  /** Called with the next deadline of each saved tender, in real time. */
  readonly wakeAt: (at: Instant) => void;
}

const STORED_TEXT = 'SELECT document AS text FROM tender WHERE id = $1';

const AWARDS_WAIT_MS_MAX = 1_000;
const AWARDS_POLL_MS = 20;
const UNAVAILABLE = unavailable(1);

/** The command cancels, and was not stored because decisions of other services were not frozen. */
const NEEDS_FREEZE = { needsFreeze: true } as const;

/** The change depends on more than the version of the tender, or writes more, so it was not stored without a lock. */
const NEEDS_LOCK = { needsLock: true } as const;

const UNLOCKED_ATTEMPTS_MAX = 3;

/** The transaction in which a change is decided under the lock of the row, and the freeze that a cancellation needs. */
interface Locked {
  readonly tx: pg.PoolClient;
  readonly begun: BegunFreeze | undefined;
}

type ChangeToSave = TenderToSave & { readonly before: TenderRecord; readonly row: TenderRow };

/** What a command makes of a tender. */
type Decided = { readonly outcome: OrRefused<ChangedTender> } | { readonly change: ChangeToSave };

interface StoredChange {
  readonly outcome: OrRefused<ChangedTender>;
  readonly saved?: SaveResult | undefined;
}

function viewBytes({ viewHead, viewTail }: TenderRow): number {
  return Buffer.byteLength(viewHead) + Buffer.byteLength(viewTail);
}

/** Each command loads, decides, and saves with the version that it loaded (decision 0080). */
export function tendersStore(deps: TendersStoreDeps): TendersStore {
  const { pool, outbox, clock, settings, cancellations, complaintsFreeze } = deps;

  const loadView = viewsStore(pool);

  function wakeAfter(saved: SaveResult | undefined): void {
    if (saved?.hasEvents === true) outbox.wake();
    else outbox.wakeReaders();
    if (saved?.dueAt !== undefined) deps.wakeAt(saved.dueAt);
  }

  function decide(before: TenderRecord | undefined, input: ChangeTenderInput, now: Instant): Decided {
    const time = before === undefined ? now : tenderTime(now, before.state);
    const command = input.makeCommand({ now: time, actor: input.actor, settings, nextId: input.ids.next });
    const decision = decideTender(before?.state, command);
    if ('refused' in decision) return { outcome: decision };
    if (before === undefined) throw new Error('a command about a missing tender was accepted');
    const events = decision.accepted;
    const state = events.length === 0 ? before.state : foldTender(before.state, events);
    const unmet = input.precondition?.(before, state);
    if (unmet !== undefined) return { outcome: { refused: unmet } };
    if (events.length === 0) return { outcome: { state, before: state } };
    const row = buildRow(state, now, settings);
    const refused = budgetRefusal(command, before.state, state, row.document);
    if (refused !== undefined) return { outcome: { refused } };
    return { change: { before, state, events, row, causes: [causeOf(command)] } };
  }

  async function preview(id: string, input: ChangeTenderInput): Promise<OrRefused<ChangedTender>> {
    const now = clock.now();
    const decided = decide(await loadTender(pool, id, { lock: false }), input, now);
    if ('outcome' in decided) return decided.outcome;
    const { before, state, row } = decided.change;
    const body = row.viewHash === before.viewHash ? undefined : viewTextAt(row, now);
    return { state, before: before.state, body, savedBytes: viewBytes(row) };
  }

  async function decideAndStore(
    id: string,
    input: ChangeTenderInput,
    begun?: BegunFreeze,
  ): Promise<StoredChange | typeof NEEDS_FREEZE> {
    if (begun === undefined && input.audit === undefined) {
      const stored = await decideWithoutLock(UNLOCKED_ATTEMPTS_MAX, async () => tryStore(id, input));
      if (stored !== undefined && !('needsLock' in stored)) return stored;
    }
    return transact(pool, async (tx) => {
      const stored = await tryStore(id, input, { tx, begun });
      if ('needsLock' in stored) throw new Error('a change under the lock asked for the lock');
      return stored;
    });
  }

  /**
   * Loads, decides and saves. The save fails if the tender has another version by then, and whoever called decides again. Decision
   * 0080 says which changes need the lock.
   */
  async function tryStore(
    id: string,
    input: ChangeTenderInput,
    locked?: Locked,
  ): Promise<StoredChange | typeof NEEDS_FREEZE | typeof NEEDS_LOCK> {
    const now = clock.now();
    const db = locked?.tx ?? pool;
    const decided = decide(await loadTender(db, id, { lock: locked !== undefined }), input, now);
    if ('outcome' in decided) return decided;
    const { change } = decided;
    const { before, state } = change;
    if (locked?.begun === undefined && cancels(before.state, state)) return NEEDS_FREEZE;
    if (locked !== undefined) await writeBeforeSave(locked, input, change);
    else if (needsLock(change, now)) return NEEDS_LOCK;
    const [saved] = await saveTenders(db, deps, [change], { now, requestId: input.requestId });
    // Services that the writer waits for may change the view once more.
    const body = saved?.awaitedRows.length === 0 ? saved.body : undefined;
    return { outcome: { state, before: before.state, body, savedBytes: viewBytes(change.row) }, saved };
  }

  /** A blocking complaint reads the freeze that awards orders by the lock of the row (decision 0060); a wait is a row of its own. */
  function needsLock(change: ChangeToSave, now: Instant): boolean {
    const { before, state } = change;
    return addsBlockingComplaint(before.state, state, settings.complaintsMode) || changesWaits(change, now, settings);
  }

  /** Runs before `saveTenders` takes the lock of the feed. */
  async function writeBeforeSave(
    { tx, begun }: Locked,
    { audit }: ChangeTenderInput,
    change: ChangeToSave,
  ): Promise<void> {
    const { before, state, row } = change;
    if (begun !== undefined) await cancellations.confirm(tx, begun);
    if (addsBlockingComplaint(before.state, state, settings.complaintsMode)) await requireNoSigning(tx, before.state);
    if (audit === undefined) return;
    const text = await readStoredText(tx, STORED_TEXT, state.id);
    await appendAudit(tx, audit, { id: state.id, before: text, after: row.document });
  }

  /** Decides again while no other service decides about the tender (architecture.md, handshake 3). */
  async function cancelUnderFreeze(id: string, input: ChangeTenderInput): Promise<StoredChange> {
    const begun = await cancellations.freeze(id);
    try {
      await awaitAwards(id, begun.versions.get(rpcSubjects.freezeAwards) ?? 0);
      const stored = await decideAndStore(id, input, begun);
      if ('needsFreeze' in stored) throw new Error('a cancellation under a freeze asked for a freeze');
      return stored;
    } finally {
      await cancellations.lift(begun);
    }
  }

  /** Waits for the events of awards that were decided before the freeze: a signed contract completes the tender. */
  async function awaitAwards(id: string, version: number): Promise<void> {
    const giveUpAt = monotonicMs() + AWARDS_WAIT_MS_MAX;
    for (;;) {
      const record = await loadTender(pool, id, { lock: false });
      if ((record?.state.awards?.version ?? 0) >= version) return;
      if (monotonicMs() > giveUpAt) throw new ProblemError(UNAVAILABLE);
      await pause(AWARDS_POLL_MS);
    }
  }

  /** Throws FrozenError while awards signs a contract of the tender, and until this service knows the signed contract. */
  async function requireNoSigning(tx: pg.PoolClient, { id, awards }: TenderState): Promise<void> {
    const freeze = (await complaintsFreeze.read(tx, [id])).get(id) ?? NOT_FROZEN;
    if (!allowsDecision(freeze, awards?.version ?? 0)) throw new FrozenError(id);
  }

  return {
    view: async (id) => (isTenderId(id) ? loadView(id) : undefined),
    async facts(id) {
      const record = await loadTender(pool, id, { lock: false });
      // Of the newest version that the tender has: whoever asks may have been told to decide by no older one (decision 0022).
      return record === undefined ? undefined : { ...readFacts(record), version: record.state.version };
    },
    state: async (id) => (await loadTender(pool, id, { lock: false }))?.state,

    async create({ id, body, actor, requestId, ids, secrets, isDryRun, audit }) {
      const now = clock.now();
      const hashes = { ownerTokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
      const meta = { now, actor, settings, nextId: ids.next, id, ...hashes };
      const command: ClientCommand = { type: 'CreateTender', body, meta };
      const decision = decideTender(undefined, command);
      if ('refused' in decision) return decision;
      const [event] = decision.accepted;
      if (event?.type !== 'TenderCreated') throw new Error('CreateTender was accepted without TenderCreated');
      // Before the number is drawn (tenders.md 7.1). The text of a usual tender takes 10 µs.
      const refused = budgetRefusal(command, undefined, foldTender(undefined, [event]), toJsonText(event.document));
      if (refused !== undefined) return { refused };
      if (isDryRun) {
        const numbered = foldTender(undefined, [withTenderNumber(event, previewNumber(now))]);
        return { body: viewTextAt(buildRow(numbered, now, settings), now) };
      }
      const events = [withTenderNumber(event, await deps.nextTenderNumber(now))];
      const state = foldTender(undefined, events);
      const created: TenderToSave = { before: undefined, state, events, causes: [causeOf(command)] };
      const save = async (db: pg.Pool | pg.PoolClient): Promise<SaveResult | undefined> =>
        (await saveTenders(db, deps, [created], { now, requestId }))[0];
      const saved =
        audit === undefined
          ? await transactStatement(pool, save)
          : await transact(pool, async (tx) => {
              await appendAudit(tx, audit, { id, after: toJsonText(state.document) });
              return save(tx);
            });
      // A new draft is told to nobody, and has no deadline.
      if (saved?.hasEvents === true) wakeAfter(saved);
      return { body: saved?.body ?? '' };
    },

    async change(id, input) {
      if (input.isDryRun) return preview(id, input);
      const { outcome, saved } = await complaintsFreeze.decide(id, async () => {
        const stored = await decideAndStore(id, input);
        return 'needsFreeze' in stored ? cancelUnderFreeze(id, input) : stored;
      });
      wakeAfter(saved);
      if (saved !== undefined && saved.awaitedRows.length > 0) await outbox.awaitApplied(saved.awaitedRows);
      return outcome;
    },
  };
}
