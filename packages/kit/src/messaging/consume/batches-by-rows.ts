import type { Subscription } from './subscription.ts';

/** Rows of one transaction are read together up to this size, as by the clock (decision 0054). */
const ROW_BYTES_MAX = 8 * 1024 * 1024;

interface HasSubject {
  readonly event: { readonly subject: string };
}

/**
 * Splits deliveries into batches whose rows are together at most `bytesMax`, in their order. A row that several events of a
 * batch need counts once. A larger row has a batch of its own.
 */
export function batchesByRows<D extends HasSubject>(
  deliveries: readonly D[],
  rowBytes: ReadonlyMap<string, number>,
  bytesMax: number,
): readonly (readonly D[])[] {
  const batches: D[][] = [];
  let batch: D[] = [];
  let subjects = new Set<string>();
  let bytes = 0;
  for (const delivery of deliveries) {
    const { subject } = delivery.event;
    const size = rowBytes.get(subject) ?? 0;
    if (batch.length > 0 && !subjects.has(subject) && bytes + size > bytesMax) {
      batches.push(batch);
      [batch, subjects, bytes] = [[], new Set(), 0];
    }
    if (!subjects.has(subject)) bytes += size;
    subjects.add(subject);
    batch.push(delivery);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** Batches whose rows are together at most 8 MiB; one batch when the subscription does not know the sizes of rows. */
export async function splitByRows<D extends HasSubject>(
  deliveries: readonly D[],
  subscription: Pick<Subscription, 'rowBytes'>,
): Promise<readonly (readonly D[])[]> {
  if (subscription.rowBytes === undefined || deliveries.length < 2) return [deliveries];
  const sizes = await subscription.rowBytes([...new Set(deliveries.map(({ event }) => event.subject))]);
  return batchesByRows(deliveries, sizes, ROW_BYTES_MAX);
}
