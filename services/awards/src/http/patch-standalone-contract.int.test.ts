import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { describe, expect, it } from 'vitest';
import { operationTitle } from '../../test-support/awarding-fixtures.ts';
import { money } from '../../test-support/run-command.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { createSigned } from '../../test-support/signed-over-http.ts';

const running = setupAwards();

describe(`${operationTitle(contractsApi.patchStandaloneContract)}`, () => {
  it('200: the contract as it is now; the tender shows it as it was signed, and what followed', async () => {
    const { path, contractPath, signed, tender } = await createSigned(running());
    const data = { value: { amount: 395.2, amountNet: 329.34 } };
    const answer = await send(running().app, 'PATCH', path, ownerHeaders, data);
    const value = { ...money(395.2), amountNet: 329.34 };
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      { ...signed, value, dateModified: expect.any(String) },
    ]);
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data).toEqual(answer.json().data);
    const {
      tender_id: _tender,
      owner: _owner,
      dateModified: _position,
      procuringEntity: _entity,
      buyer: _buyer,
      ...own
    } = signed;
    expect((await send(running().app, 'GET', contractPath, anonymousHeaders)).json().data).toEqual({
      ...own,
      implementation: { status: 'active', value },
    });
    const event = (await running().publishedEvents(tender.id)).at(-1);
    expect([event.awaitsApplied, event.data.contracts[0].implementation]).toEqual([true, { status: 'active', value }]);
  });

  it('412: with the present ETag, when If-Match names another', async () => {
    const { path } = await createSigned(running());
    const present = (await send(running().app, 'GET', path, ownerHeaders)).headers.etag ?? '';
    const change = async (etag: string, title: string) =>
      send(running().app, 'PATCH', path, { ...ownerHeaders, 'if-match': etag }, { title });
    expect((await change('"x"', 'x')).headers.etag).toBe(present);
    expect((await change(present, 'x')).statusCode).toBe(200);
    expect((await change(present, 'y')).statusCode).toBe(412);
  });

  it('names in Ignored-Members what a signed contract keeps, and the whole list of an item', async () => {
    const { path } = await createSigned(running());
    const sent = { title: 'x', contractNumber: '9', suppliers: [] };
    const answer = await send(running().app, 'PATCH', path, ownerHeaders, sent);
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/contractNumber, /suppliers']);
    const shown = answer.json().data;
    const strict = { ...ownerHeaders, prefer: 'handling=strict' };
    const { items: _items, ...whole } = shown;
    const same = await send(running().app, 'PATCH', path, strict, { ...whole, title: 'y' });
    expect([same.statusCode, same.json().data.title]).toEqual([200, 'y']);
    const refused = await send(running().app, 'PATCH', path, strict, { contractNumber: '9' });
    expect([refused.statusCode, refused.json().errors]).toMatchObject([
      403,
      [{ pointer: '/data/contractNumber', allowedStatuses: ['pending'] }],
    ]);
  });

  it('200: also after its tender was cancelled', async () => {
    const { path, tender } = await createSigned(running());
    running().changeAtOwner(tender, { status: 'cancelled' });
    expect((await send(running().app, 'PATCH', path, ownerHeaders, { title: 'x' })).statusCode).toBe(200);
  });

  it('has no effect in a dry run', async () => {
    const { path } = await createSigned(running());
    const dry = await send(running().app, 'PATCH', `${path}?opt_dry_run=1`, ownerHeaders, { title: 'x' });
    expect([dry.statusCode, dry.json().data.title]).toEqual([200, 'x']);
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data.title).toBeUndefined();
  });
});
