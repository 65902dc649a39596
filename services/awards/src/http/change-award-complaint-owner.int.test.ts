import { awardComplaintOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { makeLog } from '@procurement/kit/runtime/log';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { playBrokerLevels, playTransfers, type PlayedTransfers } from '@procurement/testing/ownership';
import { beforeAll, describe, expect, it } from 'vitest';
import { createComplaint, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { headersWithToken, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();
const newOwner = signedIdentity({ broker: 'broker3' });
let transfers: PlayedTransfers;

beforeAll(() => {
  const log = makeLog('test', 'fatal');
  transfers = playTransfers(running().bus, log);
  playBrokerLevels(running().bus, log);
});

describe(`${operationTitle(awardComplaintOwnershipApi.changeAwardComplaintOwner)}`, () => {
  it('200: the complaint has a new owner, in the event too; a repeat changes nothing', async () => {
    const { tender, path, complainant, response, data } = await createComplaint(running());
    transfers.add('one', 'broker3');
    const body = { id: 'one', transfer: response.json().access.transfer };
    const take = async () => send(running().app, 'POST', `${path}/ownership`, newOwner, body);
    expect((await take()).json()).toEqual({ data: { id: data.id, owner: 'broker3' } });
    expect(transfers.usedFor('one')).toBe(path);
    expect((await send(running().app, 'PATCH', path, complainant, { title: 'x' })).json().errors[0].name).toBe(
      'permission',
    );
    const changed = await send(running().app, 'PATCH', path, headersWithToken('one-token', 'broker3'), {
      status: 'claim',
    });
    expect(changed.statusCode).toBe(200);
    const events = await running().publishedEvents(tender.id);
    expect(events.at(-1).data.complaintOwners).toEqual({
      [data.id]: { owner: 'broker3', ownerTokenHash: sha256Hex('one-token') },
    });
    expect((await take()).statusCode).toBe(200);
    expect(await running().publishedEvents(tender.id)).toHaveLength(events.length);
  });

  it('403: a wrong transfer token, and a tender that is over', async () => {
    const { tender, path, response } = await createComplaint(running());
    transfers.add('two', 'broker3');
    const take = async (transfer: string) =>
      send(running().app, 'POST', `${path}/ownership`, newOwner, { id: 'two', transfer });
    expect((await take('wrong')).json().errors[0].description).toBe('Invalid transfer');
    running().changeAtOwner(tender, { status: 'cancelled' });
    expect((await take(response.json().access.transfer)).json().errors[0].description).toContain('(cancelled)');
  });

  it('404: an unknown complaint', async () => {
    const { collection } = await createComplaint(running());
    const answer = await send(running().app, 'POST', `${collection}/none/ownership`, newOwner, {});
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'complaint_id']);
  });
});
