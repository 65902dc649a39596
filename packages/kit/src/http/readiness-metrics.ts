import { Gauge } from 'prom-client';
import type { Metrics } from '../runtime/metrics.ts';
import type { ReadyDetail } from '../runtime/ready-detail.ts';

/** What `/ready` and `/health` say, for Prometheus. */
export interface ReadinessMetrics {
  observe(readiness: { readonly ready: boolean; readonly details?: readonly ReadyDetail[] }): void;
}

/** Servers that share a registry share these gauges. */
export function makeReadinessMetrics({ registry }: Pick<Metrics, 'registry'>): ReadinessMetrics {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge => {
    const registered = registry.getSingleMetric(name);
    return registered instanceof Gauge
      ? registered
      : new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  };
  const ready = gauge('service_ready', '1 while /ready answers 200');
  const ofKind = ['kind', 'name'];
  const stuck = gauge('service_stuck', 'How many of a kind are stuck: the details of /health', ofKind);
  const oldestSeconds = gauge('service_stuck_seconds', 'Age of the oldest of them', ofKind);
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
