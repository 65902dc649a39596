import type { Instant } from '@procurement/contracts/reading/instant';
import { tenderTime } from '@procurement/domain/tender-time';
import { beginWaits, endWaits, type FlowWait } from '@procurement/kit/messaging/request/flow-waits';
import type pg from 'pg';
import type { TenderEvent, TenderSettings, TenderState } from '../domain/tender.ts';
import { waitsAfter, waitsOf, type TenderFlow } from '../domain/tender.waits.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** A change of one tender, as far as waits depend on it. */
export interface WaitChange {
  readonly before: { readonly state: TenderState } | undefined;
  readonly state: TenderState;
  readonly events: readonly TenderEvent[];
}

interface ChangedWaits {
  readonly begun: readonly FlowWait[];
  readonly ended: readonly FlowWait[];
}

function waitsOfChanges(changes: readonly WaitChange[], realNow: Instant, settings: TenderSettings): ChangedWaits {
  const begun: FlowWait[] = [];
  const ended: FlowWait[] = [];
  for (const { before, state, events } of changes) {
    const now = tenderTime(realNow, state);
    const after = waitsAfter(events, state, now, settings);
    begun.push(...after.map((flow) => buildWait(state, flow)));
    const formerFlows = before === undefined ? [] : waitsOf(before.state, now, settings);
    ended.push(...formerFlows.filter((flow) => !after.includes(flow)).map((flow) => buildWait(state, flow)));
  }
  return { begun, ended };
}

/** Whether a change begins or ends waits, so that storing it takes more than one statement. */
export function changesWaits(change: WaitChange, realNow: Instant, settings: TenderSettings): boolean {
  const { begun, ended } = waitsOfChanges([change], realNow, settings);
  return begun.length + ended.length > 0;
}

/** Records the waits that these changes begin and end, in their transaction. Most changes do neither and cost no statement. */
export async function recordWaits(
  db: Queryable,
  changes: readonly WaitChange[],
  realNow: Instant,
  settings: TenderSettings,
): Promise<void> {
  const { begun, ended } = waitsOfChanges(changes, realNow, settings);
  await endWaits(db, ended);
  await beginWaits(db, begun);
}

function buildWait({ id, version }: TenderState, flow: TenderFlow): FlowWait {
  return { flow, id, version };
}
