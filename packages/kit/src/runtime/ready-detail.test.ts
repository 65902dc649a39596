import { expect, it } from 'vitest';
import { busDetails } from './ready-detail.ts';

it('a connection to NATS that is away for a minute is stuck, for its reason', () => {
  const text = 'Authorization Violation';
  expect(busDetails(undefined)).toEqual([]);
  expect(busDetails({ text, seconds: 59.9 })).toEqual([]);
  expect(busDetails({ text, seconds: 60.4 })).toEqual([
    { kind: 'bus', name: 'nats', count: 1, oldestSeconds: 60, text },
  ]);
});
