import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { describe, expect, it } from 'vitest';
import { createAwarded, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { AFTER_STAND_STILL, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(contractsApi.patchContract)}`, () => {
  it('403: a complaint about the tender blocks signing, even if only the tenders service has it', async () => {
    const { tender, contractPath } = await createAwarded(running());
    const complaint = { id: 'c1', type: 'claim', status: 'claim', owner: 'x', ownerTokenHash: 'x' };
    running().changeAtOwner(tender, { status: 'active.awarded', complaints: [complaint] });
    running().clock.set(AFTER_STAND_STILL);
    const response = await send(running().app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect(response.json().errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  });

  it('403: in a complete tender, even if the local copy is stale', async () => {
    const { tender, contractPath } = await createAwarded(running());
    running().changeAtOwner(tender, { status: 'complete' });
    const response = await send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'x' });
    expect(response.json().errors[0].description).toBe("Can't update contract in current (complete) tender status");
  });

  it('names in Ignored-Members what comes from the award', async () => {
    const { contractPath } = await createAwarded(running());
    const strict = { ...ownerHeaders, prefer: 'handling=strict' };
    const answer = await send(running().app, 'PATCH', contractPath, ownerHeaders, {
      title: 'x',
      suppliers: [],
      items: [],
    });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/suppliers, /items']);
    const same = await send(running().app, 'PATCH', contractPath, strict, { ...answer.json().data, title: 'y' });
    expect([same.statusCode, same.json().data.title]).toEqual([200, 'y']);
    const refused = await send(running().app, 'PATCH', contractPath, strict, { title: 'z', contractID: 'x' });
    expect([refused.statusCode, refused.json().errors]).toMatchObject([403, [{ pointer: '/data/contractID' }]]);
  });

  it('412: with the present ETag, when If-Match names another', async () => {
    const { contractPath } = await createAwarded(running());
    const present = (await send(running().app, 'GET', contractPath, ownerHeaders)).headers.etag ?? '';
    const change = async (etag: string) =>
      send(running().app, 'PATCH', contractPath, { ...ownerHeaders, 'if-match': etag }, { title: 'x' });
    expect((await change('"x"')).headers.etag).toBe(present);
    expect((await change(present)).statusCode).toBe(200);
    expect((await change(present)).statusCode).toBe(412);
  });

  it('200: amounts have a fraction', async () => {
    const { contractPath } = await createAwarded(running());
    const response = await send(running().app, 'PATCH', contractPath, ownerHeaders, { value: { amount: 380 } });
    expect(response.body).toContain('"amount":380.0');
  });
});
