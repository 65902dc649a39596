import {
  bidEvents,
  type BidSetErased,
  type BidSetSealed,
  type BidsOpened,
} from '@procurement/contracts/events/bid.events';
import type { BidDocuments } from '@procurement/contracts/events/bid-documents';
import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import { tenderTime } from '@procurement/domain/tender-time';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { z } from 'zod';
import type { BiddingPhase } from '../domain/bid.ts';
import { NEXT_PHASE, type PhaseCommand } from '../domain/bidding.phases.ts';
import { CLOSED_COLUMNS, ClosedRow, DELETED, groupByTender } from './bid.row.ts';
import type { BidTexts } from './bid-texts.ts';
import { lockBiddingsExclusive, type LockedBidding } from './bidding-locks.ts';
import { readClosedSets, sealBids, storeOpened, type Closing, type OpenedText } from './seals.store.ts';

/** The flow in which this service waits until the documents of opened bids are public. */
export const BID_DOCUMENTS_FLOW = 'bid-documents';

/** The event that requests a change of phase for one tender. */
export interface TriggeringEvent {
  readonly tenderId: string;
  /** Time of the event. */
  readonly time: string;
  readonly correlationId: string;
}

/** The end of the tendering period of a tender. */
export interface TenderingEnd extends TriggeringEvent {
  /** The end in the tender's time. */
  readonly end: Instant;
  /** Microseconds by which the tender's time is ahead of real time. */
  readonly clockShift: number;
}

/**
 * Changes of phase for many tenders at once, in the caller's transaction. The number of statements does not grow with the
 * number of tenders. Each change locks the bidding of its tenders exclusively, so no bid is written meanwhile.
 */
