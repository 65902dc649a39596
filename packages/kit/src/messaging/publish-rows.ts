/** What publishing needs to know of an outbox row. */
export interface Publishable {
  readonly subject: string;
}

export interface PublishResult<R> {
  /** The rows that were acknowledged. */
  readonly sent: readonly R[];
  /** The first refusal, when there was one. */
  readonly failure?: unknown;
}

/**
 * Publishes rows all at once, each on condition that the server stored the one before it last (`previous`): in their order, or
 * not at all. What one row fails by, all after it fail by as well; `refused` tells that it is so, rather than that nobody
 * answered, and `publishRows` then finds out which they are.
 *
 * A batch takes one round trip however many of it belong to one aggregate: 64 bidders on 8 tenders wait for one acknowledgement
 * rather than for eight in turn, and followers get larger batches.
 */
export async function publishChained<R>(
  rows: readonly R[],
  publish: (row: R, previous: R | undefined) => Promise<void>,
): Promise<PublishResult<R> & { readonly rejected: boolean }> {
  const results = await Promise.allSettled(rows.map(async (row, n) => publish(row, rows[n - 1])));
  const sent = rows.filter((_, n) => results[n]?.status === 'fulfilled');
  const failures = results.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (failures.length === 0) return { sent, rejected: false };
  return { sent, failure: failures[0], rejected: failures.some((error) => !isTimeout(error)) };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/**
 * Publishes rows, those of different aggregates all at once, those of one aggregate each after the acknowledgement of the
 * one before. A row that fails holds back only what follows it of its own aggregate.
 *
 * Decision 2026-11-21: without conditions not all in flight at once. On one connection that keeps the order as long as
 * everything is stored, but a cluster that changes its leader may lose the first of two and store the second, and one row that
 * can never be published would hold up all others for ever. Hence conditions first, and this when they were not met.
 */
export async function publishRows<R extends Publishable>(
  rows: readonly R[],
  publish: (row: R) => Promise<void>,
): Promise<PublishResult<R>> {
  const sent: R[] = [];
  const failures: unknown[] = [];
  async function publishQueue(queue: readonly R[]): Promise<void> {
    for (const row of queue) {
      try {
        await publish(row);
        sent.push(row);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  }
  const queues = new Map<string, R[]>();
  for (const row of rows) {
    const aggregate = aggregateOf(row.subject);
    const queue = queues.get(aggregate);
    if (queue === undefined) queues.set(aggregate, [row]);
    else queue.push(row);
  }
  await Promise.all([...queues.values()].map(publishQueue));
  return failures.length === 0 ? { sent } : { sent, failure: failures[0] };
}

/** `<owner>.<event-type>.<subject id>`: the types of one aggregate share an order, so the id alone tells. */
function aggregateOf(subject: string): string {
  return subject.split('.').slice(2).join('.');
}
