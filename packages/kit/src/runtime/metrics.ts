import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of one process for Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds per request, by route and status class. */
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  /** Registers a gauge whose value is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /** Registers a counter. */
  counter(name: string, help: string): { increment(by?: number): void };
}

/** Makes a registry of its own, so that tests can build several services in one process. */
export function makeMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Seconds from request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    requestSeconds,
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: () => {
          gauge.set(read());
        },
      });
    },
    counter(name, help) {
      const counter = new Counter({ name, help, registers: [registry] });
      return { increment: (by = 1) => counter.inc(by) };
    },
  };
}
