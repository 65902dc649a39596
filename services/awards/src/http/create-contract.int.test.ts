import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { describe, expect, it } from 'vitest';
import { createQualification, operationTitle } from '../../test-support/awarding-fixtures.ts';
import { money } from '../../test-support/run-command.ts';
import { adminsHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(contractsApi.createContract)}`, () => {
  it('201: for administrators of the service only', async () => {
    const { path, awards } = await createQualification(running());
    const posted = { awardID: awards[0].id, title: 'Договір', status: 'active' };
    expect((await send(running().app, 'POST', `${path}/contracts`, ownerHeaders, posted)).statusCode).toBe(403);
    const response = await send(running().app, 'POST', `${path}/contracts`, adminsHeaders, posted);
    const { data } = response.json();
    expect([response.statusCode, data]).toMatchObject([
      201,
      { status: 'pending', title: 'Договір', value: money(390) },
    ]);
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${path}/contracts/${data.id}`);
  });
});
