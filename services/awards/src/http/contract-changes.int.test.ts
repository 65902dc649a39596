import { implementationApi } from '@procurement/contracts/api/implementation.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { operationTitle } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { RATIONALE } from '../../test-support/signed-contract.ts';
import { createSigned } from '../../test-support/signed-over-http.ts';

const running = setupAwards();

describe('changes of a contract', () => {
  it(`201 ${operationTitle(implementationApi.createContractChange)}: at the address that Location says; a repeat after a lost answer adds none`, async () => {
    const { path } = await createSigned(running());
    const identity = { broker: 'broker1', tokenHash: sha256Hex('token'), seed: 'seed of a change' };
    const post = async () => send(running().app, 'POST', `${path}/changes`, signedIdentity(identity), RATIONALE);
    const added = await post();
    const { data } = added.json();
    expect([added.statusCode, data]).toMatchObject([201, { ...RATIONALE, status: 'pending' }]);
    expect(added.headers.location).toBe(`https://api.example.org/api/2.5${path}/changes/${data.id}`);
    expect([(await post()).statusCode, (await post()).json()]).toEqual([201, added.json()]);
    const list = await send(running().app, 'GET', `${path}/changes`, anonymousHeaders);
    expect(list.json()).toEqual({ data: [data] });
    const one = await send(running().app, 'GET', `${path}/changes/${data.id}`, anonymousHeaders);
    expect(one.json()).toEqual({ data });
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data.changes).toEqual([data]);
  });

  it(`200 ${operationTitle(implementationApi.patchContractChange)}: activates; names what is ignored; 412 for an older state`, async () => {
    const { path } = await createSigned(running());
    const { data } = (await send(running().app, 'POST', `${path}/changes`, ownerHeaders, RATIONALE)).json();
    const change = `${path}/changes/${data.id}`;
    const { etag = '' } = (await send(running().app, 'GET', change, anonymousHeaders)).headers;
    const edited = await send(running().app, 'PATCH', change, ownerHeaders, {
      contractNumber: '1',
      date: '2020-01-01',
    });
    expect([edited.statusCode, edited.headers['ignored-members']]).toEqual([200, '/date']);
    const activation = { status: 'active', dateSigned: '2017-02-21T12:00:00.000001+02:00' };
    const stale = await send(running().app, 'PATCH', change, { ...ownerHeaders, 'if-match': etag }, activation);
    expect(stale.statusCode).toBe(412);
    const active = await send(running().app, 'PATCH', change, ownerHeaders, activation);
    expect([active.statusCode, active.json().data]).toMatchObject([200, { ...activation, contractNumber: '1' }]);
    expect((await send(running().app, 'PATCH', change, ownerHeaders, activation)).statusCode).toBe(200);
  });

  it('404 for unknown contracts and changes, before 405 and 401', async () => {
    const { path } = await createSigned(running());
    const sendForError = async (method: 'GET' | 'PATCH' | 'DELETE', url: string) => {
      const { statusCode, json } = await send(running().app, method, url, anonymousHeaders);
      return [statusCode, json().errors[0].name];
    };
    const unknown = 'f'.repeat(32);
    expect(await sendForError('GET', `/contracts/${unknown}/changes`)).toEqual([404, 'contract_id']);
    expect(await sendForError('PATCH', `${path}/changes/${unknown}`)).toEqual([404, 'change_id']);
    expect(await sendForError('DELETE', `${path}/changes/${unknown}`)).toEqual([404, 'change_id']);
    expect(await sendForError('DELETE', `${path}/changes`)).toEqual([405, 'method_not_allowed']);
  });
});
