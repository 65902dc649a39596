import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { namedStatement } from '@procurement/kit/database/named-statement';
import { ConflictError } from '@procurement/kit/database/transaction';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import { deepEqual } from '@procurement/domain/equality';
import type pg from 'pg';
import { z } from 'zod';
import type { Auction } from '../domain/auction.ts';
import { decide } from '../domain/auction.decide.ts';
import { fold } from '../domain/auction.evolve.ts';
import type { Command } from '../domain/commands.ts';
import type { AuctionEvent } from '../domain/events.ts';
import type { Refusal } from '../domain/refusals.ts';
import { LockedRow, parseState, shardOf, storedDueAt } from './auction.row.ts';
import { decideAfterOutages } from './decide-after-outages.ts';
import { requireLease, type Lease } from './leases.store.ts';
import { ALIVE_FOR } from './replicas.store.ts';
import { readStates, type StoredState } from './read-states.ts';
import { changeTasks } from './tasks.store.ts';
import { whenUnlocked } from './when-unlocked.ts';

/** Who caused an event. */
export type Actor = 'timer' | 'follower' | 'bidder' | 'operator';

/** An auction as a replica last saw it. */
export interface SeenAuction {
  readonly auction: Auction;
  /** Microseconds by which the time of the auction is ahead of the room's: 0 outside a sandbox. */
  readonly aheadMicros: number;
}

export interface AuctionCommand {
  readonly auctionId: string;
  readonly command: Command;
  /** Room time; for an offer, that of its arrival. The store adds by how much the time of the auction is ahead. */
  readonly now: Instant;
  readonly actor: Actor;
  /** Lease of a leader. Its transaction ends when another leads the shard. */
  readonly lease?: Lease;
  /** How far the time of the tender is ahead of the room's. Only in a plan; counts when the auction is new. */
  readonly aheadMicros?: number;
}

export interface CommandResult {
  /** The state after it. */
  readonly auction: Auction;
  /** What was appended to the log, outages and due stages included. */
  readonly events: readonly AuctionEvent[];
  readonly refused?: Refusal;
}

/** The auctions whose timers a leader runs. */
export interface DueRange {
  readonly shards: readonly number[];
  /** Auctions that failed and are tried later. */
  readonly except: readonly string[];
}

export interface DueAuction {
  readonly auctionId: string;
  readonly shard: number;
}

/** Auctions with their logs, decided by whichever replica got the request, under the lock of the auction's row. */
export interface AuctionsStore {
  /**
   * Decides one command in one transaction. Outages that the auction has not seen come first. Undefined when there is no such auction.
   * Throws UnavailableError while this replica may not work, FencedError for a leader that was replaced, ConflictError when the row
   * stayed locked. After an error the auction is as it was, or as the command made it: a repeat finds out.
   */
  run(command: AuctionCommand): Promise<CommandResult | undefined>;
  /**
   * Why an offer cannot count, by the state in memory and by the stored one, which is read without a lock and in one statement with what
   * others ask for. Undefined when it may count, or the state in memory does not say: `run` finds out.
   */
  refusalOf(command: AuctionCommand): Promise<Refusal | undefined>;
  load(auctionId: string): Promise<Auction | undefined>;
  /** The state as last seen by this replica, if it is in its memory. Another replica may have changed it since. */
  inMemory(auctionId: string): SeenAuction | undefined;
  /** The same, or the state as stored. */
  lastSeen(auctionId: string): Promise<SeenAuction | undefined>;
  /** The state as stored. */
  read(auctionId: string): Promise<SeenAuction | undefined>;
  /** Sandbox: moves the time of an auction. Its boundaries, and what is due at them, come earlier by the same. */
  moveAhead(auctionId: string, aheadMicros: number): Promise<void>;
  /** Auctions of these shards whose timers are due, the longest overdue first. */
  due(range: DueRange, now: Instant, max: number): Promise<readonly DueAuction[]>;
  nextDue(range: DueRange): Promise<Instant | undefined>;
  /** The log, oldest first. */
  log(auctionId: string): Promise<readonly AuctionEvent[]>;
  /**
   * Compares the state of every running auction with the fold of its log, and answers those that differ: the database was changed by
   * hand. This replica decides nothing about them from then on.
   */
  verifyRunning(): Promise<readonly string[]>;
  /** Whether the state of an auction is the fold of its log. */
  isFaithful(auctionId: string): Promise<boolean>;
}

