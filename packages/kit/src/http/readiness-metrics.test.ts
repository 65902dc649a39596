import { describe, expect, it } from 'vitest';
import { makeMetrics } from '../runtime/metrics.ts';
import { makeReadinessMetrics, readinessWithin } from './readiness-metrics.ts';

describe('makeReadinessMetrics', () => {
  it('shows what is stuck, and no longer when it is not', async () => {
    const metrics = makeMetrics('test');
    const { observe } = makeReadinessMetrics(metrics);
    observe({ ready: false, details: [{ kind: 'flow', name: 'closing', count: 2, oldestSeconds: 90 }] });
    const stuck = await metrics.registry.metrics();
    expect(stuck).toContain('service_ready{service="test"} 0');
    expect(stuck).toContain('service_stuck{kind="flow",name="closing",service="test"} 2');
    expect(stuck).toContain('service_stuck_seconds{kind="flow",name="closing",service="test"} 90');
    observe({ ready: true });
    const recovered = await metrics.registry.metrics();
    expect(recovered).toContain('service_ready{service="test"} 1');
    expect(recovered).not.toContain('closing');
  });

  it('is made once more for a second server of one process', async () => {
    const metrics = makeMetrics('test');
    makeReadinessMetrics(metrics).observe({ ready: false });
    makeReadinessMetrics(metrics).observe({ ready: true });
    expect(await metrics.registry.metrics()).toContain('service_ready{service="test"} 1');
  });
});

describe('readinessWithin', () => {
  it('is that of the process, and not ready when the database does not answer', async () => {
    expect(await readinessWithin(60_000, Promise.resolve({ ready: true, details: [] }))).toEqual({
      ready: true,
      details: [],
    });
    expect(await readinessWithin(1, new Promise(() => undefined))).toEqual({ ready: false });
  });
});
