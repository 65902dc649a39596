import { afterEach, describe, expect, it, vi } from 'vitest';
import { bidderHeaders, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a tender without a copy (rulings R37)', () => {
  it.each(['GET', 'POST'] as const)('%s 503 with a pause while the tenders service does not answer', async (method) => {
    vi.spyOn(running().ownerTenders, 'get').mockImplementation(() => {
      throw new Error('unavailable');
    });
    const url = `/tenders/${'1'.repeat(32)}/bids`;
    const response = await send(running().app, method, url, bidderHeaders, method === 'GET' ? undefined : bidBody());
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  });

  it('404 when that service has none either', async () => {
    const response = await send(running().app, 'GET', `/tenders/${'1'.repeat(32)}/bids`, bidderHeaders);
    expect([response.statusCode, response.json().errors[0].name]).toEqual([404, 'tender_id']);
  });
});
