import { describe, expect, it } from 'vitest';
import { makeMetrics } from './metrics.ts';

describe('makeMetrics', () => {
  it('counts each set of labels of one counter separately, from 0', async () => {
    const metrics = makeMetrics('test');
    const tenders = metrics.counter('events_applied_total', 'Events applied', { durable: 'bids--tenders' });
    metrics.counter('events_applied_total', 'Events applied', { durable: 'bids--auction' });
    tenders.increment();
    tenders.increment(2);
    const text = await metrics.registry.getSingleMetricAsString('events_applied_total');
    expect(text.split('\n').slice(2)).toEqual([
      'events_applied_total{durable="bids--tenders",service="test"} 3',
      'events_applied_total{durable="bids--auction",service="test"} 0',
    ]);
  });

  it('exposes a counter without labels', async () => {
    const metrics = makeMetrics('test');
    metrics.counter('outbox_published_total', 'Events published').increment();
    const text = await metrics.registry.getSingleMetricAsString('outbox_published_total');
    expect(text).toContain('outbox_published_total{service="test"} 1');
  });

  it('reads a gauge at each scrape', async () => {
    const metrics = makeMetrics('test');
    let seconds = 1;
    metrics.gauge('clock_lateness_seconds', 'Lateness', () => seconds);
    seconds = 2;
    expect(await metrics.registry.metrics()).toContain('clock_lateness_seconds{service="test"} 2');
  });

  it('reads each set of labels of one gauge', async () => {
    const metrics = makeMetrics('test');
    metrics.gauge('flow_waiting', 'Unanswered', () => 1, { flow: 'closing' });
    metrics.gauge('flow_waiting', 'Unanswered', () => 2, { flow: 'opening' });
    const text = await metrics.registry.getSingleMetricAsString('flow_waiting');
    expect(text.split('\n').slice(2)).toEqual([
      'flow_waiting{flow="closing",service="test"} 1',
      'flow_waiting{flow="opening",service="test"} 2',
    ]);
  });
});
