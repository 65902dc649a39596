import type { BodyReading } from '@procurement/contracts/body-reading';
import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { formatServerDate, type Instant } from '@procurement/contracts/instant';
import { problem, type Problem } from '@procurement/contracts/problems';
import type { Actor } from '@procurement/contracts/actor';
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
import type { TenderEvent, TenderSettings, TenderState } from '../domain/tender.ts';
import type { MintTenderId } from './tender-number.ts';
import { readRow, rowOf, type TenderRecord } from './tender.row.ts';

/** The ready text of a tender, and its public revision. */
export interface TenderView {
  readonly rev: bigint;
  readonly body: string;
}

export interface CreateWish {
  readonly body: BodyReading;
  readonly actor: Actor;
  readonly requestId: string;
  readonly secrets: { readonly token: string; readonly transfer: string };
}

export interface ChangeWish {
  readonly type: 'PatchTender' | 'PutTender';
  readonly body: BodyReading;
  readonly actor: Actor;
  readonly requestId: string;
  /** The public revision that the change is meant for; any when absent. */
  readonly expectedRev?: bigint;
}

export type Outcome = { readonly id: string; readonly body: string } | { readonly refused: Problem };

/** Tenders, their views and their events, in one database. */
export interface TendersStore {
  view(id: string): Promise<TenderView | undefined>;
  facts(id: string): Promise<TenderFacts | undefined>;
  create(wish: CreateWish): Promise<Outcome>;
  change(id: string, wish: ChangeWish): Promise<Outcome>;
}

export interface TendersStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly mintTenderId: MintTenderId;
  readonly settings: TenderSettings;
}

/** What brought a change about. */
interface Cause {
  readonly now: Instant;
  readonly requestId: string;
}

const ID = /^[0-9a-f]{32}$/;
const VIEWS = 'SELECT tender_id AS id, rev, body FROM tender_view WHERE tender_id = ANY($1::text[])';
const LOAD = `SELECT id, version, public_rev AS "publicRev", owner, owner_token_hash AS "ownerTokenHash",
  transfer_hash AS "transferHash", document, facts FROM tender WHERE id = $1`;
const SAVE = `SELECT save_tender($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid[], $11::text[], $12::text[], $13::text[],
  $14, $15, $16, $17, $18) AS modified`;

/** The only place that writes tenders: load, decide, and save state, events and view in one transaction. */
export function tendersStore(deps: TendersStoreDeps): TendersStore {
  const { pool, outbox, clock, mint, settings } = deps;

  const viewOf = batched<TenderView>(async (ids) => {
    const { rows } = await pool.query<{ id: string; rev: string; body: string }>({
      name: 'tender-views',
      text: VIEWS,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, { rev: BigInt(row.rev), body: row.body }]));
  });

  async function load(db: pg.Pool | pg.PoolClient, id: string, lock: boolean): Promise<TenderRecord | undefined> {
    if (!ID.test(id)) return undefined;
    const query = { name: `tender-load-${lock}`, text: lock ? `${LOAD} FOR UPDATE` : LOAD, values: [id] };
    const { rows } = await db.query(query);
    return rows[0] === undefined ? undefined : readRow(rows[0]);
  }

  /** One round trip. Its last act is taking the feed's lock, so the commit must follow at once. */
  async function save(
    db: pg.Pool | pg.PoolClient,
    before: TenderState | undefined,
    state: TenderState,
    happened: readonly TenderEvent[],
    cause: Cause,
  ): Promise<string> {
    const row = rowOf(state);
    const events = outbox.columns(happened.map((event) => eventRow(state, event, row.facts, cause)));
    const { document } = state;
    const values = [
      state.id,
      document.tenderID,
      before?.version ?? 0,
      state.version,
      state.owner,
      state.ownerTokenHash,
      state.transferHash,
      row.document,
      JSON.stringify(row.facts),
      events.ids,
      events.subjects,
      events.envelopes,
      events.replyTos,
      row.isListed,
      row.isTest,
      row.viewHead,
      row.viewTail,
      row.fastFields,
    ];
    const result = await db.query<{ modified: string }>({ name: 'tender-save', text: SAVE, values });
    const modified = result.rows[0]?.modified ?? '';
    return row.viewHead + modified + row.viewTail;
  }

  function eventRow(state: TenderState, event: TenderEvent, facts: TenderFacts, { now, requestId }: Cause): OutboxRow {
    const type = event.type === 'TenderCreated' ? 'tender.created' : 'tender.changed';
    return outbox.row({
      type,
      schema: tenderEvents[type].schema,
      subjectId: state.id,
      version: state.version,
      time: formatServerDate(now),
      data: facts,
      correlationId: requestId,
    });
  }

  return {
    view: async (id) => (ID.test(id) ? viewOf(id) : undefined),

    facts: async (id) => (await load(pool, id, false))?.facts,

    async create({ body, actor, requestId, secrets }) {
      const now = clock.now();
      const hashes = { ownerTokenHash: sha256Hex(secrets.token), transferHash: sha256Hex(secrets.transfer) };
      const meta = { now, actor, settings, mintId: mint.id, id: mint.id(), ...hashes };
      const decision = decideTender(undefined, { type: 'CreateTender', body, meta });
      if ('refused' in decision) return decision;
      const [created] = decision.accepted;
      if (created?.type !== 'TenderCreated') throw new Error('a creation must create');
      const state = foldTender(undefined, [numbered(created, await deps.mintTenderId(now))]);
      const text = await save(pool, undefined, state, [created], { now, requestId });
      outbox.wake();
      return { id: state.id, body: text };
    },

    async change(id, { type, body, actor, requestId, expectedRev }) {
      const now = clock.now();
      const outcome = await transact(pool, async (tx): Promise<Outcome> => {
        const before = await load(tx, id, true);
        const decision = decideTender(before?.state, { type, body, meta: { now, actor, settings, mintId: mint.id } });
        if ('refused' in decision) return decision;
        if (before === undefined) throw new Error('a tender that does not exist was changed');
        if (expectedRev !== undefined && expectedRev !== before.publicRev) {
          return { refused: problem('request.precondition') };
        }
        if (decision.accepted.length === 0) return { id, body: (await viewOf(id))?.body ?? '' };
        const state = foldTender(before.state, decision.accepted);
        return { id, body: await save(tx, before.state, state, decision.accepted, { now, requestId }) };
      });
      outbox.wake();
      return outcome;
    },
  };
}
