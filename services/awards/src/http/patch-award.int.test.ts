import { awardsApi } from '@procurement/contracts/api/awards.api';
import { describe, expect, it } from 'vitest';
import { createQualification, operationTitle, storedAwards } from '../../test-support/awarding-fixtures.ts';
import { bid } from '../../test-support/run-command.ts';
import { anonymousHeaders, headersWithToken, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();

describe(`${operationTitle(awardsApi.patchAward)}`, () => {
  it('200: Location is the next award, if one was created', async () => {
    const { award, path } = await createQualification(running());
    const response = await send(running().app, 'PATCH', award, ownerHeaders, { status: 'unsuccessful' });
    const [, second] = (await send(running().app, 'GET', `${path}/awards`, anonymousHeaders)).json().data;
    expect(second).toMatchObject({ status: 'pending', bid_id: bid('b2', 400).id });
    expect(response.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${second.id}`);
    const last = await send(running().app, 'PATCH', `${path}/awards/${second.id}`, ownerHeaders, { status: 'active' });
    expect(last.headers.location).toBeUndefined();
  });

  it('names in Ignored-Members what had no effect; with handling=strict it is 403 with the statuses that allow it', async () => {
    const { award, tender } = await createQualification(running());
    const strict = { ...ownerHeaders, prefer: 'handling=strict' };
    const answer = await send(running().app, 'PATCH', award, ownerHeaders, { title: 'x', value: { amount: 1 } });
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/value/amount']);
    const same = await send(running().app, 'PATCH', award, strict, { ...answer.json().data, status: 'active' });
    expect([same.statusCode, same.headers['ignored-members']]).toEqual([200, undefined]);
    const change = { status: 'cancelled', title: 'y' };
    const refused = await send(running().app, 'PATCH', award, strict, change);
    expect([refused.statusCode, refused.json().errors]).toMatchObject([
      403,
      [{ code: 'object.ignored-members', pointer: '/data/title', allowedStatuses: ['pending'] }],
    ]);
    expect(await running().publishedEvents(tender.id)).toHaveLength(3);
  });

  it('412: with the present ETag, when If-Match names another', async () => {
    const { award, tender } = await createQualification(running());
    const etagNow = async () => (await send(running().app, 'GET', award, anonymousHeaders)).headers.etag ?? '';
    const first = await etagNow();
    const ifFirst = { ...ownerHeaders, 'if-match': first };
    const refused = await send(running().app, 'PATCH', award, { ...ifFirst, 'if-match': '"x"' }, { title: 'x' });
    expect([refused.statusCode, refused.headers.etag]).toEqual([412, first]);
    expect((await send(running().app, 'PATCH', award, ifFirst, { status: 'unsuccessful' })).statusCode).toBe(200);
    expect(await etagNow()).not.toBe(first);
    expect(await running().publishedEvents(tender.id)).toHaveLength(2);
  });

  it('200: publishes nothing when nothing changes', async () => {
    const { award, tender } = await createQualification(running());
    const response = await send(running().app, 'PATCH', award, ownerHeaders, { id: 'x' });
    expect([response.statusCode, response.json().data.status]).toEqual([200, 'pending']);
    expect(await running().publishedEvents(tender.id)).toHaveLength(1);
  });

  it.each([
    [401, anonymousHeaders, { status: 'active' }],
    [403, headersWithToken('other'), { status: 'active' }],
    [422, ownerHeaders, { status: 'wrong' }],
    [403, ownerHeaders, { status: 'cancelled' }],
    [415, ownerHeaders, undefined],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { award, tender } = await createQualification(running());
    const response = await send(running().app, 'PATCH', award, headers, data);
    expect(response.statusCode).toBe(status);
    expect(await running().publishedEvents(tender.id)).toHaveLength(1);
  });

  it('is neither refused nor accepted by a stale copy of the tender', async () => {
    const { award, tender } = await createQualification(running(), { status: 'active.tendering' });
    const text = "Can't update award in current (active.tendering) tender status";
    const data = { status: 'active' };
    const early = await send(running().app, 'PATCH', award, ownerHeaders, data);
    expect([early.statusCode, early.json().errors[0].description]).toEqual([403, text]);
    const open = running().changeAtOwner(tender, { status: 'active.qualification' });
    expect((await send(running().app, 'PATCH', award, ownerHeaders, data)).statusCode).toBe(200);
    running().changeAtOwner(open, { status: 'cancelled' });
    const late = await send(running().app, 'PATCH', award, ownerHeaders, { status: 'cancelled' });
    expect(late.json().errors[0].description).toBe("Can't update award in current (cancelled) tender status");
  });

  it('writes dates in tender time', async () => {
    const { awards } = await createQualification(running(), { clockShift: 3_600_000_000 });
    expect(awards[0].date).toBe('2017-02-17T13:00:00.000000+02:00');
  });

  it('accepts one of two concurrent decisions on one award and refuses the other', async () => {
    const { tender, award } = await createQualification(running());
    const decide = async (status: string) => send(running().app, 'PATCH', award, ownerHeaders, { status });
    const responses = await Promise.all([decide('unsuccessful'), decide('active')]);
    expect(responses.map((response) => response.statusCode).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const isDisqualified = responses[0]?.statusCode === 200;
    expect(await storedAwards(running(), tender.id)).toHaveLength(isDisqualified ? 2 : 1);
  });

  it('accepts two equal decisions at once, with one effect (rulings R27)', async () => {
    const { tender, award } = await createQualification(running());
    const decide = async () => send(running().app, 'PATCH', award, ownerHeaders, { status: 'unsuccessful' });
    const responses = await Promise.all([decide(), decide()]);
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200]);
    expect(await storedAwards(running(), tender.id)).toHaveLength(2);
  });
});
