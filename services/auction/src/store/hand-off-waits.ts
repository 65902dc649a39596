import type { FlowOf } from '@procurement/contracts/events/flows';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import type pg from 'pg';
import type { AuctionRef, HandOffEvent } from '../domain/hand-off.ts';
import { totalFactVersion } from './fact-versions.ts';
import { auctionRef } from './hand-off.row.ts';
import { NO_LOT } from './plans.row.ts';

/** The flows in which this service waits until others have applied a fact of an auction. */
export type HandOffFlow = FlowOf<'auction'>;

const FLOW_OF = {
  AddressesPublished: 'addresses',
  ResultsReported: 'results',
} as const satisfies Record<HandOffEvent['type'], HandOffFlow>;

/** Records that this event has no answer yet, in the transaction that publishes it as the newest fact of the tender. */
export async function beginHandOffWait(tx: pg.PoolClient, tenderId: string, event: HandOffEvent): Promise<void> {
  const { lot = NO_LOT } = event.type === 'AddressesPublished' ? event : event.results;
  const version = await totalFactVersion(tx, tenderId);
  await beginWaits(tx, [{ flow: FLOW_OF[event.type], id: `${tenderId}/${lot}`, version }]);
}

/** The auction of a wait. */
export function readWaitId(id: string): AuctionRef & { readonly tenderId: string } {
  const [tenderId = '', lotId = NO_LOT] = id.split('/');
  return { tenderId, ...auctionRef(lotId) };
}
