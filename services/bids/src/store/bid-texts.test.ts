import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { padId } from '@procurement/testing/ids';
import { expect, it } from 'vitest';
import { bidTexts } from './bid-texts.ts';

const MINUTE_MS = 60_000;

it('counts a bid as unreadable for 10 minutes after the last failure: it may be repaired or erased elsewhere', async () => {
  const metrics = makeMetrics('bids');
  let nowMs = 0;
  const texts = bidTexts({
    box: undefined,
    isSealing: true,
    log: makeLog('bids', 'silent'),
    metrics,
    nowMs: () => nowMs,
  });
  const gauge = async () =>
    (await metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'bids_unreadable')?.values[0]?.value;
  const read = (id: string) =>
    texts.read({ id: padId(id), tenderId: padId('a'), version: 1, document: null, sealed: Buffer.alloc(100) });
  expect(() => read('b')).toThrow('cannot be decrypted');
  expect(() => read('c')).toThrow('cannot be decrypted');
  nowMs = 10 * MINUTE_MS;
  expect(() => read('c')).toThrow('cannot be decrypted');
  expect(await gauge()).toBe(2);
  nowMs += 1;
  expect(await gauge()).toBe(1);
  nowMs += 10 * MINUTE_MS;
  expect(await gauge()).toBe(0);
});
