import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { endWaits } from '@procurement/kit/messaging/request/flow-waits';
import type pg from 'pg';
import { AWARDING_FLOW } from './save-awardings.ts';

/** Ends the waits of the tenders whose facts have the awards of this version or a newer one. */
export async function endAwardingWaits(tx: Pick<pg.Pool, 'query'>, tenders: readonly TenderFacts[]): Promise<void> {
  const reached = tenders.flatMap(({ id, awardsVersion }) =>
    awardsVersion === 0 ? [] : [{ flow: AWARDING_FLOW, id, version: awardsVersion }],
  );
  await endWaits(tx, reached);
}