export interface AuctionsStoreDeps {
  readonly pool: pg.Pool;
  readonly replicaId: string;
  readonly turnEndMicros: number;
  /** Called after each commit that changed an auction. */
  readonly onChanged?: (seen: SeenAuction, events: readonly AuctionEvent[]) => void;
}

/** States kept in memory: reading one from its text takes 40 times as long as a decision. */
const CACHED_MAX = 5_000;

const LOCK = `SELECT seq, outages_seen AS "outagesSeen", ahead_micros::text AS "aheadMicros", CASE WHEN seq = $2 THEN NULL ELSE state END AS state,
    EXISTS (SELECT FROM replica WHERE id = $3 AND alive_at > clock_timestamp() - ${ALIVE_FOR}) AS alive,
    coalesce((SELECT json_agg(json_build_object('number', number, 'awayFrom', away_from, 'awayUntil', away_until) ORDER BY number)
      FROM outage WHERE number > outages_seen), '[]') AS outages
  FROM auction WHERE id = $1 FOR UPDATE NOWAIT`;
// A new auction has not missed anything. Two replicas may plan it at once: the second finds it.
const INSERT = `INSERT INTO auction (id, tender_id, lot_id, shard, seq, phase, start_at, due_at, outages_seen, state, test, updated_at, ahead_micros)
  SELECT $1, $2, $3, $4, 0, 'planned', $5, NULL, coalesce(max(number), 0), '{}', $6, clock_timestamp(), $7 FROM outage
  ON CONFLICT (id) DO NOTHING`;
// One statement: events and state are stored together, in one round trip.
const SAVE = namedStatement(`WITH logged AS (
    INSERT INTO auction_event (auction_id, seq, type, at, recorded_at, epoch, actor, data)
    SELECT :id, one.seq, one.type, one.at, clock_timestamp(), :epoch, :actor, one.data
    FROM unnest(:seqs::int[], :types::text[], :times::bigint[], :texts::text[]) AS one (seq, type, at, data)
  )
  UPDATE auction SET seq = :seq, phase = :phase, start_at = :startAt, due_at = :dueAt, state = :state, outages_seen = :outagesSeen,
    number = :number, updated_at = clock_timestamp()
  WHERE id = :id`);
// One statement: a boundary and the tasks at it move together. A failed task is repeated when its pause is over.
const MOVE_AHEAD = `WITH moved AS (
    SELECT id, $2::bigint - ahead_micros AS by FROM auction WHERE id = $1 FOR UPDATE
  ), later AS (
    UPDATE task SET due_at = greatest(due_at - moved.by, 0) FROM moved WHERE auction_id = moved.id AND due_at > 0 AND attempts = 0
  )
  UPDATE auction SET ahead_micros = $2, due_at = due_at - moved.by FROM moved WHERE auction.id = moved.id`;
const DUE = `SELECT id AS "auctionId", shard FROM auction WHERE shard = ANY($1::int[]) AND id <> ALL($2::text[]) AND due_at <= $3
  ORDER BY due_at LIMIT $4`;
const NEXT_DUE = `SELECT min(due_at)::text AS due FROM auction WHERE shard = ANY($1::int[]) AND id <> ALL($2::text[])`;
const LOG_WITH_STATE = `SELECT state, ARRAY(SELECT data FROM auction_event WHERE auction_id = id ORDER BY auction_event.seq) AS log
  FROM auction WHERE id = $1`;
const RUNNING = `SELECT id FROM auction WHERE phase = 'running'`;
const LOG = 'SELECT data FROM auction_event WHERE auction_id = $1 ORDER BY seq';

const DueRows = z.array(z.object({ auctionId: z.string(), shard: z.number().int() }));
const NextDue = z.tuple([z.object({ due: z.coerce.number().int().nullable() })]);
const Ids = z.array(z.object({ id: z.string() }));
const Texts = z.array(z.object({ data: z.string() }));
const LogsWithState = z.array(z.object({ state: z.string(), log: z.array(z.string()) }));

