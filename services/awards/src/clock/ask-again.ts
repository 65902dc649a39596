import { transact } from '@procurement/kit/database/transaction';
import type { FlowOf } from '@procurement/contracts/events/flows';
import type { AskAgain } from '@procurement/kit/messaging/request/ask-again';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Deps } from '../deps.ts';
import { AWARDING_FLOW, awardChangedRow } from '../store/save-awardings.ts';

export interface AskAgainDeps extends Pick<Deps, 'tenders' | 'awardings'> {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

const REQUEST_ID = 'ask again';

/**
 * Publishes the awards of a tender again, at their version, until the facts of the tender name that version. The facts come from
 * their owner, because the event that carried them may be lost as well.
 */
export function askAgain({
  tenders,
  awardings,
  pool,
  outbox,
  clock,
}: AskAgainDeps): Readonly<Record<FlowOf<'awards'>, AskAgain>> {
  return {
    [AWARDING_FLOW]: async ({ id, version }) => {
      const tender = await tenders.refresh(id);
      if (tender === undefined) throw new Error('the tender is not known');
      if (tender.awardsVersion >= version) return 'answered';
      const state = await awardings.find(id);
      const context = { now: clock.now(), requestId: REQUEST_ID, awaitsApplied: false };
      await transact(pool, async (tx) => outbox.append(tx, [awardChangedRow(outbox, state, tender, context)]));
      outbox.wake();
      return 'asked';
    },
  };
}
