import { describe, expect, it } from 'vitest';
import { watchHealth, type HealthChecks, type HealthWatch } from './health-watch.ts';

interface Watched {
  readonly watch: HealthWatch;
  readonly counts: { reads: number };
  now: number;
  checks: HealthChecks;
  /** The checks wait for it. */
  pause: Promise<void>;
}

function watched(): Watched {
  const counts = { reads: 0 };
  const source: Omit<Watched, 'watch'> = {
    counts,
    now: 0,
    checks: { database: 'ok', stream: 'ok' },
    pause: Promise.resolve(),
  };
  const watch = watchHealth({
    async checks() {
      counts.reads += 1;
      await source.pause;
      return source.checks;
    },
    upstreams: async () => ({ tenders: 'up' }),
    nowMs: () => source.now,
  });
  return Object.assign(source, { watch });
}

describe('watchHealth', () => {
  it('looks when it is asked, and once for all who ask within a second', async () => {
    const source = watched();
    expect(source.counts.reads).toBe(0);
    const states = await Promise.all(Array.from({ length: 200 }, async () => source.watch.state()));
    expect(new Set(states).size).toBe(1);
    expect(states[0]).toEqual({ checks: { database: 'ok', stream: 'ok' }, upstreams: { tenders: 'up' } });
    source.now = 999;
    await source.watch.state();
    expect(source.counts.reads).toBe(1);
  });

  it('answers nothing that is older than a second', async () => {
    const source = watched();
    await source.watch.state();
    source.checks = { database: 'fail', stream: 'ok' };
    source.now = 1_000;
    expect((await source.watch.state()).checks.database).toBe('fail');
  });

  it('begins a new look after a second, also while an earlier one waits', async () => {
    const source = watched();
    let end = (): void => undefined;
    source.pause = new Promise((resolve) => (end = resolve));
    const early = source.watch.state();
    source.now = 1_000;
    source.pause = Promise.resolve();
    await source.watch.state();
    expect(source.counts.reads).toBe(2);
    end();
    expect((await early).checks.database).toBe('ok');
  });
});