export function auctionsStore({ pool, replicaId, turnEndMicros, onChanged }: AuctionsStoreDeps): AuctionsStore {
  const cached = new Map<string, SeenAuction>();
  let unfaithful = new Set<string>();

  function keepInCache(seen: SeenAuction): void {
    const { id } = seen.auction.plan;
    cached.delete(id);
    cached.set(id, seen);
    const [oldest] = cached.keys();
    if (cached.size > CACHED_MAX && oldest !== undefined) cached.delete(oldest);
  }

  async function lockRow(
    tx: pg.PoolClient,
    auctionId: string,
  ): Promise<{ row: LockedRow; auction: Auction } | undefined> {
    const known = cached.get(auctionId)?.auction;
    const { rows } = await tx.query({
      name: 'lock-auction',
      text: LOCK,
      values: [auctionId, known?.seq ?? -1, replicaId],
    });
    if (rows.length === 0) return undefined;
    const row = LockedRow.parse(rows[0]);
    if (!row.alive) throw new UnavailableError('the room');
    const auction = row.state === null ? known : parseState(row.state);
    if (auction === undefined) throw new Error(`no state of auction ${auctionId}`);
    return { row, auction };
  }

  async function save(tx: pg.PoolClient, { auctionId, actor, lease }: AuctionCommand, saved: Saved): Promise<void> {
    const { auction, events, outagesSeen, aheadMicros, before } = saved;
    const firstSeq = auction.seq - events.length + 1;
    await tx.query({
      name: 'save-auction',
      ...SAVE({
        id: auctionId,
        seq: auction.seq,
        phase: auction.phase,
        startAt: auction.plan.startAt,
        dueAt: storedDueAt(auction, turnEndMicros, aheadMicros),
        state: JSON.stringify(auction),
        outagesSeen,
        number: auction.plan.tender.tenderID,
        epoch: lease?.epoch,
        actor,
        seqs: events.map((_event, index) => firstSeq + index),
        types: events.map(({ type }) => type),
        times: events.map(({ at }) => at),
        texts: events.map((event) => JSON.stringify(event)),
      }),
    });
    await changeTasks(tx, { before, auction, aheadMicros });
  }

  async function runExisting(tx: pg.PoolClient, command: AuctionCommand): Promise<StoredResult | undefined> {
    const locked = await lockRow(tx, command.auctionId);
    if (locked === undefined) return undefined;
    const { row, auction } = locked;
    const { aheadMicros } = row;
    const result = decideAfterOutages(auction, row, command);
    const outagesSeen = row.outages.at(-1)?.number ?? row.outagesSeen;
    if (result.events.length > 0 || outagesSeen !== row.outagesSeen) {
      await save(tx, command, { ...result, outagesSeen, aheadMicros, before: auction });
    }
    return { ...result, aheadMicros };
  }

  async function insertPlanned(tx: pg.PoolClient, run: AuctionCommand): Promise<StoredResult> {
    const aheadMicros = run.aheadMicros ?? 0;
    const decision = decide(undefined, run.command, addMicros(run.now, aheadMicros));
    if ('refused' in decision || run.command.type !== 'Plan') throw new Error('only a plan makes an auction');
    const { plan } = run.command;
    const values = [
      plan.id,
      plan.tenderId,
      plan.lotId ?? null,
      shardOf(plan.id),
      plan.startAt,
      plan.tender.test,
      aheadMicros,
    ];
    const { rowCount } = await tx.query(INSERT, values);
    if (rowCount === 0) throw new ConflictError(undefined);
    const auction = fold(undefined, decision.accepted);
    if (auction === undefined) throw new Error('a plan without an event');
    const locked = await tx.query<{ outagesSeen: number }>(
      'SELECT outages_seen AS "outagesSeen" FROM auction WHERE id = $1',
      [plan.id],
    );
    const result = { auction, events: decision.accepted, aheadMicros };
    await save(tx, run, { ...result, outagesSeen: locked.rows[0]?.outagesSeen ?? 0 });
    return result;
  }

  async function runLocked(command: AuctionCommand): Promise<StoredResult | undefined> {
    return whenUnlocked(pool, async (tx) => {
      if (command.lease !== undefined) await requireLease(tx, replicaId, command.lease);
      const existing = await runExisting(tx, command);
      return existing ?? (command.command.type === 'Plan' ? insertPlanned(tx, command) : undefined);
    });
  }

  /** One snapshot of both: the auction may go on meanwhile. */
  async function isFaithful(auctionId: string): Promise<boolean> {
    const { rows } = await pool.query(LOG_WITH_STATE, [auctionId]);
    const [row] = LogsWithState.parse(rows);
    if (row === undefined) return false;
    return deepEqual(parseState(row.state), fold(undefined, parseEvents(row.log.map((data) => ({ data })))));
  }

  const readStored = readStates({ pool, replicaId, knownState: (auctionId) => cached.get(auctionId)?.auction });

  async function read(auctionId: string): Promise<StoredState | undefined> {
    const stored = await readStored(auctionId);
    // Another replica may have changed what this one has in memory.
    if (stored !== undefined && (cached.get(auctionId)?.auction.seq ?? Number.POSITIVE_INFINITY) <= stored.auction.seq)
      keepInCache(stored);
    return stored;
  }

  function refuseUnfaithful(auctionId: string): void {
    if (unfaithful.has(auctionId)) throw new UnavailableError(`auction ${auctionId}`);
  }

  return {
    load: async (auctionId) => (await read(auctionId))?.auction,
    isFaithful,
    read,
    inMemory: (auctionId) => cached.get(auctionId),
    lastSeen: async (auctionId) => cached.get(auctionId) ?? read(auctionId),
    async moveAhead(auctionId, aheadMicros) {
      await pool.query(MOVE_AHEAD, [auctionId, aheadMicros]);
      cached.delete(auctionId);
    },
    async run(command) {
      refuseUnfaithful(command.auctionId);
      try {
        const result = await runLocked(command);
        if (result === undefined) return undefined;
        keepInCache(result);
        if (result.events.length > 0) onChanged?.(result, result.events);
        return result;
      } catch (error) {
        cached.delete(command.auctionId);
        throw error;
      }
    },
    async refusalOf(command) {
      const { auctionId } = command;
      refuseUnfaithful(auctionId);
      const known = cached.get(auctionId);
      const refusedBy = (seen: SeenAuction): Refusal | undefined =>
        decideAfterOutages(seen.auction, { outages: [], aheadMicros: seen.aheadMicros }, command).refused;
      if (known === undefined || refusedBy(known) === undefined) return undefined;
      const stored = await read(auctionId);
      return stored === undefined || stored.isBehind ? undefined : refusedBy(stored);
    },
    async due({ shards, except }, now, max) {
      const values = [shards, except, now, max];
      return DueRows.parse((await pool.query({ name: 'due-auctions', text: DUE, values })).rows);
    },
    async nextDue({ shards, except }) {
      const { rows } = await pool.query({ name: 'next-due', text: NEXT_DUE, values: [shards, except] });
      const [{ due }] = NextDue.parse(rows);
      // Safe cast: microseconds are an instant.
      return due === null ? undefined : (due as Instant);
    },
    async log(auctionId) {
      return parseEvents((await pool.query(LOG, [auctionId])).rows);
    },
    async verifyRunning() {
      const ids = Ids.parse((await pool.query(RUNNING)).rows).map(({ id }) => id);
      unfaithful = new Set();
      for (const id of ids) if (!(await isFaithful(id))) unfaithful.add(id);
      return [...unfaithful];
    },
  };
}

type StoredResult = CommandResult & SeenAuction;

interface Saved extends SeenAuction {
  readonly events: readonly AuctionEvent[];
  readonly outagesSeen: number;
  /** Absent: the auction is new. */
  readonly before?: Auction;
}

function parseEvents(rows: readonly unknown[]): readonly AuctionEvent[] {
  return Texts.parse(rows).map(({ data }) => JSON.parse(data) as AuctionEvent); // Safe cast: only this store writes the log.
}
