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
import { dueInRealTime, buildColumns } from './awarding.row.ts';
import { contractsToPublish, publishContracts, type ContractsToPublish } from './contract-feed.publish.ts';
import { newestInReplica } from './newest-in-replica.ts';

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

/** A changed awarding, which the caller has locked. */
export interface AwardingToSave {
  readonly before: AwardingState;
  readonly state: AwardingState;
  readonly tender: TenderFacts;
  readonly requestId: string;
  /** The columns of the state, if they were made already. */
  readonly columns?: ReturnType<typeof buildColumns>;
}

export interface SaveContext {
  /** Real time. */
  readonly now: Instant;
  /** Whether a request waits until the tenders service has applied the event. */
  readonly awaitsApplied: boolean;
}

export interface SaveResult {
  readonly outboxRows: readonly OutboxRow[];
  /** The earliest deadline, in real time. */
  readonly dueAt: Instant | undefined;
}

/**
 * Stores changed awardings and an `award.changed` of each, in the transaction that has locked them, and publishes their changed contracts.
 * It may end by taking the lock of the feed, so it is the last statement of that transaction. Returns one result for each, in their order.
 */
export async function saveAwardings(
  tx: pg.PoolClient,
  deps: SaveDeps,
  changes: readonly AwardingToSave[],
  context: SaveContext,
): Promise<readonly SaveResult[]> {
  const results: SaveResult[] = [];
  for (const change of changes) results.push(await saveAwarding(tx, deps, change, context));
  await publishContracts(tx, await changedContracts(tx, changes));
  return results;
}

async function saveAwarding(
  tx: pg.PoolClient,
  { outbox, settings }: SaveDeps,
  { before, state, tender, requestId, columns = buildColumns(state) }: AwardingToSave,
  { now, awaitsApplied }: SaveContext,
): Promise<SaveResult> {
  const { document, inner } = columns;
  const dueAt = dueInRealTime(state, tender, now, settings);
  const values = [state.id, state.version, document, inner, dueAt ?? null];
  await tx.query({ name: 'awarding-save', text: SAVE, values });
  const created = state.contracts.slice(before.contracts.length).map((contract) => contract.id);
  if (created.length > 0) {
    await tx.query({ name: 'contract-place-save', text: SAVE_CONTRACT_TENDERS, values: [created, state.id] });
  }
  const row = awardChangedRow(outbox, state, tender, { now, requestId, awaitsApplied });
  await outbox.append(tx, [row]);
  await beginWaits(tx, [{ flow: AWARDING_FLOW, id: state.id, version: state.version }]);
  return { outboxRows: [row], dueAt };
}

/** The contracts of each change that may show something else than before. */
async function changedContracts(
  tx: pg.PoolClient,
  changes: readonly AwardingToSave[],
): Promise<readonly ContractsToPublish[]> {
  const found = changes.flatMap(({ before, state, tender }) => {
    const contracts = contractsToPublish(before, state);
    return contracts.length === 0 ? [] : [{ state, tender, contracts }];
  });
  if (found.length === 0) return [];
  // An event of newer facts may have come since the caller asked for them.
  const tenders = await newestInReplica(
    tx,
    found.map(({ tender }) => tender),
  );
  return found.map(({ state, tender, contracts }, n) => ({
    awarding: { ...state, tender: tenders[n] ?? tender },
    contracts,
  }));
}

/** The outbox row with all awards and contracts of a tender, at their version. */
export function awardChangedRow(
  outbox: Outbox,
  state: AwardingState,
  tender: TenderFacts,
  { now, requestId, awaitsApplied }: SaveContext & { readonly requestId: string },
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
