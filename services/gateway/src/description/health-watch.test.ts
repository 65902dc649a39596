import { describe, expect, it, vi } from 'vitest';
import { watchHealth, type HealthChecks } from './health-watch.ts';

describe('watchHealth', () => {
  it('reads its sources when it refreshes, not when it is asked', async () => {
    let [reads, now] = [0, 0];
    const checks = async (): Promise<HealthChecks> => {
      reads += 1;
      return { database: 'ok', stream: 'ok' };
    };
    const watch = watchHealth({ checks, upstreams: async () => ({ tenders: 'up' }), nowMs: () => now });
    expect(watch.state().checks.database).toBe('fail');
    await watch.refresh();
    for (let n = 0; n < 200; n += 1) expect(watch.state().checks.database).toBe('ok');
    expect([reads, watch.state().upstreams]).toEqual([1, { tenders: 'up' }]);
    now = 10_001;
    expect(watch.state().checks.database).toBe('fail');
  });

  it('refreshes every five seconds while nobody asks, and at most every second for those who do', async () => {
    vi.useFakeTimers();
    try {
      let reads = 0;
      const checks = async (): Promise<HealthChecks> => {
        reads += 1;
        return { database: 'ok', stream: 'ok' };
      };
      const watch = watchHealth({ checks, upstreams: async () => ({}), nowMs: () => performance.now() });
      const { stop } = watch.start();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(reads).toBe(3);
      for (let n = 0; n < 400; n += 1) {
        watch.state();
        await vi.advanceTimersByTimeAsync(10);
      }
      expect(reads).toBe(6);
      stop();
      await vi.advanceTimersByTimeAsync(5_000);
      watch.state();
      expect(reads).toBe(6);
    } finally {
      vi.useRealTimers();
    }
  });
});
