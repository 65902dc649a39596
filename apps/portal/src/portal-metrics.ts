import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';

/** What the portal counts (portal.md 13). */
export interface PortalMetrics extends Pick<Metrics, 'registry'> {
  /** Seconds of a page, by its path in `pages.table.ts`. */
  readonly pageSeconds: ReturnType<Metrics['secondsHistogram']>;
  /** Seconds of a call of the API, by the last fixed word of its path. */
  readonly callSeconds: ReturnType<Metrics['secondsHistogram']>;
  /** Counts a part of a page that was left out, because its call was late or failed. */
  readonly leftOut: (part: string) => void;
  /** Counts a member of a tender that the page could not read. */
  readonly unread: () => void;
}

export function makePortalMetrics(): PortalMetrics {
  const { registry, secondsHistogram, counter } = makeMetrics('portal');
  const unread = counter('portal_unread_members_total', 'Members of tenders that pages could not read');
  return {
    registry,
    pageSeconds: secondsHistogram('portal_page_seconds', 'Seconds of a page', ['page', 'status']),
    callSeconds: secondsHistogram('portal_call_seconds', 'Seconds of a call of the API', ['call', 'status']),
    leftOut: (part) => counter('portal_parts_left_out_total', 'Parts of pages left out', { part }).increment(),
    unread: () => unread.increment(),
  };
}
