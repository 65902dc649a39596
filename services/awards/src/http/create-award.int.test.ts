import { auditedHashes } from '@procurement/testing/audit';
import { awardsApi } from '@procurement/contracts/api/awards.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import {
  applyBidsOpened,
  bidsOpened,
  createQualification,
  operationTitle,
  storedAwards,
} from '../../test-support/awarding-fixtures.ts';
import { money, party } from '../../test-support/run-command.ts';
import { adminsHeaders, anonymousHeaders, NOW, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const ownerOn23 = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex('token'), segment: '2.3' });

describe(`${operationTitle(awardsApi.createAward)}`, () => {
  const running = setupAwards();
  const posted = { suppliers: [party('b9')], bid_id: 'c'.repeat(32), status: 'active' };

  it('201: in 2.5 for administrators only, always pending, without effects', async () => {
    const { path } = await createQualification(running());
    const response = await send(running().app, 'POST', `${path}/awards`, adminsHeaders, posted);
    const { data } = response.json();
    expect([response.statusCode, data.status, data.complaintPeriod]).toEqual([201, 'pending', { startDate: NOW }]);
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${data.id}`);
    expect((await send(running().app, 'POST', `${path}/awards`, ownerHeaders, posted)).statusCode).toBe(403);
  });

  it('records what administrators do, with hashes of the awards before and after', async () => {
    const { tender, path } = await createQualification(running());
    const { id } = tender;
    const storedHash = async (): Promise<string> => {
      const sql = 'SELECT document FROM awarding WHERE tender_id = $1';
      return sha256Hex((await running().database.pool.query(sql, [id])).rows[0].document);
    };
    const beforeHash = await storedHash();
    await send(running().app, 'POST', `${path}/awards`, ownerHeaders, posted);
    await send(running().app, 'POST', `${path}/awards`, adminsHeaders, posted);
    expect(await auditedHashes(running().database.pool, id)).toEqual([
      { what: 'admins POST changed ', beforeHash, afterHash: await storedHash() },
    ]);
  });

  it('201: by an older segment, adopts and activates the award of the same bid, with a contract', async () => {
    const { path, awards } = await createQualification(running());
    const response = await send(running().app, 'POST', `${path}/awards`, ownerOn23, {
      status: 'active',
      suppliers: [{ name: 'x', identifier: { scheme: 'UA-EDR', id: 'b1' } }],
    });
    expect([response.statusCode, response.json().data]).toMatchObject([
      201,
      { id: awards[0].id, status: 'active', value: money(390), suppliers: [party('b1')] },
    ]);
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${awards[0].id}`);
    expect((await send(running().app, 'GET', `${path}/contracts`, anonymousHeaders)).json().data).toHaveLength(1);
  });

  it('201: a repeat with the same seed answers the first result', async () => {
    const { path } = await createQualification(running());
    const headers = signedIdentity({ broker: 'admin', group: 'admins', seed: 'a seed' });
    const first = await send(running().app, 'POST', `${path}/awards`, headers, posted);
    const repeated = await send(running().app, 'POST', `${path}/awards`, headers, posted);
    expect(repeated.json()).toEqual(first.json());
    expect((await send(running().app, 'GET', `${path}/awards`, anonymousHeaders)).json().data).toHaveLength(2);
  });
});

describe(`${operationTitle(awardsApi.createAward)}, in the sandbox, by an older segment (rulings R3)`, () => {
  const running = setupAwards({ SANDBOX_MODE: 'on' });

  it('201: an active award on a fresh tender', async () => {
    const { id } = await running().addTender({ status: 'active.enquiries' });
    const { contactPoint: _none, ...supplier } = party('b1');
    const data = { status: 'active', suppliers: [supplier], value: { amount: 469 } };
    const response = await send(running().app, 'POST', `/tenders/${id}/awards`, ownerOn23, data);
    expect([response.statusCode, response.json().data.status]).toEqual([201, 'active']);
    await applyBidsOpened(running(), bidsOpened(id));
    expect(await storedAwards(running(), id)).toHaveLength(1);
  });
});
