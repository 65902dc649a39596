import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type pg from 'pg';
import type { TenderEvent, TenderSettings, TenderProcessEvent, TenderState } from '../domain/tender.ts';
import { rowOf, type TenderRecord, type TenderRow } from './tender.row.ts';
import { recordWaits } from './tender-waits.ts';

/** One tender to store: its row before, its new state, and the events between them. */
export interface TenderToSave {
  readonly before: TenderRecord | undefined;
  readonly state: TenderState;
  readonly events: readonly TenderEvent[];
  /** The columns of `state`, if they were made already. */
  readonly row?: TenderRow;
}

/** The origin of the changes. */
export interface SaveContext {
  /** Real time. */
  readonly now: Instant;
  readonly requestId: string;
}

export interface SaveResult {
  /** The text of the new public view; `undefined` when the view did not change. */
  readonly body: string | undefined;
  /** Rows of events whose application by another service the writer waits for. */
  readonly awaitedRows: readonly OutboxRow[];
  /** The next deadline, in real time. */
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
 * Stores states, events and views in one round trip, after the waits for other services that begin or end. It may end by taking the lock of the feed, so the commit must follow at
 * once. Returns one result for each change, in their order.
 */
export async function saveTenders(
  db: pg.Pool | pg.PoolClient,
  { outbox, settings }: SaveDeps,
  changes: readonly TenderToSave[],
  context: SaveContext,
): Promise<readonly SaveResult[]> {
  const rows = changes.map(({ state, row }) => row ?? rowOf(state, context.now, settings));
  const events = changes.map((change, n) => eventRows(outbox, change, rows[n]?.facts, context));
  await recordWaits(db, changes, context.now, settings);
  const viewChanged = changes.map(({ before }, n) => before === undefined || before.viewHash !== rows[n]?.viewHash);
  const columns = outbox.columns(events.flat());
  const column = <T>(read: (row: TenderRow) => T): T[] => rows.map(read);
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
      column((row) => row.document),
      column((row) => row.privateState),
      column((row) => JSON.stringify(row.facts)),
      column((row) => row.viewHash),
      column((row) => row.dueAt ?? null),
      viewChanged,
      column((row) => row.isListed),
      column((row) => row.isTest),
      column((row) => row.viewHead),
      column((row) => row.viewTail),
      column((row) => row.fastFields),
    ],
  });
  const modified = result.rows[0]?.modified ?? [];
  return rows.map((row, n) => {
    const date = modified[n] ?? undefined;
    const body = date === undefined ? undefined : row.viewHead + date + row.viewTail;
    return { body, awaitedRows: (events[n] ?? []).filter((event) => event.replyTo !== null), dueAt: row.dueAt };
  });
}

/** One `tender.created` or `tender.changed` for each save, however many events it has; requests to other services follow it. */
function eventRows(
  outbox: Outbox,
  { before, state, events }: TenderToSave,
  facts: TenderFacts | undefined,
  context: SaveContext,
): readonly OutboxRow[] {
  const requests = events.flatMap((event) => {
    if (!isRequest(event)) return [];
    // The writer waits until the bids service has applied a cancellation. Other requests are answered by events.
    return [requestRow(outbox, state, event, context, { awaitsApplied: event.type === 'TenderCancelled' })];
  });
  const type = before === undefined ? 'tender.created' : 'tender.changed';
  return [outboxRow(outbox, state, { type, data: facts }, context), ...requests];
}

const STATE_EVENTS: ReadonlySet<TenderEvent['type']> = new Set([
  'TenderCreated',
  'TenderChanged',
  'TenderOwnerChanged',
]);

function isRequest(event: TenderEvent): event is TenderProcessEvent {
  return !STATE_EVENTS.has(event.type);
}

/** The outbox row of a request to another service. */
export function requestRow(
  outbox: Outbox,
  state: TenderState,
  event: TenderProcessEvent,
  context: SaveContext,
  options: { readonly awaitsApplied: boolean } = { awaitsApplied: false },
): OutboxRow {
  return outboxRow(outbox, state, processEventOf(event, state), context, options);
}

/** The outbox row with the facts of a tender. */
export function factsRow(outbox: Outbox, state: TenderState, facts: TenderFacts, context: SaveContext): OutboxRow {
  return outboxRow(outbox, state, { type: 'tender.changed', data: facts }, context);
}

interface EventContent {
  readonly type: keyof typeof tenderEvents;
  readonly data: unknown;
}

function outboxRow(
  outbox: Outbox,
  { id, version }: TenderState,
  { type, data }: EventContent,
  { now, requestId }: SaveContext,
  options?: { readonly awaitsApplied: boolean },
): OutboxRow {
  const { schema } = tenderEvents[type];
  const time = formatServerDate(now);
  return outbox.row({ type, schema, subjectId: id, version, time, data, correlationId: requestId }, options);
}

function processEventOf(event: TenderProcessEvent, { id, version }: TenderState): EventContent {
  switch (event.type) {
    case 'TenderingEnded':
      return { type: 'tender.tendering-ended', data: { id, version, endDate: event.endDate } };
    case 'QualificationDue':
      return { type: 'tender.qualification-due', data: { id, version, at: event.at } };
    case 'TenderCancelled':
      return { type: 'tender.cancelled', data: { id, version, erasesBids: event.erasesBids } };
    default:
      return event satisfies never;
  }
}
