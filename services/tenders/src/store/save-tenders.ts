import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { causeBits, type PublicationCause } from '@procurement/contracts/resources/causes';
import { textArray } from '@procurement/kit/database/text-array';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import type { TenderEvent, TenderSettings, TenderProcessEvent, TenderState } from '../domain/tender.ts';
import { hasEqualFacts, buildRow, type TenderRecord, type TenderRow } from './tender.row.ts';
import { recordWaits } from './tender-waits.ts';
import { waitsOf } from '../domain/tender.waits.ts';
import { tenderTime } from '@procurement/domain/tender-time';

/** One tender to store: its row before, its new state, and the events between them. */
export interface TenderToSave {
  readonly before: TenderRecord | undefined;
  readonly state: TenderState;
  readonly events: readonly TenderEvent[];
  /** What made the change; published if the view changed. */
  readonly causes: readonly PublicationCause[];
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
  /** Whether events were stored. */
  readonly hasEvents: boolean;
  /** Rows of events whose application by another service the writer waits for. */
  readonly awaitedRows: readonly OutboxRow[];
  /** The next deadline, in real time. */
  readonly dueAt: Instant | undefined;
}

export interface SaveDeps {
  readonly outbox: Outbox;
  readonly settings: TenderSettings;
  /** Whether publications are logged; off in benchmarks only. */
  readonly logsPublications: boolean;
}

/** A change with the columns and events to store. */
interface PreparedSave {
  readonly change: TenderToSave;
  readonly row: TenderRow;
  readonly factsText: string;
  readonly events: readonly OutboxRow[];
}

/** The only statement that writes tenders. Long texts are beside the rows, in their order. */
const SAVE = `SELECT save_tenders(p_events => $1::json, p_envelopes => $2::text[], p_states => $3::json, p_documents => $4::text[],
  p_private_states => $5::text[], p_facts => $6::text[], p_publications => $7::json, p_heads => $8::text[], p_tails => $9::text[],
  p_logged => $10) AS dates`;

/**
 * Stores states, events, views and the log of publications by one statement, after the waits for other services that begin or end. Fails with
 * a serialization failure, and stores nothing, if a tender has another version than it was loaded with. It may end by taking the lock of the
 * feed, so the commit must follow at once. Changes of several tenders belong to one transaction of the clock or of an event: a client's request
 * saves its own tender and shares nothing. Returns one result for each change, in their order. Throws EventTooLargeError.
 */
export async function saveTenders(
  db: pg.Pool | pg.PoolClient,
  deps: SaveDeps,
  changes: readonly TenderToSave[],
  context: SaveContext,
): Promise<readonly SaveResult[]> {
  if (changes.length === 0) return [];
  const saves = changes.map((change) => prepareSave(deps, change, context));
  await recordWaits(db, changes, context.now, deps.settings);
  const events = saves.flatMap((save) => save.events);
  const shown = saves.filter(isShown);
  const values = [
    JSON.stringify(events.map(({ id, subject, replyTo }) => ({ id, subject, replyTo }))),
    textArray(events.map(({ envelope }) => envelope)),
    JSON.stringify(saves.map(stateColumns)),
    textArray(saves.map(({ row }) => row.document)),
    textArray(saves.map(({ row }) => row.privateState)),
    textArray(saves.map(({ factsText }) => factsText)),
    JSON.stringify(shown.map(publicationColumns)),
    textArray(shown.map(({ row }) => row.viewHead)),
    textArray(shown.map(({ row }) => row.viewTail)),
    deps.logsPublications,
  ];
  const { rows } = await db.query<{ dates: readonly string[] }>({ name: 'tenders-save', text: SAVE, values });
  return buildResults(saves, rows[0]?.dates ?? []);
}

function prepareSave({ outbox, settings }: SaveDeps, change: TenderToSave, context: SaveContext): PreparedSave {
  const row = change.row ?? buildRow(change.state, context.now, settings);
  const { before, state } = change;
  if (before !== undefined && !mustTell(change, context, settings) && hasEqualFacts(before, row.facts))
    return { change, row, factsText: before.factsText, events: [] };
  // Nobody needs a draft before somebody asks for it (decision 0022). Whoever has a copy of it is told of each change.
  if (before === undefined && state.document.status === 'draft')
    return { change, row, factsText: JSON.stringify(row.facts), events: [] };
  return { change, row, factsText: JSON.stringify(row.facts), events: eventRows(outbox, change, row.facts, context) };
}

/** `dates`: of the changes that the view shows, in their order. */
function buildResults(saves: readonly PreparedSave[], dates: readonly string[]): readonly SaveResult[] {
  const dateOf = new Map(saves.filter(isShown).map((save, n) => [save, dates[n]]));
  return saves.map((save) => {
    const { row, events } = save;
    const date = dateOf.get(save);
    return {
      body: date === undefined ? undefined : row.viewHead + date + row.viewTail,
      hasEvents: events.length > 0,
      awaitedRows: events.filter((event) => event.replyTo !== null),
      dueAt: row.dueAt,
    };
  });
}

function isShown({ change: { before }, row }: PreparedSave): boolean {
  return before?.viewHash !== row.viewHash;
}

/** The public revision after the save, as text. */
function revAfter(save: PreparedSave): string {
  return String((save.change.before?.publicRev ?? 0n) + (isShown(save) ? 1n : 0n));
}

function stateColumns(save: PreparedSave): Readonly<Record<string, unknown>> {
  const { before, state } = save.change;
  const { viewHash, dueAt } = save.row;
  return {
    id: state.id,
    tenderId: state.document.tenderID,
    expected: before?.state.version ?? 0,
    version: state.version,
    rev: revAfter(save),
    owner: state.owner,
    ownerTokenHash: state.ownerTokenHash,
    transferHash: state.transferHash,
    viewHash,
    dueAt,
  };
}

function publicationColumns(save: PreparedSave): Readonly<Record<string, unknown>> {
  const { state, causes } = save.change;
  const { isListed, isTest, fastFields } = save.row;
  return {
    id: state.id,
    version: state.version,
    rev: revAfter(save),
    listed: isListed,
    isTest,
    fastFields,
    causes: String(causeBits(causes)),
  };
}

/**
 * One `tender.created` or `tender.changed` for each save, however many events it has; requests to other services follow it. None when
 * the facts stay as they are, and none for a new draft (decision 0022).
 */
function eventRows(
  outbox: Outbox,
  { before, state, events }: TenderToSave,
  facts: TenderFacts,
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

/** Whether other services get the facts also when they are as before: with a request, and while the plan of an auction is due. */
function mustTell({ state, events }: TenderToSave, { now }: SaveContext, settings: TenderSettings): boolean {
  return events.some(isRequest) || waitsOf(state, tenderTime(now, state), settings).includes('planning');
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
  return outboxRow(outbox, state, buildProcessEvent(event, state), context, options);
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

function buildProcessEvent(event: TenderProcessEvent, { id, version }: TenderState): EventContent {
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
