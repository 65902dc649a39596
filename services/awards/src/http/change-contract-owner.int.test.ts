import { contractOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { makeLog } from '@procurement/kit/runtime/log';
import { signedIdentity } from '@procurement/testing/identity';
import { playBrokerLevels, playTransfers, type PlayedTransfers } from '@procurement/testing/ownership';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationTitle } from '../../test-support/awarding-fixtures.ts';
import {
  adminsHeaders,
  anonymousHeaders,
  headersWithToken,
  ownerHeaders,
  send,
} from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { PAYMENT } from '../../test-support/signed-contract.ts';
import { createSigned } from '../../test-support/signed-over-http.ts';

const running = setupAwards();
const newOwner = signedIdentity({ broker: 'broker3' });
let transfers: PlayedTransfers;

beforeAll(() => {
  const log = makeLog('test', 'fatal');
  transfers = playTransfers(running().bus, log);
  playBrokerLevels(running().bus, log);
});

/** A signed contract with its tokens. */
async function withCredentials() {
  const contract = await createSigned(running());
  const answer = await send(running().app, 'PATCH', `${contract.path}/credentials`, ownerHeaders);
  return { ...contract, access: answer.json().access };
}

describe(`${operationTitle(contractOwnershipApi.changeContractOwner)}`, () => {
  it('200: only the new token opens the contract; its tender stays as it is; a repeat changes nothing', async () => {
    const { tender, path, contractPath, access, signed } = await withCredentials();
    const first = headersWithToken(access.token, 'broker1');
    expect((await send(running().app, 'PATCH', path, first, { title: 'x' })).statusCode).toBe(200);
    transfers.add('one', 'broker3');
    const body = { id: 'one', transfer: access.transfer };
    const take = async () => send(running().app, 'POST', `${path}/ownership`, newOwner, body);
    expect((await take()).json()).toEqual({ data: { id: signed.id, owner: 'broker3' } });
    expect(transfers.usedFor('one')).toBe(path);
    const events = (await running().publishedEvents(tender.id)).length;
    expect((await take()).statusCode).toBe(200);
    expect(await running().publishedEvents(tender.id)).toHaveLength(events);

    for (const former of [first, ownerHeaders]) {
      expect((await send(running().app, 'PATCH', path, former, { title: 'y' })).statusCode).toBe(403);
      expect((await send(running().app, 'PUT', `${path}/transactions/1`, former, PAYMENT)).statusCode).toBe(403);
      expect((await send(running().app, 'PATCH', `${path}/credentials`, former)).statusCode).toBe(403);
    }
    const changed = await send(running().app, 'PATCH', path, headersWithToken('one-token', 'broker3'), { title: 'y' });
    expect([changed.statusCode, changed.json().data.owner]).toEqual([200, 'broker3']);
    expect((await send(running().app, 'PATCH', path, adminsHeaders, { title: 'z' })).statusCode).toBe(200);
    const { data } = (await send(running().app, 'GET', contractPath, anonymousHeaders)).json();
    expect(JSON.stringify(data)).not.toContain('broker3');
  });

  it('403: a wrong transfer token, a contract without credentials, one that is over', async () => {
    const { path, access } = await withCredentials();
    transfers.add('two', 'broker3');
    const take = async (at: string, transfer: string) =>
      (await send(running().app, 'POST', `${at}/ownership`, newOwner, { id: 'two', transfer })).json().errors[0]
        .description;
    expect(await take(path, 'wrong')).toBe('Invalid transfer');
    expect(await take((await createSigned(running())).path, access.transfer)).toBe('Invalid transfer');
    await send(running().app, 'PATCH', path, ownerHeaders, { status: 'terminated', amountPaid: { amount: 0 } });
    expect(await take(path, access.transfer)).toBe("Can't update credentials in current (terminated) contract status");
  });

  it('two brokers with the same transfer token: one of them owns the contract', async () => {
    const { path, access } = await withCredentials();
    transfers.add('three', 'broker3');
    transfers.add('four', 'broker4');
    const answers = await Promise.all(
      [
        ['three', newOwner],
        ['four', signedIdentity({ broker: 'broker4' })],
      ].map(async ([id, headers]) =>
        // Safe cast: the pairs are of these types.
        send(running().app, 'POST', `${path}/ownership`, headers as typeof newOwner, { id, transfer: access.transfer }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 403]);
    const winner = answers.find(({ statusCode }) => statusCode === 200)?.json().data.owner;
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data.owner).toBe(winner);
  });

  it('a token of a former owner of the tender opens nothing', async () => {
    const { tender, path, access } = await withCredentials();
    running().changeAtOwner(tender, { status: 'complete', owner: 'broker2' });
    const former = headersWithToken(access.token, 'broker1');
    expect((await send(running().app, 'PATCH', path, former, { title: 'x' })).statusCode).toBe(403);
    expect(
      (await send(running().app, 'PATCH', path, headersWithToken('token', 'broker2'), { title: 'x' })).statusCode,
    ).toBe(200);
  });
});
