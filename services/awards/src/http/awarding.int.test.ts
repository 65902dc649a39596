import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import { describe, expect, it } from 'vitest';
import { createAwarded } from '../../test-support/awarding-fixtures.ts';
import { bid, ITEMS, money, party } from '../../test-support/run-command.ts';
import { AFTER_STAND_STILL, anonymousHeaders, NOW, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe('from opened bids to a signed contract', () => {
  it('awards, contracts and signs, and publishes an event for each change', async () => {
    const { tender, award, awards, contract, contractPath } = await createAwarded(running());
    expect(awards).toEqual([
      {
        id: awards[0].id,
        bid_id: bid('b1', 390).id,
        status: 'pending',
        date: NOW,
        value: money(390),
        suppliers: [party('b1')],
        complaintPeriod: { startDate: NOW },
      },
    ]);
    expect((await send(running().app, 'GET', award, anonymousHeaders)).json().data).toMatchObject({
      status: 'active',
      complaintPeriod: { startDate: NOW, endDate: '2017-02-21T12:00:00.000000+02:00' },
    });
    expect(contract).toEqual({
      id: contract.id,
      awardID: awards[0].id,
      contractID: 'UA-2017-02-06-000001-1',
      status: 'pending',
      date: NOW,
      dateCreated: NOW,
      value: money(390),
      suppliers: [party('b1')],
      items: ITEMS,
    });
    const early = await send(running().app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect([early.statusCode, early.json().errors[0].description]).toEqual([
      403,
      "Can't sign contract before stand-still period end (2017-02-21T12:00:00.000000+02:00)",
    ]);
    running().clock.set(AFTER_STAND_STILL);
    const signed = await send(running().app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect([signed.statusCode, signed.json().data]).toMatchObject([
      200,
      { status: 'active', dateSigned: AFTER_STAND_STILL, date: AFTER_STAND_STILL },
    ]);
    const events = await running().publishedEvents(tender.id);
    expect(events.map((one) => [one.type, one.aggregateversion, one.awaitsApplied])).toEqual([
      ['award.changed', 1, false],
      ['award.changed', 2, true],
      ['award.changed', 3, true],
    ]);
    const facts = events.map((one) => AwardFacts.parse(one.data));
    expect(
      facts.map(({ version, awards: [first], contracts: [only] }) => [version, first?.status, only?.status]),
    ).toEqual([
      [1, 'pending', undefined],
      [2, 'active', 'pending'],
      [3, 'active', 'active'],
    ]);
  });
});
