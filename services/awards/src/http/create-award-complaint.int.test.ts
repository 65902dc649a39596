import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import {
  addBid,
  applyBidsOpened,
  bidsOpened,
  CLAIM,
  createComplaint,
  operationTitle,
} from '../../test-support/awarding-fixtures.ts';
import { bid } from '../../test-support/run-command.ts';
import { anonymousHeaders, bidderHeaders, headersWithToken, NOW, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(awardComplaintsApi.createAwardComplaint)}`, () => {
  it('201: the claim, its address and its tokens; publishes the claim without its owner', async () => {
    const { tender, collection, response, data } = await createComplaint(running());
    expect([response.statusCode, response.headers.location]).toEqual([
      201,
      `https://api.example.org/api/2.5${collection}/${data.id}`,
    ]);
    expect(data).toMatchObject({ status: 'claim', complaintID: 'UA-2017-02-06-000001.1', dateSubmitted: NOW });
    expect(Object.keys(response.json().access)).toEqual(['token', 'transfer']);
    const events = await running().publishedEvents(tender.id);
    expect(events.at(-1)).toMatchObject({
      awaitsApplied: true,
      data: { awards: [{ complaints: [{ id: data.id }] }] },
    });
    const owner = { owner: 'broker2', ownerTokenHash: sha256Hex(response.json().access.token) };
    expect(events.at(-1).data.complaintOwners).toEqual({ [data.id]: owner });
    expect(JSON.stringify([events.at(-1).data.awards, data])).not.toContain('broker2');
  });

  it.each([
    ['a draft that was never activated', { status: 'draft' }],
    ['a withdrawn bid', { status: 'deleted' }],
    ['a bid of another broker', { ownerTokenHash: 'x' }],
  ])('403: %s gives no right to complain', async (_bid, overrides) => {
    const { award } = await createComplaint(running());
    const tender = await running().addTender();
    await addBid(running(), tender.id, overrides);
    await applyBidsOpened(running(), bidsOpened(tender.id, [bid('b1', 390)]));
    const [own] = (await send(running().app, 'GET', `/tenders/${tender.id}/awards`, anonymousHeaders)).json().data;
    const path = `/tenders/${tender.id}/awards/${own.id}/complaints`;
    expect((await send(running().app, 'POST', path, bidderHeaders, CLAIM)).statusCode).toBe(403);
    const other = `/tenders/${tender.id}/awards/${award.id}/complaints`;
    expect((await send(running().app, 'POST', other, bidderHeaders, CLAIM)).json().errors[0].name).toBe('award_id');
  });

  it('judges by the present owner of a bid, before its event arrives (decision 0077)', async () => {
    const { tender, collection } = await createComplaint(running());
    const { rows } = await running().database.pool.query(
      "SELECT facts FROM kit.replica WHERE kind = 'bid' AND facts::json ->> 'tenderId' = $1",
      [tender.id],
    );
    const facts = JSON.parse(rows[0].facts);
    const taken = { ...facts, version: 2, owner: 'broker3', ownerTokenHash: sha256Hex('new token') };
    running().ownerBids.set(facts.id, taken);
    const newOwner = headersWithToken('new token', 'broker3');
    expect((await send(running().app, 'POST', collection, newOwner, CLAIM)).statusCode).toBe(201);
    expect((await send(running().app, 'POST', collection, bidderHeaders, CLAIM)).statusCode).toBe(403);
  });

  it('201: a repeat with the same seed answers the first result', async () => {
    const { collection } = await createComplaint(running());
    const headers = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex('bid token'), seed: 'a seed' });
    const [first, repeated] = [
      await send(running().app, 'POST', collection, headers, CLAIM),
      await send(running().app, 'POST', collection, headers, CLAIM),
    ];
    expect([first.statusCode, repeated.json()]).toEqual([201, first.json()]);
    expect((await send(running().app, 'GET', collection, anonymousHeaders)).json().data).toHaveLength(2);
  });

  it('201: no transfer token for an older segment', async () => {
    const { collection } = await createComplaint(running());
    const headers = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex('bid token'), segment: '2.3' });
    const response = await send(running().app, 'POST', collection, headers, CLAIM);
    expect(Object.keys(response.json().access)).toEqual(['token']);
  });
});
