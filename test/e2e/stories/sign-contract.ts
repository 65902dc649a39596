import { expect } from 'vitest';
import type { Broker } from '../../support/broker.ts';
import type { PublishedTender } from '../../support/published-tender.ts';
import { untilTender } from './wait-for-tender.ts';

/** Activates the last contract of a tender, which completes the tender. */
export async function expectSigningCompletesTender(
  { buyer, operator, anyone }: { readonly buyer: Broker; readonly operator: Broker; readonly anyone: Broker },
  { path, tokenQuery }: Pick<PublishedTender, 'path' | 'tokenQuery'>,
  contractId: string,
): Promise<void> {
  const signed = await buyer.patch(`${path}/contracts/${contractId}${tokenQuery}`, { status: 'active' });
  expect([signed.status, signed.body.data.status]).toEqual([200, 'active']);
  await untilTender(operator, path, 'the end', ({ status }) => status === 'complete');
  expect((await anyone.get(path)).body.data.status).toBe('complete');
}
