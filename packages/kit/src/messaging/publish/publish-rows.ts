/** The members of an outbox row that `publishRows` reads. */
export interface Publishable {
  readonly subject: string;
}

export interface PublishResult<R> {
  /** Rows that the server acknowledged. */
  readonly sent: readonly R[];
  /** Rows that can never be published, with their errors. */
  readonly unpublishable: readonly UnpublishableRow<R>[];
  /** The first error, if there was one. */
  readonly failure?: unknown;
}

export interface UnpublishableRow<R> {
  readonly row: R;
  readonly error: unknown;
}

/**
 * Publishes all rows at once, each on condition that the last message stored is the row before it (`previous`), so the server
 * stores them in order or not at all. A rejected row fails every later row of the chain. `rejected`: the server rejected a row
 * (not a time-out); retry the rest row by row with `publishRows`.
 *
 * A batch takes one round trip, however many rows belong to one aggregate: 64 bidders on 8 tenders wait for one acknowledgement
 * instead of eight in turn, and consumers get larger batches (docs/decisions/0009-publish-a-batch-at-once.md).
 */
export async function publishChained<R>(
  rows: readonly R[],
  publish: (row: R, previous: R | undefined) => Promise<void>,
): Promise<PublishResult<R> & { readonly rejected: boolean }> {
  const results = await Promise.allSettled(rows.map(async (row, n) => publish(row, rows[n - 1])));
  const sent = rows.filter((_, n) => results[n]?.status === 'fulfilled');
  const failures = results.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length === 0) return { sent, unpublishable: [], rejected: false };
  return { sent, unpublishable: [], failure: failures[0], rejected: failures.some((error) => !isTimeout(error)) };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/**
 * Publishes rows of different aggregates in parallel, and rows of one aggregate each after the acknowledgement of the one
 * before. A failed row holds back only the later rows of its aggregate. A row that fails for its own sake, by
 * `isUnpublishable`, holds back none: waiting would not help, and events carry whole states with versions.
 *
 * Why not all at once without conditions: a cluster that changes its leader may lose the first of two messages and store the
 * second. Why not only the chain: a rejected row would block all others
 * (docs/decisions/0009-publish-a-batch-at-once.md).
 */
export async function publishRows<R extends Publishable>(
  rows: readonly R[],
  publish: (row: R) => Promise<void>,
  isUnpublishable: (error: unknown) => boolean,
): Promise<PublishResult<R>> {
  const sent: R[] = [];
  const unpublishable: UnpublishableRow<R>[] = [];
  const failures: unknown[] = [];
  async function publishQueue(queue: readonly R[]): Promise<void> {
    for (const row of queue) {
      try {
        await publish(row);
        sent.push(row);
      } catch (error) {
        if (isUnpublishable(error)) unpublishable.push({ row, error });
        else {
          failures.push(error);
          return;
        }
      }
    }
  }
  const queues = new Map<string, R[]>();
  for (const row of rows) {
    const aggregate = parseAggregate(row.subject);
    const queue = queues.get(aggregate);
    if (queue === undefined) queues.set(aggregate, [row]);
    else queue.push(row);
  }
  await Promise.all([...queues.values()].map(publishQueue));
  return { sent, unpublishable, ...(failures.length === 0 ? {} : { failure: failures[0] }) };
}

/** Subjects are `<owner>.<event-type>.<subject id>`. One aggregate has one order for all types: the id is the key. */
function parseAggregate(subject: string): string {
  return subject.split('.').slice(2).join('.');
}
