import { sha256Hex } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { signedIdentity } from '@procurement/testing/identity';
import {
  playBrokerLevels,
  playTransfers,
  type PlayedGateway,
  type PlayedTransfers,
} from '@procurement/testing/ownership';
import { beforeAll, describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, publishedBidEvents, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();
const newOwner = signedIdentity({ broker: 'broker3' });
let transfers: PlayedTransfers;
let gateway: PlayedGateway;

beforeAll(() => {
  const log = makeLog('test', 'fatal');
  transfers = playTransfers(running().bus, log);
  gateway = playBrokerLevels(running().bus, log);
});

async function postedBid(transferId: string) {
  const tender = await running().tender();
  const response = await send(running().app, 'POST', `/tenders/${tender.id}/bids`, bidderHeaders, bidBody());
  const { data, access } = response.json();
  transfers.add(transferId, 'broker3');
  const path = `/tenders/${tender.id}/bids/${data.id}`;
  const take = async (transfer = access.transfer) =>
    send(running().app, 'POST', `${path}/ownership`, newOwner, { id: transferId, transfer });
  return { tender, path, data, former: ownerHeaders(access.token), take };
}

describe('POST /tenders/{id}/bids/{id}/ownership', () => {
  it('200: the bid keeps its offer and has a new owner, in the event too', async () => {
    const { tender, path, data, former, take } = await postedBid('one');
    expect((await take()).json()).toEqual({ data: { id: data.id, owner: 'broker3' } });
    expect(transfers.usedFor('one')).toBe(path);
    expect((await send(running().app, 'GET', path, former)).statusCode).toBe(403);
    const owner = ownerHeaders('one-token', 'broker3');
    expect((await send(running().app, 'GET', path, owner)).json().data).toEqual(data);
    expect((await send(running().app, 'PATCH', path, owner, { value: { amount: 480 } })).statusCode).toBe(200);
    const [, changed] = await publishedBidEvents(running().database.pool, tender.id);
    expect(changed).toMatchObject({
      type: 'bid.changed',
      data: { id: data.id, version: 2, owner: 'broker3', ownerTokenHash: sha256Hex('one-token') },
    });
  });

  it('200: a repeat changes nothing', async () => {
    const { tender, take } = await postedBid('again');
    expect([(await take()).statusCode, (await take()).statusCode]).toEqual([200, 200]);
    expect(await publishedBidEvents(running().database.pool, tender.id)).toHaveLength(2);
  });

  it('403, 503: the owner stays', async () => {
    const { path, former, take } = await postedBid('refused');
    expect((await take('wrong')).json().errors[0].description).toBe('Invalid transfer');
    gateway.levels.set('broker2', '1234');
    expect((await take()).json().errors[0].description).toContain('Owner Accreditation level');
    gateway.levels.set('broker2', '1234x');
    gateway.isSilent = true;
    expect((await take()).statusCode).toBe(503);
    gateway.isSilent = false;
    expect((await send(running().app, 'GET', path, former)).statusCode).toBe(200);
    expect(transfers.usedFor('refused')).toBeUndefined();
  });

  it('403: a cancelled tender keeps the owners of its bids', async () => {
    const { tender, take } = await postedBid('late');
    await running().deliver({ ...tender, version: 2, status: 'cancelled' });
    expect((await take()).json().errors[0].description).toContain('(cancelled)');
  });

  it('404: a bid of another tender', async () => {
    const [{ tender }, other] = [await postedBid('none'), await postBid(running().app, (await running().tender()).id)];
    const url = `/tenders/${tender.id}/bids/${other.id}/ownership`;
    expect((await send(running().app, 'POST', url, newOwner, {})).json().errors[0].name).toBe('bid_id');
  });
});
