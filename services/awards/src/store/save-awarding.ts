import { awardEvents } from '@procurement/contracts/events/award.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import { EVENT_BYTES_HARD_MAX } from '@procurement/kit/messaging/event-bytes';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import type { AwardingState, AwardSettings } from '../domain/awarding.ts';
import { awardFacts } from '../domain/awarding.view.ts';
import { tenderTime } from '@procurement/domain/tender-time';
import { dueInRealTime, columnsOf } from './awarding.row.ts';

const SAVE = `INSERT INTO awarding (tender_id, version, document, "inner", due_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tender_id) DO UPDATE SET version = excluded.version, document = excluded.document,
    "inner" = excluded."inner", due_at = excluded.due_at`;
const SAVE_CONTRACT_TENDERS = `INSERT INTO contract_place (contract_id, tender_id) SELECT unnest($1::text[]), $2
  ON CONFLICT (contract_id) DO NOTHING`;

/** The flow in which this service waits until the tenders service has applied `award.changed`. */
export const AWARDING_FLOW = 'awarding';

export interface SaveDeps {
  readonly outbox: Outbox;
  readonly settings: AwardSettings;
}

export interface SaveContext {
  /** Real time. */
  readonly now: Instant;
  readonly requestId: string;
  /** Whether a request waits until the tenders service has applied the event. */
  readonly awaitsApplied: boolean;
  /** The columns of the state, if they were made already. */
  readonly columns?: ReturnType<typeof columnsOf>;
}

export interface SaveResult {
  readonly outboxRows: readonly OutboxRow[];
  /** The earliest deadline, in real time. */
  readonly dueAt: Instant | undefined;
}

/** Stores a changed awarding and its `award.changed` event, in the transaction that has locked it. */
export async function saveAwarding(
  tx: pg.PoolClient,
  { outbox, settings }: SaveDeps,
  state: AwardingState,
  tender: TenderFacts,
  { now, requestId, awaitsApplied, columns = columnsOf(state) }: SaveContext,
): Promise<SaveResult> {
  const { document, inner } = columns;
  const dueAt = dueInRealTime(state, tender, now, settings);
  const values = [state.id, state.version, document, inner, dueAt ?? null];
  await tx.query({ name: 'awarding-save', text: SAVE, values });
  if (state.contracts.length > 0) {
    const ids = state.contracts.map((contract) => contract.id);
    await tx.query({ name: 'contract-place-save', text: SAVE_CONTRACT_TENDERS, values: [ids, state.id] });
  }
  const row = awardChangedRow(outbox, state, tender, { now, requestId, awaitsApplied });
  await outbox.append(tx, [row]);
  await beginWaits(tx, [{ flow: AWARDING_FLOW, id: state.id, version: state.version }]);
  return { outboxRows: [row], dueAt };
}

/** The outbox row with all awards and contracts of a tender, at their version. */
export function awardChangedRow(
  outbox: Outbox,
  state: AwardingState,
  tender: TenderFacts,
  { now, requestId, awaitsApplied }: SaveContext,
): OutboxRow {
  return outbox.row(
    {
      type: 'award.changed',
      schema: awardEvents['award.changed'].schema,
      subjectId: state.id,
      version: state.version,
      time: formatServerDate(tenderTime(now, tender)),
      data: awardFacts(state),
      correlationId: requestId,
    },
    // The suppliers of all awards are copies of bids: a request about one award can make none of them smaller.
    { awaitsApplied, requestBytesMax: EVENT_BYTES_HARD_MAX / 2 },
  );
}

/** Stores the earliest deadline only. */
export async function saveDue(tx: pg.PoolClient, tenderId: string, dueAt: Instant | undefined): Promise<void> {
  const text = 'UPDATE awarding SET due_at = $2 WHERE tender_id = $1';
  await tx.query({ name: 'awarding-save-due', text, values: [tenderId, dueAt ?? null] });
}
