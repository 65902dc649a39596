import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type GaugeReader = (gauge: Gauge) => void;

/** Metrics of one process for Prometheus. Durations are in seconds; what varies is a label, not part of a name. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds per request, by route and status class. */
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /**
   * Registers a gauge whose value is read at each scrape, or one more set of labels of a registered gauge. All calls for one
   * name must have the same label names.
   */
  gauge(name: string, help: string, read: () => number, labels?: Readonly<Record<string, string>>): void;
  /** Registers a histogram of seconds. */
  secondsHistogram<L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L>;
  /**
   * Registers a counter, or one more set of labels of a counter that is registered already. Starts at 0, so that the first
   * increment shows in a rate. All calls for one name must have the same label names.
   */
  counter(name: string, help: string, labels?: Readonly<Record<string, string>>): MetricCounter;
}

export interface MetricCounter {
  increment(by?: number): void;
}

/**
 * `nodejs_eventloop_lag_*` contain the interval of their timer. With the 10 ms of prom-client an idle process wakes up 100 times
 * a second for them, which is most of what it costs; deploy/observability subtracts this interval.
 */
const EVENT_LOOP_TIMER_MS = 1_000;

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Makes a registry of its own, so that tests can build several services in one process. */
export function makeMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_TIMER_MS });
  const secondsHistogram: Metrics['secondsHistogram'] = (name, help, labelNames) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS_BUCKETS, registers: [registry] });
  const requestSeconds = secondsHistogram(
    'http_request_duration_seconds',
    'Seconds from request to the end of its response',
    ['method', 'route', 'status'],
  );
  const gaugeReaders = new Map<string, GaugeReader[]>();
  return {
    registry,
    requestSeconds,
    secondsHistogram,
    gauge(name, help, read, labels = {}) {
      const readers = gaugeReaders.get(name);
      if (readers !== undefined) {
        readers.push((gauge) => gauge.set({ ...labels }, read()));
        return;
      }
      const own: GaugeReader[] = [(gauge) => gauge.set({ ...labels }, read())];
      gaugeReaders.set(name, own);
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers: [registry],
        collect: () => {
          for (const readInto of own) readInto(gauge);
        },
      });
    },
    counter(name, help, labels = {}) {
      const registered = registry.getSingleMetric(name);
      const counter =
        registered instanceof Counter
          ? registered
          : new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
      counter.inc({ ...labels }, 0);
      return { increment: (by = 1) => counter.inc({ ...labels }, by) };
    },
  };
}
