import {
  bidEvents,
  type BidSetErased,
  type BidSetSealed,
  type BidsOpened,
  type SealedBid,
} from '@procurement/contracts/events/bid.events';
import type { BidDocuments } from '@procurement/contracts/events/bid-documents';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import { z } from 'zod';
import type { BiddingPhase } from '../domain/bid.ts';
import { NEXT_PHASE, type PhaseCommand } from '../domain/bidding.phases.ts';
import { DELETED, TEXT_COLUMNS, TextRow } from './bid.row.ts';
import type { BidTexts } from './bid-texts.ts';
import { lockBiddingsExclusive, type LockedBidding } from './bidding-locks.ts';

/** The flow in which this service waits until the documents of opened bids are public. */
export const BID_DOCUMENTS_FLOW = 'bid-documents';

/** The event that requests a change of phase for one tender. */
export interface TriggeringEvent {
  readonly tenderId: string;
  /** Time of the event, in the tender's own time. */
  readonly time: string;
  readonly correlationId: string;
}

/**
 * Changes of phase for many tenders at once, in the caller's transaction. The number of statements does not grow with the
 * number of tenders. Each change locks the bidding of its tenders exclusively, so no bid is written meanwhile.
 */
export interface BiddingStore {
  /** Ids of the bids that take part, by tender. A tender without bids has no entry. */
  participants(tx: pg.PoolClient, tenderIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Closes the bidding and removes drafts. Publishes the set of bids that take part, also when repeated. */
  seal(tx: pg.PoolClient, triggers: readonly TriggeringEvent[]): Promise<void>;
  /** Makes the bids public. Publishes them as every caller may see them, with their documents, also when repeated. */
  open(tx: pg.PoolClient, triggers: readonly TriggeringEvent[], documents: BidDocuments): Promise<void>;
  /** Removes all bids. Publishes that they are gone, also when repeated. */
  erase(tx: pg.PoolClient, triggers: readonly TriggeringEvent[]): Promise<void>;
}

const UPDATE_PHASE = `UPDATE bidding SET phase = $2, version = version + 1 WHERE tender_id = ANY($1::text[])`;
const DELETE_BIDS = `UPDATE bid SET status = '${DELETED}', version = version + 1
  WHERE tender_id = ANY($1::text[]) AND status = ANY($2::text[])`;
const SELECT_LOTS = `SELECT id, tender_id AS "tenderId", lots FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_PARTICIPANTS = `SELECT id, tender_id AS "tenderId" FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_TEXTS = `SELECT ${TEXT_COLUMNS} FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const STORE_CLEAR = `UPDATE bid SET document = opened.document, sealed = NULL
  FROM unnest($1::text[], $2::text[]) AS opened (id, document) WHERE bid.id = opened.id`;

export function biddingStore(outbox: Outbox, texts: BidTexts): BiddingStore {
  /** Locks the tenders, changes phases, and returns the tenders that the command applies to, with their phase after it. */
  async function changePhase(
    tx: pg.PoolClient,
    command: PhaseCommand,
    triggers: readonly TriggeringEvent[],
  ): Promise<readonly LockedBidding[]> {
    const locked = await lockBiddingsExclusive(
      tx,
      triggers.map((trigger) => trigger.tenderId),
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

  /** One outbox row for each tender, correlated with the last event that requested it. */
  function replyRows(
    type: 'bid.set-sealed' | 'bid.opened' | 'bid.set-erased',
    biddings: readonly LockedBidding[],
    triggers: readonly TriggeringEvent[],
    dataOf: (tenderId: string) => BidSetSealed | BidsOpened | BidSetErased,
  ): readonly OutboxRow[] {
    const triggerByTender = new Map(triggers.map((trigger) => [trigger.tenderId, trigger]));
    return biddings.flatMap(({ id, version }) => {
      const trigger = triggerByTender.get(id);
      if (trigger === undefined) return [];
      const { time, correlationId } = trigger;
      const { schema } = bidEvents[type];
      return [outbox.row({ type, schema, subjectId: id, version, time, correlationId, data: dataOf(id) })];
    });
  }

  return {
    async participants(tx, tenderIds) {
      const { rows } = await tx.query({ name: 'bidding-participants', text: SELECT_PARTICIPANTS, values: [tenderIds] });
      return groupByTender(z.array(ParticipantRow).parse(rows), ({ id }) => id);
    },

    async seal(tx, triggers) {
      const affected = await changePhase(tx, 'seal', triggers);
      const sets = await readSealedSets(
        tx,
        affected.map(({ id }) => id),
      );
      await outbox.append(
        tx,
        replyRows('bid.set-sealed', affected, triggers, (id) => ({ id, bids: [...(sets.get(id) ?? [])] })),
      );
    },

    async open(tx, triggers, documents) {
      const affected = await changePhase(tx, 'open', triggers);
      const opened = await readTexts(
        tx,
        affected.map(({ id }) => id),
        texts,
      );
      const encrypted = opened.filter(({ isEncrypted }) => isEncrypted);
      const columns = [encrypted.map(({ id }) => id), encrypted.map(({ text }) => text)];
      if (encrypted.length > 0) await tx.query({ name: 'bidding-store-clear', text: STORE_CLEAR, values: columns });
      const sets = openedBids(opened, documents);
      await outbox.append(
        tx,
        replyRows('bid.opened', affected, triggers, (id) => ({ id, bids: sets.get(id) ?? [] })),
      );
      // A tender without bids has no documents of bids.
      const waiting = affected.filter(({ id }) => sets.has(id));
      await beginWaits(
        tx,
        waiting.map(({ id, version }) => ({ flow: BID_DOCUMENTS_FLOW, id, version })),
      );
    },

    async erase(tx, triggers) {
      const affected = await changePhase(tx, 'erase', triggers);
      await outbox.append(
        tx,
        replyRows('bid.set-erased', affected, triggers, (id) => ({ id })),
      );
    },
  };
}

const PHASE_SET_BY = { seal: 'sealed', open: 'opened', erase: 'erased' } as const satisfies Record<
  PhaseCommand,
  BiddingPhase
>;

const ParticipantRow = z.object({ id: z.string(), tenderId: z.string() });
const SetRow = ParticipantRow.extend({ lots: z.array(z.string()) });
const VisibleBid = z.looseObject({ id: z.string() });

type Queryable = Pick<pg.Pool, 'query'>;

/** The bids that take part, by tender, as `bid.set-sealed` carries them. */
export async function readSealedSets(
  db: Queryable,
  tenderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SealedBid[]>> {
  const { rows } = await db.query({ name: 'bidding-set', text: SELECT_LOTS, values: [tenderIds] });
  return groupByTender(z.array(SetRow).parse(rows), ({ id, lots }): SealedBid => ({ id, lots }));
}

/** The text of a bid that takes part. */
interface BidText {
  readonly id: string;
  readonly tenderId: string;
  readonly text: string;
  /** Whether the row has it encrypted. */
  readonly isEncrypted: boolean;
}

async function readTexts(db: Queryable, tenderIds: readonly string[], texts: BidTexts): Promise<readonly BidText[]> {
  const { rows } = await db.query({ name: 'bidding-texts', text: SELECT_TEXTS, values: [tenderIds] });
  return z
    .array(TextRow)
    .parse(rows)
    .map((row) => {
      const { id, tenderId, sealed } = row;
      return { id, tenderId, text: texts.read(row).text, isEncrypted: sealed !== null };
    });
}

/** The bids of opened tenders as every caller may see them, with their documents, as `bid.opened` carries them. */
export async function readOpenedBids(
  db: Queryable,
  tenderIds: readonly string[],
  { documents, texts }: { readonly documents: BidDocuments; readonly texts: BidTexts },
): Promise<ReadonlyMap<string, BidsOpened['bids']>> {
  return openedBids(await readTexts(db, tenderIds, texts), documents);
}

function openedBids(rows: readonly BidText[], documents: BidDocuments): ReadonlyMap<string, BidsOpened['bids']> {
  return groupByTender(rows, ({ text }) => {
    const bid = VisibleBid.parse(JSON.parse(text));
    const bidDocuments = documents[bid.id];
    return bidDocuments === undefined ? bid : { ...bid, documents: bidDocuments };
  });
}

/** Groups rows by tender and keeps their order. */
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