export interface BiddingStore {
  /** Ids of the bids that take part, by tender. A tender without bids has no entry. */
  participants(tx: pg.PoolClient, tenderIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Closes the bidding, removes drafts and fixes the bids that take part. Publishes their set and its seal, also when repeated. Throws
   * UnreadableBidError: a tender with a bid that cannot be decrypted waits.
   */
  seal(tx: pg.PoolClient, triggers: readonly TenderingEnd[]): Promise<void>;
  /** Makes the bids public. Publishes them as every caller may see them, with their documents, also when repeated. */
  open(tx: pg.PoolClient, triggers: readonly TriggeringEvent[], documents: BidDocuments): Promise<void>;
  /** Removes all bids. Publishes that they are gone, also when repeated. */
  erase(tx: pg.PoolClient, triggers: readonly TriggeringEvent[]): Promise<void>;
}

const MOVE = `WITH removed AS (UPDATE bid SET status = '${DELETED}', version = version + 1, closed = NULL
    WHERE tender_id = ANY($1::text[]) AND status = ANY($2::text[]))
  UPDATE bidding SET phase = $3, version = version + 1 WHERE tender_id = ANY($1::text[])`;
const SELECT_PARTICIPANTS = `SELECT id, tender_id AS "tenderId" FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_TEXTS = `SELECT ${CLOSED_COLUMNS} FROM bid
  WHERE tender_id = ANY($1::text[]) AND status = 'active' ORDER BY position`;
const SELECT_TENDERS = `SELECT facts FROM kit.replica WHERE kind = 'tender' AND id = ANY($1::text[])`;

export interface BiddingStoreDeps {
  readonly outbox: Outbox;
  readonly texts: BidTexts;
  readonly clock: Clock;
}

/** A bidding as its phase is after a command, which a repeated command has not changed. */
interface MovedBidding extends LockedBidding {
  readonly before: BiddingPhase;
}

export function biddingStore({ outbox, texts, clock }: BiddingStoreDeps): BiddingStore {
  /** Locks the tenders, changes phases, and returns the tenders that the command applies to, with their phase after it. */
  async function changePhase(
    tx: pg.PoolClient,
    command: PhaseCommand,
    triggers: readonly TriggeringEvent[],
  ): Promise<readonly MovedBidding[]> {
    const locked = await lockBiddingsExclusive(
      tx,
      triggers.map((trigger) => trigger.tenderId),
    );
    const changedIds: string[] = [];
    const affected = locked.flatMap(({ id, phase: before, version }): MovedBidding[] => {
      const phase = NEXT_PHASE[command][before];
      if (phase === undefined) return [];
      if (phase === before) return [{ id, phase, before, version }];
      changedIds.push(id);
      return [{ id, phase, before, version: version + 1 }];
    });
    if (changedIds.length > 0) {
      const deletedStatuses = command === 'erase' ? ['draft', 'active'] : ['draft'];
      const values = [changedIds, deletedStatuses, PHASE_SET_BY[command]];
      await tx.query({ name: 'bidding-move', text: MOVE, values });
    }
    return affected;
  }

  /** Times of closings that happen now. A tender has one, however often its end is announced. */
  function buildClosings(biddings: readonly MovedBidding[], ends: readonly TenderingEnd[]): readonly Closing[] {
    const now = clock.now();
    const endByTender = new Map(ends.map((end) => [end.tenderId, end]));
    return biddings.flatMap(({ id: tenderId }) => {
      const ended = endByTender.get(tenderId);
      if (ended === undefined) return [];
      const { end } = ended;
      // The clock may be set back a little since the end was awaited.
      return [{ tenderId, end, at: Math.max(end, tenderTime(now, ended)) as Instant }];
    });
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
      const closed = await sealBids(tx, texts, buildClosings(affected.filter(wasOpen), triggers));
      const repeated = affected.filter(({ id }) => !closed.has(id)).map(({ id }) => id);
      const sets = new Map([...closed, ...(await readClosedSets(tx, repeated))]);
      await outbox.append(
        tx,
        replyRows('bid.set-sealed', affected, triggers, (id) => ({ id, bids: [], ...sets.get(id) })),
      );
    },

    async open(tx, triggers, documents) {
      const affected = await changePhase(tx, 'open', triggers);
      const unclosed = affected.filter(wasOpen);
      if (unclosed.length > 0) await sealBids(tx, texts, buildClosings(unclosed, await withEnds(tx, triggers)));
      const opened = await readTexts(
        tx,
        affected.map(({ id }) => id),
        texts,
      );
      const moved = new Set(affected.flatMap(({ id, before, phase }) => (before === phase ? [] : [id])));
      const seals = await storeOpened(
        tx,
        [...moved],
        opened.filter(({ tenderId }) => moved.has(tenderId)),
      );
      const repeated = affected.flatMap(({ id }) => (moved.has(id) ? [] : [id]));
      const told = await readClosedSets(tx, repeated);
      const sets = openedBids(opened, documents);
      await outbox.append(
        tx,
        replyRows('bid.opened', affected, triggers, (id) => ({
          id,
          bids: sets.get(id) ?? [],
          seal: seals.get(id) ?? told.get(id)?.seal,
        })),
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

function wasOpen({ before }: MovedBidding): boolean {
  return before === 'open';
}

const TenderRow = z.object({ facts: z.string().transform((facts) => TenderFacts.parse(JSON.parse(facts))) });

/** Adds the ends of tendering periods by the copies of the tenders, where they have one. */
async function withEnds(tx: pg.PoolClient, triggers: readonly TriggeringEvent[]): Promise<readonly TenderingEnd[]> {
  const values = [triggers.map(({ tenderId }) => tenderId)];
  const { rows } = await tx.query({ name: 'bidding-tenders', text: SELECT_TENDERS, values });
  const tenders = new Map(
    z
      .array(TenderRow)
      .parse(rows)
      .map(({ facts }) => [facts.id, facts]),
  );
  return triggers.flatMap((trigger) => {
    const { tenderPeriod, clockShift = 0 } = tenders.get(trigger.tenderId) ?? {};
    const endDate = tenderPeriod?.endDate;
    return endDate === undefined ? [] : [{ ...trigger, end: parseInstant(endDate), clockShift }];
  });
}

const ParticipantRow = z.object({ id: z.string(), tenderId: z.string() });
const VisibleBid = z.looseObject({ id: z.string() });

type Queryable = Pick<pg.Pool, 'query'>;

async function readTexts(db: Queryable, tenderIds: readonly string[], texts: BidTexts): Promise<readonly OpenedText[]> {
  const { rows } = await db.query({ name: 'bidding-texts', text: SELECT_TEXTS, values: [tenderIds] });
  return z
    .array(ClosedRow)
    .parse(rows)
    .map((row) => openText(texts, row));
}

function openText(texts: BidTexts, { closed, closedVersion, ...row }: ClosedRow): OpenedText {
  const { id, tenderId } = row;
  // A bid that was added after the closing, as open guards allow it, was not closed.
  if (closed === null || closedVersion === null) return { id, tenderId, text: texts.read(row), disclosed: undefined };
  const asClosed = texts.readSealed({ id, tenderId, version: closedVersion }, closed);
  // Without an auction the bid is, byte by byte, what was closed. The version is part of what is authenticated.
  const isSame = row.version === closedVersion && row.sealed?.equals(closed) === true;
  const text = isSame ? asClosed.text : texts.read(row);
  const disclosed = { id, version: closedVersion, salt: asClosed.salt.toString('hex'), text: asClosed.text };
  return { id, tenderId, text, disclosed };
}

/** The bids of opened tenders as every caller may see them, with their documents, as `bid.opened` carries them. */
export async function readOpenedBids(
  db: Queryable,
  tenderIds: readonly string[],
  { documents, texts }: { readonly documents: BidDocuments; readonly texts: BidTexts },
): Promise<ReadonlyMap<string, BidsOpened['bids']>> {
  return openedBids(await readTexts(db, tenderIds, texts), documents);
}

function openedBids(rows: readonly OpenedText[], documents: BidDocuments): ReadonlyMap<string, BidsOpened['bids']> {
  return groupByTender(rows, ({ text }) => {
    const bid = VisibleBid.parse(JSON.parse(text));
    const bidDocuments = documents[bid.id];
    return bidDocuments === undefined ? bid : { ...bid, documents: bidDocuments };
  });
}
