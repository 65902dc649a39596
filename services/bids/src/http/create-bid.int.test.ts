import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, publishedBidEvents, send } from '../../test-support/bid-requests.ts';
import { organizationBody, bidBody } from '../../test-support/bidding-facts.ts';
import { NOW } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

const late = '2026-05-20T18:00:00.000001+03:00';

describe('POST /tenders/{id}/bids', () => {
  it('201: the bid, its address, its secrets, and an event without the offer', async () => {
    const { id: tender } = await running().tender();
    const response = await send(running().app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody());
    expect(response.statusCode).toBe(201);
    const { data, access } = response.json();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'active',
      date: NOW,
      tenderers: [organizationBody()],
      value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true },
    });
    expect(response.body).toContain('"amount":489.0');
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5/tenders/${tender}/bids/${data.id}`);
    expect(access).toEqual({ token: expect.any(String), transfer: expect.any(String) });
    expect(await publishedBidEvents(running().database.pool, tender)).toMatchObject([
      {
        type: 'bid.registered',
        asksForAppliedAck: false,
        time: NOW,
        data: { id: data.id, tenderId: tender, version: 1, status: 'active', owner: 'broker2', lots: [] },
      },
    ]);
  });

  it('201: without the transfer token in older segments', async () => {
    const { id: tender } = await running().tender();
    const headers = signedIdentity({ broker: 'broker2', segment: '2.3' });
    const response = await send(running().app, 'POST', `/tenders/${tender}/bids`, headers, bidBody());
    expect(response.json().access).toEqual({ token: expect.any(String) });
  });

  it('201: dates and judges the bid in the time of its tender', async () => {
    const { id: tender } = await running().tender({ clockShift: 3_600_000_000 });
    expect((await postBid(running().app, tender)).data.date).toBe('2026-05-12T11:15:00.120034+03:00');
    const over = await running().tender({ clockShift: 9 * 86_400_000_000 });
    expect((await send(running().app, 'POST', `/tenders/${over.id}/bids`, bidderHeaders, bidBody())).statusCode).toBe(
      403,
    );
  });

  it.each([
    [401, anonymousIdentity(), bidBody()],
    [403, signedIdentity({ group: 'auction' }), bidBody()],
    [403, signedIdentity({ levels: '1' }), bidBody()],
    [415, bidderHeaders, undefined],
    [422, bidderHeaders, { tenderers: [] }],
    [422, bidderHeaders, bidBody({ value: { amount: 501 } })],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { id: tender } = await running().tender();
    const response = await send(running().app, 'POST', `/tenders/${tender}/bids`, headers, data);
    expect([response.statusCode, response.json().status]).toEqual([status, 'error']);
    expect([await running().deps.bids.list(tender), await publishedBidEvents(running().database.pool, tender)]).toEqual(
      [[], []],
    );
  });

  it('401: names the missing credentials', async () => {
    const { id: tender } = await running().tender();
    const response = await send(running().app, 'POST', `/tenders/${tender}/bids`, anonymousIdentity(), bidBody());
    expect(response.json().errors).toMatchObject([
      { location: 'header', name: 'Authorization', description: 'Broker API key required' },
    ]);
  });

  it('403: after the period, with its dates as stored', async () => {
    const { id: tender } = await running().tender();
    running().clock.set(late);
    const response = await send(running().app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody());
    expect([response.statusCode, response.json().errors]).toMatchObject([
      403,
      [
        {
          location: 'body',
          name: 'data',
          description:
            'Bid can be added only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
        },
      ],
    ]);
  });

  it('404: an unknown tender, before any other refusal', async () => {
    const response = await send(running().app, 'POST', `/tenders/${'0'.repeat(32)}/bids`, anonymousIdentity());
    expect([response.statusCode, response.json().errors]).toMatchObject([
      404,
      [{ location: 'url', name: 'tender_id', description: 'Not Found' }],
    ]);
  });
});
