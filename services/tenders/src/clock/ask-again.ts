import { tenderTime } from '@procurement/domain/tender-time';
import { transact } from '@procurement/kit/database/transaction';
import type { AskAgain } from '@procurement/kit/messaging/request/ask-again';
import type { DueWait } from '@procurement/kit/messaging/request/flow-waits';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { tenderFacts } from '../domain/tender.facts.ts';
import type { TenderSettings } from '../domain/tender.ts';
import { repeatedRequest, type TenderFlow } from '../domain/tender.waits.ts';
import { loadTender } from '../store/load-tenders.ts';
import { factsRow, requestRow } from '../store/save-tenders.ts';
import { factsVersion } from '../store/tender.row.ts';

export interface AskAgainDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly settings: TenderSettings;
}

const REQUEST_ID = 'ask again';

/**
 * How this service asks again, by flow. A request is published again while the tender waits for its answer, by the state as it
 * is now. The tender is not locked and does not change; an answer that comes twice has no second effect.
 */
export function askAgain(deps: AskAgainDeps): Readonly<Record<TenderFlow, AskAgain>> {
  const makeHandler =
    (flow: TenderFlow): AskAgain =>
    async ({ id }: DueWait) => {
      const row = await repeatedRow(deps, flow, id);
      if (row === undefined) return 'answered';
      await transact(deps.pool, async (tx) => deps.outbox.append(tx, [row]));
      deps.outbox.wake();
      return 'asked';
    };
  return {
    planning: makeHandler('planning'),
    closing: makeHandler('closing'),
    opening: makeHandler('opening'),
    erasure: makeHandler('erasure'),
  };
}

async function repeatedRow(
  { pool, outbox, clock, settings }: AskAgainDeps,
  flow: TenderFlow,
  id: string,
): Promise<OutboxRow | undefined> {
  const record = await loadTender(pool, id, { lock: false });
  if (record === undefined) return undefined;
  const { state } = record;
  const now = clock.now();
  const ownNow = tenderTime(now, state);
  const request = repeatedRequest(state, flow, ownNow, settings);
  if (request === undefined) return undefined;
  const context = { now, requestId: REQUEST_ID };
  return request.type === 'TenderFacts'
    ? factsRow(outbox, state, { ...tenderFacts(state, ownNow, settings), version: factsVersion(record) }, context)
    : requestRow(outbox, state, request, context);
}
