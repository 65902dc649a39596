import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { createAwarded, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { PROCURING_ENTITY } from '../../test-support/run-command.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();
const on23 = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex('token'), segment: '2.3' });
const { contactPoint: _contactPoint, kind: _kind, ...BUYER } = PROCURING_ENTITY;

describe(`${operationTitle(contractsApi.getStandaloneContract)}`, () => {
  it('200: with the members of its tender; on 2.3 with id and owner of its tender only', async () => {
    const { tender, contract } = await createAwarded(running());
    const path = `/contracts/${contract.id}`;
    const response = await send(running().app, 'GET', path, anonymousHeaders);
    expect([response.statusCode, response.json().data]).toEqual([
      200,
      {
        ...contract,
        dateModified: expect.stringMatching(/^20\d\d-.{21}\+0[23]:00$/),
        tender_id: tender.id,
        owner: 'broker1',
        procuringEntity: PROCURING_ENTITY,
        buyer: BUYER,
      },
    ]);
    const older = await send(running().app, 'GET', path, on23);
    expect(older.json().data).toEqual({ ...contract, tender_id: tender.id, owner: 'broker1' });
  });

  it('404: an unknown contract; 405: a method that it does not have', async () => {
    const { tender, contract } = await createAwarded(running());
    const unknown = await send(running().app, 'GET', `/contracts/${tender.id}`, anonymousHeaders);
    expect([unknown.statusCode, unknown.json().errors[0].name]).toEqual([404, 'contract_id']);
    expect((await send(running().app, 'POST', `/contracts/${contract.id}`, anonymousHeaders)).statusCode).toBe(405);
  });

  it('200 with the tenders service away: the text is stored', async () => {
    const { contract } = await createAwarded(running());
    running().answersFacts = false;
    expect((await send(running().app, 'GET', `/contracts/${contract.id}`, anonymousHeaders)).statusCode).toBe(200);
  });

  it('304 until the public sees something else', async () => {
    const { contract, contractPath } = await createAwarded(running());
    const read = async (etag: string) =>
      send(running().app, 'GET', `/contracts/${contract.id}`, { ...anonymousHeaders, 'if-none-match': etag });
    const etag = String((await read('"x"')).headers.etag);
    const credentials = `/contracts/${contract.id}/credentials`;
    expect((await send(running().app, 'PATCH', credentials, ownerHeaders)).statusCode).toBe(200);
    expect((await read(etag)).statusCode).toBe(304);
    expect((await send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'x' })).statusCode).toBe(200);
    expect((await read(etag)).json().data.title).toBe('x');
  });

  it('marks the titles that a contract of a test tender has', async () => {
    const { contract, contractPath } = await createAwarded(running(), { mode: 'test' });
    const shown = async () =>
      (await send(running().app, 'GET', `/contracts/${contract.id}`, anonymousHeaders)).json().data;
    expect(await shown()).toMatchObject({ mode: 'test' });
    expect(await shown()).not.toHaveProperty('title');
    await send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'Папір' });
    expect((await shown()).title).toBe('[ТЕСТУВАННЯ] Папір');
  });
});
