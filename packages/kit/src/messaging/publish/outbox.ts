import { dataSchemaUri, eventSubject, type PublishedEnvelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import { textArray } from '../../database/text-array.ts';
import { makeActiveTraces, type ActiveTraces } from '../../runtime/active-traces.ts';
import type { IdGenerator } from '../../runtime/ids.ts';
import { startSpan, traceMembers } from '../../runtime/trace-context.ts';
import type { AppliedAcks } from '../applied-acks.ts';
import { EVENT_BYTES_HARD_MAX, EVENT_BYTES_MAX } from '../event-bytes.ts';

/** The event of a change is too large to be published. `server.ts` answers it as `request.too-large`. */
export class EventTooLargeError extends Error {
  constructor(type: string, bytes: number, bytesMax: number) {
    super(`event ${type} of ${bytes} bytes is larger than ${bytesMax}`);
    this.name = 'EventTooLargeError';
  }
}

/** An event as a decision returns it. */
export interface NewEvent {
  readonly type: string;
  /** Type and version of the schema of `data`: `thing.changed/1`. */
  readonly schema: string;
  /** Id of the aggregate. Events of one aggregate keep their order. */
  readonly subjectId: string;
  /** Version of the aggregate after the event. */
  readonly version: number;
  /** Local ISO time of the decision. */
  readonly time: string;
  readonly data: unknown;
  readonly correlationId: string;
}

/** An event as it is stored, in the transaction of the state change. */
export interface OutboxRow {
  readonly id: string;
  readonly subject: string;
  readonly envelope: string;
  /** Subject for the acknowledgement by consumers; null when no writer waits. */
  readonly replyTo: string | null;
}

export interface RowOptions {
  /** Consumers acknowledge the event when they have applied it. */
  readonly awaitsApplied?: boolean;
  /**
   * Largest event in bytes when a request causes it. Default `EVENT_BYTES_MAX`. Clock ticks and applied events are not bounded
   * by it: an error would not help, because nobody can make their events smaller.
   */
  readonly requestBytesMax?: number;
}

/** Rows as one list per column, for statements that unnest them. */
export interface OutboxColumns {
  readonly ids: string[];
  readonly subjects: string[];
  /** `text[]`. */
  readonly envelopes: Buffer;
  readonly replyTos: (string | null)[];
}

export interface Outbox {
  /** Makes the row to store. Throws EventTooLargeError. */
  row(event: NewEvent, options?: RowOptions): OutboxRow;
  columns(rows: readonly OutboxRow[]): OutboxColumns;
  /** Stores rows in the caller's transaction. */
  append(tx: pg.PoolClient, rows: readonly OutboxRow[]): Promise<void>;
  /** Call after the commit: the relay publishes soon instead of at its next poll. */
  wake(): void;
  /** Call after a commit without events, instead of `wake`: wakes those who read the database itself. */
  wakeReaders(): void;
  /** Call before a transaction, and the returned function after the commit: it wakes the relay if rows were made meanwhile. */
  wakeIfRowsAdded(): () => void;
  /** Call after the commit: waits, for a bounded time, until consumers have applied the events. */
  awaitApplied(rows: readonly OutboxRow[]): Promise<void>;
}

export interface OutboxDeps {
  readonly stream: string;
  readonly ids: IdGenerator;
  readonly appliedAcks: AppliedAcks;
  /**
   * Where the trace contexts of requests and applied events are found. Without it every event begins a trace and is taken for
   * one of a clock tick.
   */
  readonly traces?: ActiveTraces;
  wake(): void;
  readonly wakeReaders?: () => void;
}

const APPEND_SQL = `INSERT INTO kit.outbox (id, subject, envelope, reply_to)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])`;

/** The outbox of one service: events are stored in the transaction of the state; `relay.ts` publishes them (architecture.md). */
export function makeOutbox({
  stream,
  ids,
  appliedAcks,
  traces = makeActiveTraces(),
  wake,
  wakeReaders = () => undefined,
}: OutboxDeps): Outbox {
  const columns: Outbox['columns'] = (rows) => ({
    ids: rows.map((row) => row.id),
    subjects: rows.map((row) => row.subject),
    envelopes: textArray(rows.map((row) => row.envelope)),
    replyTos: rows.map((row) => row.replyTo),
  });
  let rowsAdded = 0;
  return {
    columns,
    wake,
    wakeReaders,
    wakeIfRowsAdded() {
      const addedBefore = rowsAdded;
      // Rows of any transaction count: a needless wake-up costs little, a missing one costs the wait for the next poll.
      return () => {
        if (rowsAdded !== addedBefore) wake();
      };
    },
    row(event, options = {}) {
      rowsAdded += 1;
      const id = ids.nextUuid();
      const cause = traces.find(event.correlationId, event.subjectId);
      const envelope: PublishedEnvelope = {
        specversion: '1.0',
        id,
        source: `/${stream}`,
        type: event.type,
        subject: event.subjectId,
        time: event.time,
        datacontenttype: 'application/json',
        dataschema: dataSchemaUri(event.schema),
        correlationid: event.correlationId,
        causationid: event.correlationId,
        aggregateversion: event.version,
        ...traceMembers(cause ?? startSpan(undefined)),
        data: event.data,
      };
      const text = JSON.stringify(envelope);
      const bytes = Buffer.byteLength(text);
      const isOfRequest = traces.isRequest(event.correlationId, event.subjectId);
      const bytesMax = isOfRequest ? (options.requestBytesMax ?? EVENT_BYTES_MAX) : EVENT_BYTES_HARD_MAX;
      if (bytes > bytesMax) throw new EventTooLargeError(event.type, bytes, bytesMax);
      return {
        id,
        subject: eventSubject(stream, event.type, event.subjectId),
        envelope: text,
        replyTo: options.awaitsApplied === true ? appliedAcks.replySubjectFor(id) : null,
      };
    },
    async append(tx, rows) {
      if (rows.length === 0) return;
      const { ids, subjects, envelopes, replyTos } = columns(rows);
      await tx.query({ name: 'outbox-append', text: APPEND_SQL, values: [ids, subjects, envelopes, replyTos] });
    },
    async awaitApplied(rows) {
      const awaited = rows.filter((row) => row.replyTo !== null);
      wake();
      await Promise.all(awaited.map(async (row) => appliedAcks.awaitApplied(row.id)));
    },
  };
}
