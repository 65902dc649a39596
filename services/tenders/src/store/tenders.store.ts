import { tenderTime } from '@procurement/domain/tender-time';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Instant } from '@procurement/contracts/reading/instant';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { batchReads } from '@procurement/kit/database/batch-reads';
import { transact, transactStatement } from '@procurement/kit/database/transaction';
import { sha256Hex, type IdGenerator } from '@procurement/kit/runtime/ids';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { withTenderNumber } from '../domain/tender.create.ts';
import { decideTender } from '../domain/tender.decide.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import type { TenderCommand, TenderMeta, TenderSettings, TenderState } from '../domain/tender.ts';
import { isTenderId, loadTender } from './load-tenders.ts';
import { saveTenders } from './save-tenders.ts';
import type { NextTenderNumber } from './tender-number.ts';

/** The text of the public view of a tender, and its public revision. */
export interface TenderView {
  readonly rev: bigint;
  readonly body: string;
}

export interface CreateTenderInput {
  readonly id: string;
  readonly body: BodyResult;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ids: IdGenerator;
  readonly secrets: { readonly token: string; readonly transfer: string };
}

export interface ChangeTenderInput {
  /** Makes the command, once the time of the tender is known. */
  makeCommand(meta: TenderMeta): TenderCommand;
  readonly actor: Actor;
  readonly requestId: string;
  readonly ids: IdGenerator;
  /** The public revision that `If-Match` requires; any when absent. */
  readonly expectedRev?: bigint;
}

/** A tender after a command, and before it. */
export interface ChangedTender {
  readonly state: TenderState;
  readonly before: TenderState;
}

export type OrRefused<T> = T | { readonly refused: Problem };

/** Stores tenders, their views and their events. */
export interface TendersStore {
  view(id: string): Promise<TenderView | undefined>;
  facts(id: string): Promise<TenderFacts | undefined>;
  state(id: string): Promise<TenderState | undefined>;
  create(input: CreateTenderInput): Promise<OrRefused<{ readonly body: string }>>;
  /** Decides and stores one command. Returns after the other services that must apply the change first have done so. */
  change(id: string, input: ChangeTenderInput): Promise<OrRefused<ChangedTender>>;
}

export interface TendersStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly nextTenderNumber: NextTenderNumber;
  readonly settings: TenderSettings;
  /** Called with the next deadline of each saved tender, in real time. */
  readonly wakeAt: (at: Instant) => void;
}

const SELECT_VIEWS = 'SELECT tender_id AS id, rev, body FROM tender_view WHERE tender_id = ANY($1::text[])';

/** Each command loads, decides and saves state, events and view in one transaction. */
export function tendersStore(deps: TendersStoreDeps): TendersStore {
  const { pool, outbox, clock, settings } = deps;

  const loadView = batchReads<TenderView>(async (ids) => {
    const { rows } = await pool.query<{ id: string; rev: string; body: string }>({
      name: 'tender-views',
      text: SELECT_VIEWS,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, { rev: BigInt(row.rev), body: row.body }]));
  });

  function wakeRelayAndScheduler(dueAt: Instant | undefined): void {
    outbox.wake();
    if (dueAt !== undefined) deps.wakeAt(dueAt);
  }

  return {
    view: async (id) => (isTenderId(id) ? loadView(id) : undefined),
    facts: async (id) => (await loadTender(pool, id, { lock: false }))?.facts,
    state: async (id) => (await loadTender(pool, id, { lock: false }))?.state,

    async create({ id, body, actor, requestId, ids, secrets }) {
      const now = clock.now();
      const hashes = { ownerTokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
      const meta = { now, actor, settings, nextId: ids.next, id, ...hashes };
      const decision = decideTender(undefined, { type: 'CreateTender', body, meta });
      if ('refused' in decision) return decision;
      const [created] = decision.accepted;
      if (created?.type !== 'TenderCreated') throw new Error('CreateTender was accepted without TenderCreated');
      const events = [withTenderNumber(created, await deps.nextTenderNumber(now))];
      const state = foldTender(undefined, events);
      // One statement: the lock of the feed is held for no round trip.
      const [saved] = await transactStatement(pool, async (db) =>
        saveTenders(db, deps, [{ before: undefined, state, events }], { now, requestId }),
      );
      wakeRelayAndScheduler(saved?.dueAt);
      return { body: saved?.body ?? '' };
    },

    async change(id, input) {
      const now = clock.now();
      let awaitedRows: readonly OutboxRow[] = [];
      let dueAt: Instant | undefined;
      const outcome = await transact(pool, async (tx): Promise<OrRefused<ChangedTender>> => {
        const before = await loadTender(tx, id, { lock: true });
        const time = before === undefined ? now : tenderTime(now, before.state);
        const command = input.makeCommand({ now: time, actor: input.actor, settings, nextId: input.ids.next });
        const decision = decideTender(before?.state, command);
        if ('refused' in decision) return decision;
        if (before === undefined) throw new Error('a command about a missing tender was accepted');
        if (input.expectedRev !== undefined && input.expectedRev !== before.publicRev) {
          return { refused: problem('request.precondition') };
        }
        if (decision.accepted.length === 0) return { state: before.state, before: before.state };
        const events = decision.accepted;
        const state = foldTender(before.state, events);
        const { requestId } = input;
        const [saved] = await saveTenders(tx, deps, [{ before, state, events }], { now, requestId });
        awaitedRows = saved?.awaitedRows ?? [];
        dueAt = saved?.dueAt;
        return { state, before: before.state };
      });
      wakeRelayAndScheduler(dueAt);
      await outbox.awaitApplied(awaitedRows);
      return outcome;
    },
  };
}
