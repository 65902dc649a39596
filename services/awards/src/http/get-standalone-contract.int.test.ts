import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { describe, expect, it } from 'vitest';
import { createAwarded, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(contractsApi.getStandaloneContract)}`, () => {
  it('200: with the id and owner of its tender; 404: an unknown contract', async () => {
    const { tender, contract } = await createAwarded(running());
    const response = await send(running().app, 'GET', `/contracts/${contract.id}`, anonymousHeaders);
    expect([response.statusCode, response.json().data]).toEqual([
      200,
      { ...contract, tender_id: tender.id, owner: 'broker1' },
    ]);
    const unknown = await send(running().app, 'GET', `/contracts/${tender.id}`, anonymousHeaders);
    expect([unknown.statusCode, unknown.json().errors[0].name]).toEqual([404, 'contract_id']);
    expect((await send(running().app, 'POST', `/contracts/${contract.id}`, anonymousHeaders)).statusCode).toBe(405);
  });
});
