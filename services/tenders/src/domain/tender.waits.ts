import type { FlowOf } from '@procurement/contracts/events/flows';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { openAuctions, planningIsDue } from './auction-period.ts';
import type { TenderEvent, TenderParts, TenderProcessEvent, TenderSettings, TenderState } from './tender.ts';

/** The flows in which a tender waits for another service. */
export type TenderFlow = FlowOf<'tenders'>;

/**
 * The flows in which the tender waits, as far as its state says so. The erasure of bids after a cancellation leaves no trace in
 * the state (`waitsAfter`).
 */
export function waitsOf(tender: TenderParts, now: Instant, settings: TenderSettings): readonly TenderFlow[] {
  const { document, bidding } = tender;
  if (document.status !== 'active.tendering' && document.status !== 'active.auction') return [];
  if (bidding.phase === 'opening') return ['opening'];
  const flows: TenderFlow[] = [];
  if (openAuctions(tender).some((auction) => planningIsDue(auction, document, now, settings))) flows.push('planning');
  if (bidding.phase === 'closing') flows.push('closing');
  return flows;
}

/** The flows in which the tender waits after these events. */
export function waitsAfter(
  events: readonly TenderEvent[],
  tender: TenderParts,
  now: Instant,
  settings: TenderSettings,
): readonly TenderFlow[] {
  const erases = events.some((event) => event.type === 'TenderCancelled' && event.erasesBids);
  return [...waitsOf(tender, now, settings), ...(erases ? (['erasure'] as const) : [])];
}

/** What to publish again: a request, or the facts of the tender. */
export type RepeatedRequest = TenderProcessEvent | { readonly type: 'TenderFacts' };

/** The request of a flow, as it was made first; undefined when the tender does not wait in it any more. */
export function repeatedRequest(
  state: TenderState,
  flow: TenderFlow,
  now: Instant,
  settings: TenderSettings,
): RepeatedRequest | undefined {
  const { document } = state;
  if (flow === 'erasure') {
    return document.status === 'cancelled' ? { type: 'TenderCancelled', erasesBids: true } : undefined;
  }
  if (!waitsOf(state, now, settings).includes(flow)) return undefined;
  switch (flow) {
    case 'planning':
      return { type: 'TenderFacts' };
    case 'closing': {
      const { endDate } = document.tenderPeriod ?? {};
      return endDate === undefined ? undefined : { type: 'TenderingEnded', endDate };
    }
    case 'opening':
      return { type: 'QualificationDue', at: formatServerDate(now) };
    default:
      return flow satisfies never;
  }
}
