import { describe, expect, it } from 'vitest';
import { busDetails } from '../runtime/ready-detail.ts';
import { makeOutage } from './bus-outage.ts';

function outageAt() {
  const clock = { nowMs: 0 };
  const logged: string[] = [];
  const log = { error: (_fields: unknown, line: string) => logged.push(line) };
  return { clock, logged, outage: makeOutage(log as unknown as Parameters<typeof makeOutage>[0], () => clock.nowMs) };
}

describe('the outage of a bus', () => {
  it('lasts from the start or the loss on, through attempts that fail, and is a detail after a minute', () => {
    const { clock, logged, outage } = outageAt();
    for (const begin of [() => undefined, () => outage.begin()]) {
      const startMs = clock.nowMs;
      begin();
      for (clock.nowMs += 2_000; clock.nowMs < startMs + 60_000; clock.nowMs += 2_000) {
        outage.because(new Error('Hostname/IP does not match'));
        expect(busDetails(outage.fault())).toEqual([]);
      }
      outage.because(new Error('Hostname/IP does not match'));
      expect(busDetails(outage.fault())).toEqual([
        { kind: 'bus', name: 'nats', count: 1, oldestSeconds: 60, text: 'Hostname/IP does not match' },
      ]);
      outage.end();
      expect(outage.fault()).toBe(undefined);
    }
    expect(logged).toHaveLength(2);
  });
});
