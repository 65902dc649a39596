import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { describe, expect, it } from 'vitest';
import { createAwarded, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, headersWithToken, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(contractsApi.patchContractCredentials)}`, () => {
  it('200: a token that permits PATCH of this contract and is stored as a hash only', async () => {
    const { contract, contractPath } = await createAwarded(running());
    const path = `/contracts/${contract.id}/credentials`;
    expect((await send(running().app, 'PATCH', path, anonymousHeaders)).statusCode).toBe(401);
    expect((await send(running().app, 'PATCH', path, headersWithToken('other', 'broker1'))).statusCode).toBe(403);
    const response = await send(running().app, 'PATCH', path, ownerHeaders);
    const { access, data } = response.json();
    expect([response.statusCode, data.id, Object.keys(access)]).toEqual([200, contract.id, ['token', 'transfer']]);
    const holder = headersWithToken(access.token, 'broker1');
    expect((await send(running().app, 'PATCH', contractPath, holder, { title: 'Договір' })).statusCode).toBe(200);
    const { rows } = await running().database.pool.query('SELECT document, "inner" FROM awarding');
    expect(JSON.stringify(rows)).not.toContain(access.token);
  });
});
