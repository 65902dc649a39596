import type { Envelope } from '@procurement/contracts/events/envelope';
import { openSpan, withinSpan, type OpenSpan } from '../../runtime/spans.ts';
import { parseTraceContext } from '../../runtime/trace-context.ts';

/** The span of each event of a batch, in the order of the batch. */
export type EventSpans = ReadonlyMap<Envelope, OpenSpan>;

/** Runs `work` in a span for each event. The statements of the batch are below the first one that is recorded. */
export async function inEventSpans(
  durable: string,
  events: readonly Envelope[],
  work: (spans: EventSpans) => Promise<void>,
): Promise<void> {
  const spans: EventSpans = new Map(events.map((event) => [event, openEventSpan(durable, event)]));
  const recorded = [...spans.values()].find(({ context }) => context.sampled)?.context;
  let failed = true;
  try {
    await (recorded === undefined ? work(spans) : withinSpan(recorded, async () => work(spans)));
    failed = false;
  } finally {
    for (const span of spans.values()) span.end({ failed });
  }
}

function openEventSpan(durable: string, event: Envelope): OpenSpan {
  const attributes = {
    'messaging.system': 'nats',
    'messaging.message.id': event.id,
    'procurement.durable': durable,
    'procurement.subject': event.subject,
  };
  return openSpan({ kind: 'consumer', name: `apply ${event.type}`, parent: parseTraceContext(event), attributes });
}
