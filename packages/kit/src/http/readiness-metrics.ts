import { setTimeout } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Metrics } from '../runtime/metrics.ts';
import type { ReadyDetail } from '../runtime/ready-detail.ts';

interface ObservedReadiness {
  readonly ready: boolean;
  readonly details?: readonly ReadyDetail[];
}

/** What `/ready` and `/health` say, for Prometheus. */
export interface ReadinessMetrics {
  observe(readiness: ObservedReadiness): void;
}

/** The readiness, or not ready after `waitMs`: a scrape must not fail because the database hangs. */
export async function readinessWithin(
  waitMs: number,
  readiness: Promise<ObservedReadiness>,
): Promise<ObservedReadiness> {
  return Promise.race([readiness, setTimeout(waitMs, { ready: false }, { ref: false })]);
}

// A registry refuses a second gauge of one name. Tests build several servers with one registry.
const madeOf = new WeakMap<Registry, ReadinessMetrics>();

/** Returns the metrics of the registry, which are made once. */
export function makeReadinessMetrics({ registry }: Pick<Metrics, 'registry'>): ReadinessMetrics {
  const made = madeOf.get(registry) ?? registerGauges(registry);
  madeOf.set(registry, made);
  return made;
}

function registerGauges(registry: Registry): ReadinessMetrics {
  const registers = [registry];
  const ready = new Gauge({ name: 'service_ready', help: '1 while /ready answers 200', registers });
  const stuck = new Gauge({
    name: 'service_stuck',
    help: 'How many of a kind are stuck: the details of /health',
    labelNames: ['kind', 'name'],
    registers,
  });
  const oldestSeconds = new Gauge({
    name: 'service_stuck_seconds',
    help: 'Age of the oldest of them',
    labelNames: ['kind', 'name'],
    registers,
  });
  return {
    observe(readiness) {
      ready.set(readiness.ready ? 1 : 0);
      stuck.reset();
      oldestSeconds.reset();
      for (const { kind, name, count, oldestSeconds: age } of readiness.details ?? []) {
        stuck.set({ kind, name }, count);
        if (age !== undefined) oldestSeconds.set({ kind, name }, age);
      }
    },
  };
}
