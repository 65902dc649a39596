import { AUTHOR } from '@procurement/testing/bodies';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, getReached, until, type Json } from '../../support/broker.ts';
import { moveClock, moveToEndOfEnquiries, moveToNextCheck } from '../../support/sandbox.ts';
import { publish, TENDERER } from '../../support/published-tender.ts';
import { untilAuctionsPlanned } from '../stories/wait-for-tender.ts';
import { isoInSeconds, minimalTender } from '../../support/request-bodies.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const seller = patientBroker(url, 'broker2', '2.5');
const anyone = patientBroker(url, undefined, '2.5');
const chronograph = patientBroker(url, 'chronograph', '2.5');

describe('the clock of a tender', () => {
  it('a tender changes its status when its period ends, without a request', async () => {
    const tender = await publish(
      buyer,
      minimalTender({
        enquiryPeriod: { endDate: isoInSeconds(3_600) },
        tenderPeriod: { endDate: isoInSeconds(3_601) },
      }),
    );
    const { path, data } = tender;
    await moveToEndOfEnquiries(buyer, tender);
    const over = await until('the tender to be over', async () => {
      const tender = (await anyone.get(path)).body.data;
      return tender.status === 'unsuccessful' && tender;
    });
    const position = encodeURIComponent(over.dateModified);
    const history = (await getReached(anyone, `${path}/history?at_least=${position}`)).body.data;
    const statuses: string[] = history.map((revision: Json) => revision.status);
    expect(statuses.filter((status, n) => status !== statuses[n - 1])).toEqual([
      'active.enquiries',
      'active.tendering',
      'unsuccessful',
    ]);
    // How much later is measured by `npm run bench`.
    expect(Date.parse(over.date)).toBeGreaterThanOrEqual(Date.parse(data.tenderPeriod.endDate));
  });

  it('PATCH by the chronograph changes nothing if nothing is due, and is refused in a final status', async () => {
    const { id, path, tokenQuery, data } = await publish(buyer, minimalTender());
    const ticked = await chronograph.patch(path, { id });
    expect([ticked.status, ticked.body.data]).toEqual([200, data]);
    await buyer.post(`${path}/cancellations${tokenQuery}`, { reason: 'x', status: 'active' });
    const late = await chronograph.patch(path, { id });
    expect([late.status, late.body.errors[0].description]).toEqual([
      403,
      "Can't update tender in current (cancelled) status",
    ]);
  });

  it('an auction is planned when tendering begins, for a working day after its end', async () => {
    const { id, path } = await publish(buyer, minimalTender());
    await moveToNextCheck(buyer, id);
    const planned = await until('a place in the plan', async () => {
      const { data } = (await anyone.get(path)).body;
      return data.auctionPeriod?.startDate !== undefined && data;
    });
    const start = new Date(planned.auctionPeriod.startDate);
    expect(start.getTime()).toBeGreaterThanOrEqual(Date.parse(planned.auctionPeriod.shouldStartAfter));
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Kyiv', weekday: 'short', hour: 'numeric' });
    const parts = Object.fromEntries(local.formatToParts(start).map(({ type, value }) => [type, value]));
    expect(['Sat', 'Sun']).not.toContain(parts['weekday']);
    expect(Number(parts['hour'])).toBeGreaterThanOrEqual(11);
    expect(Number(parts['hour'])).toBeLessThan(16);
  });
});

describe('POST /sandbox/tenders/{id}/clock (rulings R18)', () => {
  it('moves the clock of one tender in every service, at both paths', async () => {
    const { id, path } = await publish(buyer, minimalTender());
    const root = await fetch(`${url}/sandbox/tenders/${id}/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer broker1`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { to: 'next_check' } }),
    });
    const body: Json = await root.json();
    expect([root.status, body.data.status]).toEqual([200, 'active.tendering']);
    const bid = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
    expect(bid.status).toBe(201);
    const { data } = (await anyone.get(path)).body;
    expect(bid.body.data.date >= data.tenderPeriod.startDate).toBe(true);
    expect((await moveClock(buyer, id, { advance: 'P40D' })).body.data.status).not.toBe('active.enquiries');
    const late = await seller.post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
    expect(late.status).toBe(403);
  });

  it('issue 15 R18: answers after what is due in auction and awards has run', async () => {
    const { id, path, tokenQuery } = await publish(
      buyer,
      minimalTender({
        procurementMethodDetails: 'quick, accelerator=1440',
        submissionMethodDetails: 'quick(mode:no-auction)',
      }),
    );
    await moveToNextCheck(buyer, id);
    const bids = [400, 410].map((amount) => ({ tenderers: [TENDERER], value: { amount } }));
    const [bid] = [await seller.post(`${path}/bids`, bids[0]), await seller.post(`${path}/bids`, bids[1])];
    await untilAuctionsPlanned(anyone, path);
    expect((await moveToNextCheck(buyer, id)).status).toBe('active.auction');
    const reported = (await moveClock(buyer, id, { advance: 'PT12S' })).body.data;
    expect([reported.status, reported.bids.length]).toEqual(['active.qualification', 2]);
    const [award] = reported.awards;
    const awardPath = `${path}/awards/${award.id}`;
    await buyer.patch(`${awardPath}${tokenQuery}`, { status: 'active' });
    const claim = { title: 'x', description: 'x', author: AUTHOR, status: 'claim' };
    expect((await seller.post(`${awardPath}/complaints?acc_token=${bid.body.access.token}`, claim)).status).toBe(201);
    const moved = (await moveClock(buyer, id, { advance: 'P4D' })).body.data;
    const [complaint] = moved.awards[0].complaints;
    expect(complaint.status).not.toBe('claim');
    expect((await anyone.get(awardPath)).body.data.complaints[0].status).toBe(complaint.status);
  });

  it.each([
    [{}, 'advance', ['This field is required.']],
    [{ to: 'tomorrow' }, 'to', ["Value must be one of ['next_check']."]],
    [{ advance: 'soon' }, 'advance', ['Please give a duration such as PT30M, or to: next_check.']],
    [{ advance: '-PT1H' }, 'advance', ['Please give a duration such as PT30M, or to: next_check.']],
    [{ advance: 'PT1H', to: 'next_check' }, 'advance', ['Please give a duration such as PT30M, or to: next_check.']],
    [{ advance: 'PT1H', foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %j', async (data, name, description) => {
    const { id } = await publish(buyer, minimalTender());
    const answer = await moveClock(buyer, id, data);
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ location: 'body', name, description }]]);
  });

  it('answers 401 without credentials, 404 without a tender, 405 to other methods', async () => {
    const { id } = await publish(buyer, minimalTender());
    expect((await moveClock(anyone, id, { advance: 'PT1H' })).status).toBe(401);
    expect((await moveClock(buyer, '0'.repeat(32), { advance: 'PT1H' })).status).toBe(404);
    expect((await buyer.request('DELETE', `/sandbox/tenders/${id}/clock`)).status).toBe(405);
  });
});
