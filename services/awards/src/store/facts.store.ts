import type { BidsOpened } from '@procurement/contracts/events/bid.events';
import type { Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { transact } from '@procurement/kit/database';
import type { Mint } from '@procurement/kit/ids';
import type { Logger } from '@procurement/kit/log';
import type { Outbox } from '@procurement/kit/outbox';
import type { Replica } from '@procurement/kit/replica';
import type { Round } from '@procurement/kit/scheduler';
import type { Clock } from '@procurement/kit/time';
import type pg from 'pg';
import { decideAwarding } from '../domain/awarding.decide.ts';
import { foldAwarding } from '../domain/awarding.evolve.ts';
import type { AwardingEvent, AwardSettings, Moment, TakeFact, TenderItem } from '../domain/awarding.ts';
import { awardsWithoutContract } from '../domain/contract.create.ts';
import { tenderTime } from '../domain/tender-time.ts';
import { dueInRealTime, readBids, type AwardingRecord } from './awarding.row.ts';
import { dueAwardings, lockAwarding, lockAwardings, lockDueAwardings } from './load-awardings.ts';
import { saveAwarding, saveDue } from './save-awarding.ts';
import type { ItemsOf } from './tender-items.ts';

/** Bids that were opened, and the request that began it. */
export interface Opening {
  readonly opened: BidsOpened;
  readonly correlationId: string;
}

/** What becomes of awards without anybody's wish: bids are opened, and time passes. */
export interface FactsStore {
  /** In the caller's transaction, which marks the events as taken. Throws while a tender is unknown: asked again later. */
  open(tx: pg.PoolClient, openings: readonly Opening[]): Promise<void>;
  /** Tenders changed: when the clock has to act for their awards is computed anew. In the caller's transaction. */
  retime(tx: pg.PoolClient, tenders: readonly TenderFacts[]): Promise<void>;
  /** Acts for at most so many tenders whose awards are due, in one transaction. */
  runDue(max: number): Promise<Round>;
}

export interface FactsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly log: Logger;
  readonly settings: AwardSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly itemsOf: ItemsOf;
  readonly due: (at: Instant) => void;
}

/** What is due and comes to nothing waits so long: a sibling is away that must be asked. */
const POSTPONED_MICROS = 5_000_000;
const CLOCK = 'clock';

/** What must be known of a due awarding before it is held. */
interface Prepared {
  readonly tender: TenderFacts;
  readonly items: readonly TenderItem[] | undefined;
}

export function factsStore(deps: FactsStoreDeps): FactsStore {
  const { pool, outbox, clock, mint, log, settings, tenders } = deps;

  function eventsOf(
    { state }: AwardingRecord,
    fact: TakeFact['fact'],
    { tender, items }: Prepared,
    now: Instant,
  ): readonly AwardingEvent[] {
    const meta: Moment = { now: tenderTime(now, tender), settings, mintId: mint.id, items };
    const decision = decideAwarding({ ...state, tender }, { type: 'TakeFact', fact, meta });
    return 'accepted' in decision ? decision.accepted : [];
  }

  async function prepare({ state }: AwardingRecord): Promise<Prepared | undefined> {
    const lacks = awardsWithoutContract(state).length > 0;
    const [tender, items] = await Promise.all([
      tenders.find(state.id),
      lacks ? deps.itemsOf(state.id) : Promise.resolve(undefined),
    ]);
    return tender === undefined ? undefined : { tender, items };
  }

  async function act(
    tx: pg.PoolClient,
    record: AwardingRecord,
    prepared: Prepared | undefined,
    now: Instant,
  ): Promise<Instant | undefined> {
    const { state } = record;
    const happened = prepared === undefined ? [] : eventsOf(record, { type: 'Tick' }, prepared, now);
    if (prepared !== undefined && happened.length > 0) {
      const cause = { now, requestId: CLOCK, settles: false };
      return (await saveAwarding(tx, deps, foldAwarding(state, happened), prepared.tender, cause)).dueAt;
    }
    const due = prepared === undefined ? now : dueInRealTime(state, prepared.tender, now, settings);
    // Still due: whoever must be asked for what it lacks is away. It must not keep the clock from all others.
    const isStuck = due !== undefined && due <= now;
    if (isStuck) log.warn({ tender: state.id }, 'due, and nothing comes of it yet');
    // A later instant is one.
    const next = isStuck ? ((now + POSTPONED_MICROS) as Instant) : due;
    await saveDue(tx, state.id, next);
    return next;
  }

  function announce(dueAts: readonly (Instant | undefined)[]): void {
    outbox.wake();
    for (const at of dueAts) if (at !== undefined) deps.due(at);
  }

  return {
    async open(tx, openings) {
      const newest = new Map(openings.map((opening) => [opening.opened.id, opening]));
      // In one order everywhere, so that two deliveries cannot deadlock.
      const ids = [...newest.keys()].toSorted();
      const known = new Map(await Promise.all(ids.map(async (id) => [id, await tenders.refresh(id)] as const)));
      const now = clock.now();
      for (const id of ids) {
        const [opening, tender] = [newest.get(id), known.get(id)];
        if (opening === undefined) continue;
        if (tender === undefined) throw new Error(`bids of a tender were opened that nobody knows: ${id}`);
        const record = await lockAwarding(tx, id);
        const fact = { type: 'OpenBids', bids: readBids(opening.opened.bids) } as const;
        const happened = eventsOf(record, fact, { tender, items: undefined }, now);
        if (happened.length === 0) continue;
        const cause = { now, requestId: opening.correlationId, settles: false };
        await saveAwarding(tx, deps, foldAwarding(record.state, happened), tender, cause);
      }
    },

    async retime(tx, changed) {
      const byId = new Map(changed.map((tender) => [tender.id, tender]));
      const now = clock.now();
      for (const { state, dueAt } of await lockAwardings(tx, [...byId.keys()])) {
        const tender = byId.get(state.id);
        if (tender === undefined) continue;
        const due = dueInRealTime(state, tender, now, settings);
        if (due !== dueAt) await saveDue(tx, state.id, due);
      }
    },

    async runDue(max) {
      const now = clock.now();
      const found = await dueAwardings(pool, now, max);
      if (found.length === 0) return { acted: 0, latestMicros: 0 };
      const prepared = new Map(
        await Promise.all(found.map(async (record) => [record.state.id, await prepare(record)] as const)),
      );
      let [acted, dueAts]: [number, readonly (Instant | undefined)[]] = [0, []];
      await transact(pool, async (tx) => {
        const records = await lockDueAwardings(tx, now, [...prepared.keys()]);
        const next: (Instant | undefined)[] = [];
        for (const record of records) next.push(await act(tx, record, prepared.get(record.state.id), now));
        [acted, dueAts] = [records.length, next];
      });
      announce(dueAts);
      return { acted, latestMicros: now - (found[0]?.dueAt ?? now) };
    },
  };
}
