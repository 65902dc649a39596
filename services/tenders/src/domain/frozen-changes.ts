import type { ComplaintsMode } from '@procurement/domain/complaints';
import { isBlockingStatus } from '@procurement/domain/complaint-blocking';
import { lotsOf } from '@procurement/domain/lots';
import type { TenderParts } from './tender.ts';

type Changed = Pick<TenderParts, 'document'>;

/**
 * Whether a change cancels the tender or one of its lots. Decisions of the other services about the tender must be frozen
 * meanwhile (architecture.md, handshake 3).
 */
export function cancels({ document: before }: Changed, { document: after }: Changed): boolean {
  if (after.status === 'cancelled' && before.status !== 'cancelled') return true;
  const cancelled = new Set(cancelledLots(before));
  return cancelledLots(after).some((id) => !cancelled.has(id));
}

function cancelledLots(document: Changed['document']): readonly string[] {
  return lotsOf(document).flatMap(({ id, status }) => (status === 'cancelled' ? [id] : []));
}

/**
 * Whether a change files a complaint that blocks signing, or makes one blocking. It waits while awards signs a contract
 * (architecture.md, handshake 4). Ticks never do so: they move complaints from one blocking status to another, or close them.
 */
export function addsBlockingComplaint(before: Changed, after: Changed, mode: ComplaintsMode): boolean {
  const blocking = new Set(blockingComplaints(before, mode));
  return blockingComplaints(after, mode).some((id) => !blocking.has(id));
}

function blockingComplaints({ document }: Changed, mode: ComplaintsMode): readonly string[] {
  return (document.complaints ?? []).flatMap(({ id, status }) => (isBlockingStatus(status, mode) ? [id] : []));
}
