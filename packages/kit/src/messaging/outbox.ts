import { subjectOf, type Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { IdGenerator } from '../runtime/ids.ts';
import type { AppliedAcks } from './applied-acks.ts';

/** Something that happened, as the decision knows it. */
export interface NewEvent {
  readonly type: string;
  /** Type and version of the shape of `data`. */
  readonly schema: string;
  /** What the event belongs to: keeps the order of its own events. */
  readonly subjectId: string;
  /** Version of the aggregate after the event. */
  readonly version: number;
  /** Local ISO time of the decision. */
  readonly time: string;
  readonly data: unknown;
  readonly correlationId: string;
}

/** An event as it is stored beside the state it tells of. */
export interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly envelope: string;
  readonly replyTo: string | null;
}

/** The same rows as four lists, for statements that unnest them. */
export interface OutboxColumns {
  readonly ids: string[];
  readonly subjects: string[];
  readonly envelopes: string[];
  readonly replyTos: (string | null)[];
}

export interface Outbox {
  /** The row to store; `settles` asks consumers of this event to tell when they have applied it. */
  row(event: NewEvent, options?: { readonly awaitsApplied?: boolean }): OutboxRow;
  columns(rows: readonly OutboxRow[]): OutboxColumns;
  /** Stores rows in the caller's transaction. */
  append(tx: pg.PoolClient, rows: readonly OutboxRow[]): Promise<void>;
  /** After the commit: publishes now rather than at the next look. */
  wake(): void;
  /** At the beginning of a transaction; what it gives is for after the commit, and wakes if any row was made meanwhile. */
  wakeIfRowsAdded(): () => void;
  /** After the commit: waits, for a bounded time, until the events are applied where they show. */
  awaitApplied(rows: readonly OutboxRow[]): Promise<void>;
}

export interface OutboxDeps {
  readonly stream: string;
  readonly ids: IdGenerator;
  readonly appliedAcks: AppliedAcks;
  wake(): void;
}

const APPEND_SQL = `INSERT INTO outbox (id, subject, envelope, reply_to)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])`;

/** Events of one service. State and events are stored in one transaction; `relay.ts` publishes them (architecture.md). */
export function makeOutbox({ stream, ids, appliedAcks, wake }: OutboxDeps): Outbox {
  const columns: Outbox['columns'] = (rows) => ({
    ids: rows.map((row) => row.id),
    subjects: rows.map((row) => row.subject),
    envelopes: rows.map((row) => row.envelope),
    replyTos: rows.map((row) => row.replyTo),
  });
  let rowsAdded = 0;
  return {
    columns,
    wake,
    wakeIfRowsAdded() {
      const addedBefore = rowsAdded;
      // By whichever transaction: a look in vain costs little, one that is left out costs the wait for the next.
      return () => {
        if (rowsAdded !== addedBefore) wake();
      };
    },
    row(event, options = {}) {
      rowsAdded += 1;
      const id = ids.nextUuid();
      const envelope: Envelope = {
        specversion: '1.0',
        id,
        source: `/${stream}`,
        type: event.type,
        subject: event.subjectId,
        time: event.time,
        datacontenttype: 'application/json',
        dataschema: event.schema,
        correlationid: event.correlationId,
        causationid: event.correlationId,
        sequence: event.version,
        data: event.data,
      };
      return {
        id,
        subject: subjectOf(stream, event.type, event.subjectId),
        envelope: JSON.stringify(envelope),
        replyTo: options.awaitsApplied === true ? appliedAcks.replySubjectFor(id) : null,
      };
    },
    async append(tx, rows) {
      if (rows.length === 0) return;
      const { ids, subjects, envelopes, replyTos } = columns(rows);
      await tx.query({ name: 'outbox-append', text: APPEND_SQL, values: [ids, subjects, envelopes, replyTos] });
    },
    async awaitApplied(rows) {
      wake();
      await Promise.all(
        rows.filter((row) => row.replyTo !== null).map(async (row) => appliedAcks.awaitApplied(row.id)),
      );
    },
  };
}
