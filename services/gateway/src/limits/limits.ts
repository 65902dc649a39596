import { monotonicMs } from '@procurement/kit/runtime/clock';
import { makeFairQueue, type FairQueue } from '@procurement/kit/runtime/fair-queue';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { Config } from '../config.ts';
import { makeByteBudget, type ByteBudget } from './byte-budget.ts';
import { makeCounter, type Counter } from './counter.ts';
import { makeRefusalDelay, type DelayRefusal } from './delayed-refusals.ts';
import { watchPressure, type Pressure } from './pressure.ts';
import { makeRateLimit, type RateLimit, type RateLimitSettings } from './rate-limit.ts';

/** Bounds on what clients use of this replica. */
export interface Limits {
  readonly rateLimit: RateLimit;
  /** Delays refusals of clients above their rate. */
  readonly delayRefusal: DelayRefusal;
  /** JSON bodies that are being read or forwarded. */
  readonly bodyBytes: ByteBudget;
  /** Answers that wait for their clients. */
  readonly answerBytes: ByteBudget;
  /** Reads that may be costly, each until its client has the answer (proxy/costly-read.ts). */
  readonly costlyReads: FairQueue;
  readonly concurrency: Concurrency;
  readonly pressure: Pressure;
}

/** What one address may do at the same time. */
export interface Concurrency {
  readonly connections: Counter;
  readonly requests: Counter;
  readonly files: Counter;
  readonly streamsOfAddress: Counter;
  readonly streamsOfBroker: Counter;
}

/**
 * What a read costs is known with its answer. So a client has only these on the way, however many it sends at once: 64 mapped answers of
 * 1.7 MB held up all other reads for 250 ms. Answers of usual size take 3 ms each, so that the rate is reached long before.
 */
const COSTLY_READS_OF_CLIENT_MAX = 2;
const COSTLY_READS_WAITING_MAX = 1_000;
const COSTLY_READ_WAIT_MS_MAX = 5_000;

/** Makes the limits of a process, with gauges beside their settings. */
export function makeLimits(config: Config, metrics: Metrics): Limits {
  const pressure = watchPressure(config.PRESSURE_LAG_MS);
  const bodyBytes = makeByteBudget({
    bytesMax: config.BODY_BYTES_MAX,
    bytesPerAddressMax: config.BODY_BYTES_PER_ADDRESS_MAX,
  });
  const answerBytes = makeByteBudget({
    bytesMax: config.ANSWER_BYTES_MAX,
    bytesPerAddressMax: config.ANSWER_BYTES_PER_ADDRESS_MAX,
  });
  metrics.gauge(
    'event_loop_lag_seconds',
    'Event loop lag, compared with PRESSURE_LAG_MS',
    () => pressure.lagMs() / 1_000,
  );
  metrics.gauge(
    'body_bytes_kept',
    'Bytes of JSON bodies in memory, compared with BODY_BYTES_MAX',
    () => bodyBytes.bytes,
  );
  metrics.gauge(
    'answer_bytes_kept',
    'Bytes of long answers that wait for clients, compared with ANSWER_BYTES_MAX',
    () => answerBytes.bytes,
  );
  const rates = rateLimitSettings(config);
  return {
    rateLimit: makeRateLimit(rates, monotonicMs),
    delayRefusal: makeRefusalDelay(),
    bodyBytes,
    answerBytes,
    costlyReads: makeFairQueue({
      runningMax: Infinity,
      runningOfClientMax: rates.readsPerSecond === 0 ? Infinity : COSTLY_READS_OF_CLIENT_MAX,
      waitingMax: COSTLY_READS_WAITING_MAX,
      waitMsMax: COSTLY_READ_WAIT_MS_MAX,
    }),
    concurrency: makeConcurrency(config),
    pressure,
  };
}

/** The rates that are in force. The sandbox has no limits by default, so that tools and load tests run unhindered. */
export function rateLimitSettings({
  SANDBOX_MODE,
  RATE_READS_PER_SECOND,
  RATE_WRITES_PER_SECOND,
  UPLOADS_MAX,
}: Pick<
  Config,
  'SANDBOX_MODE' | 'RATE_READS_PER_SECOND' | 'RATE_WRITES_PER_SECOND' | 'UPLOADS_MAX'
>): RateLimitSettings {
  return {
    readsPerSecond: RATE_READS_PER_SECOND ?? (SANDBOX_MODE ? 0 : 140),
    writesPerSecond: RATE_WRITES_PER_SECOND ?? (SANDBOX_MODE ? 0 : 20),
    uploadsMax: UPLOADS_MAX ?? (SANDBOX_MODE ? 0 : 4),
  };
}

/** A sandbox is not limited unless a limit is set, like its rates. */
function makeConcurrency(config: Config): Concurrency {
  const limit = (set: number | undefined, usual: number): Counter =>
    makeCounter(set ?? (config.SANDBOX_MODE ? 0 : usual));
  return {
    connections: limit(config.CONNECTIONS_PER_ADDRESS_MAX, 256),
    requests: limit(config.REQUESTS_PER_ADDRESS_MAX, 128),
    files: limit(config.FILES_PER_ADDRESS_MAX, 16),
    streamsOfAddress: makeCounter(config.STREAMS_PER_ADDRESS),
    streamsOfBroker: makeCounter(config.STREAMS_PER_KEY),
  };
}
