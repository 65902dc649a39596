import {
  bidEvents,
  type BidSetSealed,
  type BidsOpened,
  type SealedBid,
} from '@procurement/contracts/events/bid.events';
import type { BidDocuments } from '@procurement/contracts/events/bid-documents';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type pg from 'pg';
import { z } from 'zod';
import type { BiddingPhase } from '../domain/bid.ts';
import { NEXT_PHASE, type PhaseCommand } from '../domain/bidding.phases.ts';
import { DELETED } from './bid.row.ts';
import { lockBiddingsExclusive, type LockedBidding } from './bidding-locks.ts';

/** What calls for a change of phase: one tender, and the event that says so. */
export interface TriggeringEvent {
  readonly tenderId: string;
  /** Time of the tender at which it came to this. */
  readonly time: string;
  readonly correlationId: string;
}

/**
 * Changes of phase for many tenders at once, in the caller's transaction and in a few statements however many there are.
 * Each holds the bidding of its tenders alone, in the order of their ids, so no bid is being written meanwhile.
 */
export interface BiddingStore {
  /** Ids of the bids that take part, by tender; none for a tender without any. */
  participants(tx: pg.PoolClient, tenderIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** No bid is taken any more and drafts go; answers every call with the set that takes part, also a repeated one. */
  seal(tx: pg.PoolClient, causes: readonly TriggeringEvent[]): Promise<void>;
  /** The set becomes public; answers every call with all that takes part, as anyone sees it, each bid with its documents. */
  open(tx: pg.PoolClient, causes: readonly TriggeringEvent[], documents: BidDocuments): Promise<void>;
  /** All bids go. Answers nobody. */
  erase(tx: pg.PoolClient, causes: readonly TriggeringEvent[]): Promise<void>;
}

const UPDATE_PHASE = `UPDATE bidding SET phase = $2, version = version + 1 WHERE tender_id = ANY($1::text[])`;
const DELETE_BIDS = `UPDATE bid SET status = '${DELETED}', version = version + 1
  WHERE tender_id = ANY($1::text[]) AND status = ANY($2::text[])`;
// Lots are read here, so that nothing of what is sealed leaves the database for a set of names.
const SELECT_LOTS = `SELECT id, tender_id AS "tenderId", ARRAY(SELECT lot ->> 'relatedLot'
    FROM json_array_elements(document::json -> 'lotValues') WITH ORDINALITY AS of (lot, place) ORDER BY place) AS lots
  FROM bid WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_PARTICIPANTS = `SELECT id, tender_id AS "tenderId" FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_DOCUMENTS = `SELECT tender_id AS "tenderId", document FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;

export function biddingStore(outbox: Outbox): BiddingStore {
  /** Locks, moves those whose phase the call changes, and gives those that it speaks to, as they are then. */
  async function changePhase(
    tx: pg.PoolClient,
    command: PhaseCommand,
    causes: readonly TriggeringEvent[],
  ): Promise<readonly LockedBidding[]> {
    const locked = await lockBiddingsExclusive(
      tx,
      causes.map((cause) => cause.tenderId),
    );
    const changedIds: string[] = [];
    const affected = locked.flatMap(({ id, phase: before, version }): LockedBidding[] => {
      const phase = NEXT_PHASE[command][before];
      if (phase === undefined) return [];
      if (phase === before) return [{ id, phase, version }];
      changedIds.push(id);
      return [{ id, phase, version: version + 1 }];
    });
    if (changedIds.length > 0) {
      const deletedStatuses = command === 'erase' ? ['draft', 'active'] : ['draft'];
      await tx.query({ name: 'bidding-delete', text: DELETE_BIDS, values: [changedIds, deletedStatuses] });
      await tx.query({ name: 'bidding-move', text: UPDATE_PHASE, values: [changedIds, PHASE_SET_BY[command]] });
    }
    return affected;
  }

  /** One answer a tender, in the name of the last that asked. */
  function replyRows(
    type: 'bid.set-sealed' | 'bid.opened',
    biddings: readonly LockedBidding[],
    causes: readonly TriggeringEvent[],
    dataOf: (tenderId: string) => BidSetSealed | BidsOpened,
  ): readonly OutboxRow[] {
    const triggerByTender = new Map(causes.map((cause) => [cause.tenderId, cause]));
    return biddings.flatMap(({ id, version }) => {
      const cause = triggerByTender.get(id);
      if (cause === undefined) return [];
      const { time, correlationId } = cause;
      const { schema } = bidEvents[type];
      return [outbox.row({ type, schema, subjectId: id, version, time, correlationId, data: dataOf(id) })];
    });
  }

  return {
    async participants(tx, tenderIds) {
      const { rows } = await tx.query({ name: 'bidding-participants', text: SELECT_PARTICIPANTS, values: [tenderIds] });
      return groupByTender(z.array(ParticipantRow).parse(rows), ({ id }) => id);
    },

    async seal(tx, causes) {
      const held = await changePhase(tx, 'seal', causes);
      const { rows } = await tx.query({ name: 'bidding-set', text: SELECT_LOTS, values: [held.map(({ id }) => id)] });
      const sets = groupByTender(z.array(SetRow).parse(rows), ({ id, lots }): SealedBid => ({ id, lots }));
      await outbox.append(
        tx,
        replyRows('bid.set-sealed', held, causes, (id) => ({ id, bids: sets.get(id) ?? [] })),
      );
    },

    async open(tx, causes, documents) {
      const held = await changePhase(tx, 'open', causes);
      const { rows } = await tx.query({
        name: 'bidding-documents',
        text: SELECT_DOCUMENTS,
        values: [held.map(({ id }) => id)],
      });
      const sets = groupByTender(z.array(DocumentRow).parse(rows), ({ document }) => {
        const bid = VisibleBid.parse(JSON.parse(document));
        const own = documents[bid.id];
        return own === undefined ? bid : { ...bid, documents: own };
      });
      await outbox.append(
        tx,
        replyRows('bid.opened', held, causes, (id) => ({ id, bids: sets.get(id) ?? [] })),
      );
    },

    async erase(tx, causes) {
      await changePhase(tx, 'erase', causes);
    },
  };
}

const PHASE_SET_BY = { seal: 'sealed', open: 'opened', erase: 'erased' } as const satisfies Record<
  PhaseCommand,
  BiddingPhase
>;

const ParticipantRow = z.object({ id: z.string(), tenderId: z.string() });
const SetRow = ParticipantRow.extend({ lots: z.array(z.string()) });
const DocumentRow = z.object({ tenderId: z.string(), document: z.string() });
const VisibleBid = z.looseObject({ id: z.string() });

/** Gathers rows by tender, in their order. */
function groupByTender<R extends { readonly tenderId: string }, T>(
  rows: readonly R[],
  project: (row: R) => T,
): ReadonlyMap<string, T[]> {
  const sets = new Map<string, T[]>();
  for (const row of rows) {
    const set = sets.get(row.tenderId);
    if (set === undefined) sets.set(row.tenderId, [project(row)]);
    else set.push(project(row));
  }
  return sets;
}
