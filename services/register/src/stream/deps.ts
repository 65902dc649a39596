import { signalSubjects } from '@procurement/contracts/events/subjects';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { RevisionDeps } from '../revisions/deps.ts';
import { StreamHub } from './stream-hub.ts';

/** What open streams need. */
export interface StreamDeps extends Pick<RevisionDeps, 'streamStore'> {
  readonly config: { readonly STREAMS_MAX: number; readonly STREAM_EXPANDED_MAX: number };
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly hub: StreamHub;
}

/** Makes the hub of the open streams of this process, which looks for revisions when the follower has applied some. */
export function makeHub(
  { history, streamStore: store }: RevisionDeps,
  { log, clock, metrics, bus }: Pick<ServiceContext, 'log' | 'clock' | 'metrics' | 'bus'>,
): StreamHub {
  const hub = new StreamHub({ store, textsAt: history.textsAt, log, clock, nowMs: monotonicMs });
  // On each connection: the process may start before NATS, and outlive a connection.
  bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, { callback: () => hub.wake() });
  });
  metrics.gauge('stream_readers', 'Open streams, compared with STREAMS_MAX', () => hub.readers);
  metrics.gauge('stream_expanded', 'Of them with whole tenders, compared with STREAM_EXPANDED_MAX', () => hub.expanded);
  metrics.gauge('stream_text_bytes', 'Texts of tenders in memory for these', () => hub.textBytes);
  metrics.gauge('stream_groups', 'Groups of streams with equal filters', () => hub.groups);
  return hub;
}
