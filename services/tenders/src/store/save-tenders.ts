import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { formatServerDate, type Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Outbox, OutboxRow } from '@procurement/kit/outbox';
import type pg from 'pg';
import type { TenderEvent, TenderSettings, TenderSignal, TenderState } from '../domain/tender.ts';
import { rowOf, type TenderRecord, type TenderRow } from './tender.row.ts';

/** One tender to store: what it was, what it is, and what happened in between. */
export interface Change {
  readonly before: TenderRecord | undefined;
  readonly state: TenderState;
  readonly happened: readonly TenderEvent[];
}

/** What brought changes about. */
export interface Cause {
  /** Real time. */
  readonly now: Instant;
  readonly requestId: string;
}

export interface Saved {
  /** The public answer, whole; undefined when the change does not show. */
  readonly body: string | undefined;
  /** Rows of events that the writer may wait for. */
  readonly awaited: readonly OutboxRow[];
  /** When the clock has to act next, in real time. */
  readonly dueAt: Instant | undefined;
}

export interface SaveDeps {
  readonly outbox: Outbox;
  readonly settings: TenderSettings;
}

const SAVE = `SELECT save_tenders($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
  $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bigint[],
  $17::boolean[], $18::boolean[], $19::boolean[], $20::text[], $21::text[], $22::text[]) AS modified`;

/**
 * Stores states, events and views in one round trip, whose last act may be taking the feed's lock: the commit must follow at
 * once. Gives an entry per change, in their order.
 */
export async function saveTenders(
  db: pg.Pool | pg.PoolClient,
  { outbox, settings }: SaveDeps,
  changes: readonly Change[],
  cause: Cause,
): Promise<readonly Saved[]> {
  const rows = changes.map(({ state }) => rowOf(state, cause.now, settings));
  const events = changes.map((change, n) => eventRows(outbox, change, rows[n]?.facts, cause));
  const shows = changes.map(({ before }, n) => before === undefined || before.viewHash !== rows[n]?.viewHash);
  const columns = outbox.columns(events.flat());
  const of = <T>(read: (row: TenderRow) => T): T[] => rows.map(read);
  const states = changes.map(({ state }) => state);
  const result = await db.query<{ modified: readonly (string | null)[] }>({
    name: 'tenders-save',
    text: SAVE,
    values: [
      columns.ids,
      columns.subjects,
      columns.envelopes,
      columns.replyTos,
      states.map((state) => state.id),
      states.map((state) => state.document.tenderID),
      changes.map(({ before }) => before?.state.version ?? 0),
      states.map((state) => state.version),
      states.map((state) => state.owner),
      states.map((state) => state.ownerTokenHash),
      states.map((state) => state.transferHash),
      of((row) => row.document),
      of((row) => row.surroundings),
      of((row) => JSON.stringify(row.facts)),
      of((row) => row.viewHash),
      of((row) => row.dueAt ?? null),
      shows,
      of((row) => row.isListed),
      of((row) => row.isTest),
      of((row) => row.viewHead),
      of((row) => row.viewTail),
      of((row) => row.fastFields),
    ],
  });
  const modified = result.rows[0]?.modified ?? [];
  return rows.map((row, n) => {
    const date = modified[n] ?? undefined;
    const body = date === undefined ? undefined : row.viewHead + date + row.viewTail;
    return { body, awaited: (events[n] ?? []).filter((event) => event.replyTo !== null), dueAt: row.dueAt };
  });
}

/** However many steps it took, siblings are told of the change once, with all they need; calls upon them follow. */
function eventRows(
  outbox: Outbox,
  { before, state, happened }: Change,
  facts: TenderFacts | undefined,
  { now, requestId }: Cause,
): readonly OutboxRow[] {
  const make = (type: keyof typeof tenderEvents, data: unknown, settles: boolean): OutboxRow =>
    outbox.row(
      {
        type,
        schema: tenderEvents[type].schema,
        subjectId: state.id,
        version: state.version,
        time: formatServerDate(now),
        data,
        correlationId: requestId,
      },
      { settles },
    );
  const calls = happened.flatMap((event) => {
    if (event.type === 'TenderCreated' || event.type === 'TenderChanged') return [];
    const { type, data } = callOf(event, state);
    // A cancellation is answered when no more bids are taken; other calls are answered by events of their own.
    return [make(type, data, event.type === 'TenderCancelled')];
  });
  return [make(before === undefined ? 'tender.created' : 'tender.changed', facts, false), ...calls];
}

function callOf(
  signal: TenderSignal,
  { id, version }: TenderState,
): { readonly type: keyof typeof tenderEvents; readonly data: unknown } {
  switch (signal.type) {
    case 'TenderingEnded':
      return { type: 'tender.tendering-ended', data: { id, version, endDate: signal.endDate } };
    case 'QualificationDue':
      return { type: 'tender.qualification-due', data: { id, version, at: signal.at } };
    case 'TenderCancelled':
      return { type: 'tender.cancelled', data: { id, version, erasesBids: signal.erasesBids } };
    default:
      return signal satisfies never;
  }
}
