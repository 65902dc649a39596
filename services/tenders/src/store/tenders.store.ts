import type { Actor } from '@procurement/contracts/actor';
import type { BodyReading } from '@procurement/contracts/body-reading';
import type { Instant } from '@procurement/contracts/instant';
import { problem, type Problem } from '@procurement/contracts/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { batched } from '@procurement/kit/batched';
import { transact } from '@procurement/kit/database';
import { sha256Hex, type Mint } from '@procurement/kit/ids';
import type { Outbox, OutboxRow } from '@procurement/kit/outbox';
import type { Clock } from '@procurement/kit/time';
import type pg from 'pg';
import { numbered } from '../domain/tender.create.ts';
import { decideTender } from '../domain/tender.decide.ts';
import { foldTender } from '../domain/tender.evolve.ts';
import { tenderTime } from '../domain/tender.facts-taken.ts';
import type { TenderCommand, TenderMeta, TenderSettings, TenderState } from '../domain/tender.ts';
import { isTenderId, loadTender } from './load-tenders.ts';
import { saveTenders } from './save-tenders.ts';
import type { MintTenderId } from './tender-number.ts';

/** The ready text of a tender, and its public revision. */
export interface TenderView {
  readonly rev: bigint;
  readonly body: string;
}

export interface CreateWish {
  readonly id: string;
  readonly body: BodyReading;
  readonly actor: Actor;
  readonly requestId: string;
  readonly mint: Mint;
  readonly secrets: { readonly token: string; readonly transfer: string };
}

export interface ChangeWish {
  /** The command, once the time of the tender is known. */
  command(meta: TenderMeta): TenderCommand;
  readonly actor: Actor;
  readonly requestId: string;
  readonly mint: Mint;
  /** The public revision that the change is meant for; any when absent. */
  readonly expectedRev?: bigint;
}

/** A tender as a command left it, and as it was. */
export interface Changed {
  readonly state: TenderState;
  readonly before: TenderState;
}

export type Outcome<T> = T | { readonly refused: Problem };

/** Tenders, their views and their events, in one database. */
export interface TendersStore {
  view(id: string): Promise<TenderView | undefined>;
  facts(id: string): Promise<TenderFacts | undefined>;
  state(id: string): Promise<TenderState | undefined>;
  create(wish: CreateWish): Promise<Outcome<{ readonly body: string }>>;
  /** Decides and stores one command about one tender; answers when siblings that must know of it first do. */
  change(id: string, wish: ChangeWish): Promise<Outcome<Changed>>;
}

export interface TendersStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly mintTenderId: MintTenderId;
  readonly settings: TenderSettings;
  /** Told when the clock will have to act for a tender that was stored. */
  readonly due: (at: Instant) => void;
}

const VIEWS = 'SELECT tender_id AS id, rev, body FROM tender_view WHERE tender_id = ANY($1::text[])';

/** Load, decide, and save state, events and view in one transaction. */
export function tendersStore(deps: TendersStoreDeps): TendersStore {
  const { pool, outbox, clock, settings } = deps;

  const viewOf = batched<TenderView>(async (ids) => {
    const { rows } = await pool.query<{ id: string; rev: string; body: string }>({
      name: 'tender-views',
      text: VIEWS,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, { rev: BigInt(row.rev), body: row.body }]));
  });

  function announce(dueAt: Instant | undefined): void {
    outbox.wake();
    if (dueAt !== undefined) deps.due(dueAt);
  }

  return {
    view: async (id) => (isTenderId(id) ? viewOf(id) : undefined),
    facts: async (id) => (await loadTender(pool, id, { lock: false }))?.facts,
    state: async (id) => (await loadTender(pool, id, { lock: false }))?.state,

    async create({ id, body, actor, requestId, mint, secrets }) {
      const now = clock.now();
      const hashes = { ownerTokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
      const meta = { now, actor, settings, mintId: mint.id, id, ...hashes };
      const decision = decideTender(undefined, { type: 'CreateTender', body, meta });
      if ('refused' in decision) return decision;
      const [created] = decision.accepted;
      if (created?.type !== 'TenderCreated') throw new Error('a creation must create');
      const happened = [numbered(created, await deps.mintTenderId(now))];
      const state = foldTender(undefined, happened);
      const [saved] = await saveTenders(pool, deps, [{ before: undefined, state, happened }], { now, requestId });
      announce(saved?.dueAt);
      return { body: saved?.body ?? '' };
    },

    async change(id, wish) {
      const now = clock.now();
      let awaited: readonly OutboxRow[] = [];
      let dueAt: Instant | undefined;
      const outcome = await transact(pool, async (tx): Promise<Outcome<Changed>> => {
        const before = await loadTender(tx, id, { lock: true });
        const time = before === undefined ? now : tenderTime(now, before.state);
        const command = wish.command({ now: time, actor: wish.actor, settings, mintId: wish.mint.id });
        const decision = decideTender(before?.state, command);
        if ('refused' in decision) return decision;
        if (before === undefined) throw new Error('a tender that does not exist was changed');
        if (wish.expectedRev !== undefined && wish.expectedRev !== before.publicRev) {
          return { refused: problem('request.precondition') };
        }
        if (decision.accepted.length === 0) return { state: before.state, before: before.state };
        const happened = decision.accepted;
        const state = foldTender(before.state, happened);
        const { requestId } = wish;
        const [saved] = await saveTenders(tx, deps, [{ before, state, happened }], { now, requestId });
        awaited = saved?.awaited ?? [];
        dueAt = saved?.dueAt;
        return { state, before: before.state };
      });
      announce(dueAt);
      await outbox.settled(awaited);
      return outcome;
    },
  };
}
