import { awardsApi } from '@procurement/contracts/api/awards.api';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bid, ITEMS, money, party } from '../../test-support/run-command.ts';
import {
  event,
  headersWithToken,
  NOW,
  ownerHeaders,
  runningAwards,
  send,
  type RunningAwards,
} from '../../test-support/running-awards.ts';
import { onBidOpened } from '../events/on-bid-opened.ts';
import { onDocumentChanged } from '../events/on-document-changed.ts';

let running: RunningAwards;

beforeAll(async () => {
  running = await runningAwards();
});

beforeEach(() => {
  running.clock.set(NOW);
  running.answersViews = true;
});

afterAll(async () => running.close());

const title = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const anyone = anonymousIdentity();
const admins = signedIdentity({ broker: 'admin', group: 'admins' });
const AFTER_STAND_STILL = '2017-02-21T12:00:00.000001+02:00';

/** A tender in qualification, its two bids opened: the first award waits. */
async function createQualification(overrides = {}) {
  const tender = await running.addTender(overrides);
  const opened = event('bids', 'bid.opened', tender.id, { id: tender.id, bids: [bid('b1', 390), bid('b2', 400)] });
  await running.apply(onBidOpened(running.deps.externalInputs), [opened]);
  const path = `/tenders/${tender.id}`;
  const awards = (await send(running.app, 'GET', `${path}/awards`, anyone)).json().data;
  return { tender, path, award: `${path}/awards/${awards[0].id}`, awards };
}

async function createAwarded(overrides = {}) {
  const found = await createQualification(overrides);
  const answer = await send(running.app, 'PATCH', found.award, ownerHeaders, { status: 'active' });
  expect(answer.statusCode).toBe(200);
  const [contract] = (await send(running.app, 'GET', `${found.path}/contracts`, anyone)).json().data;
  return { ...found, contract, contractPath: `${found.path}/contracts/${contract.id}` };
}

describe('from opened bids to a signed contract', () => {
  it('awards, contracts and signs, each told to the tender', async () => {
    const { tender, award, awards, contract, contractPath } = await createAwarded();
    expect(awards).toEqual([
      {
        id: awards[0].id,
        bid_id: bid('b1', 390).id,
        status: 'pending',
        date: NOW,
        value: money(390),
        suppliers: [party('b1')],
        complaintPeriod: { startDate: NOW },
      },
    ]);
    expect((await send(running.app, 'GET', award, anyone)).json().data).toMatchObject({
      status: 'active',
      complaintPeriod: { startDate: NOW, endDate: '2017-02-21T12:00:00.000000+02:00' },
    });
    expect(contract).toEqual({
      id: contract.id,
      awardID: awards[0].id,
      contractID: 'UA-2017-02-06-000001-1',
      status: 'pending',
      date: NOW,
      value: money(390),
      suppliers: [party('b1')],
      items: ITEMS,
    });
    const early = await send(running.app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect([early.statusCode, early.json().errors[0].description]).toEqual([
      403,
      "Can't sign contract before stand-still period end (2017-02-21T12:00:00.000000+02:00)",
    ]);
    running.clock.set(AFTER_STAND_STILL);
    const signed = await send(running.app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect([signed.statusCode, signed.json().data]).toMatchObject([
      200,
      { status: 'active', dateSigned: AFTER_STAND_STILL, date: AFTER_STAND_STILL },
    ]);
    const told = await running.publishedEvents(tender.id);
    expect(told.map((one) => [one.type, one.sequence, one.asksToBeSettled])).toEqual([
      ['award.changed', 1, false],
      ['award.changed', 2, true],
      ['award.changed', 3, true],
    ]);
    const facts = told.map((one) => AwardFacts.parse(one.data));
    expect(
      facts.map(({ version, awards: [first], contracts: [only] }) => [version, first?.status, only?.status]),
    ).toEqual([
      [1, 'pending', undefined],
      [2, 'active', 'pending'],
      [3, 'active', 'active'],
    ]);
  });
});

describe(`${title(awardsApi.listAwards)}`, () => {
  it.each(['active.enquiries', 'active.auction', 'cancelled'])('200: an empty list in %s', async (status) => {
    const { id } = await running.addTender({ status });
    for (const collection of ['awards', 'contracts']) {
      const answer = await send(running.app, 'GET', `/tenders/${id}/${collection}`, anyone);
      expect([answer.statusCode, answer.body]).toEqual([200, '{"data":[]}']);
    }
  });

  it('404: of the tender, then of the award, whoever asks and however', async () => {
    const { path } = await createQualification();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const unknown = await send(running.app, method, `/tenders/${'0'.repeat(32)}/awards/x`, anyone, {});
      expect([unknown.statusCode, unknown.json().errors[0].name]).toEqual([404, 'tender_id']);
      const award = await send(running.app, method, `${path}/awards/x`, anyone, {});
      expect([award.statusCode, award.json().errors[0].name]).toEqual([404, 'award_id']);
    }
  });

  it('405: no PUT, no DELETE', async () => {
    const { award } = await createQualification();
    const answer = await send(running.app, 'DELETE', award, ownerHeaders);
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH']);
  });

  it('shows documents of awards, once there are any', async () => {
    const { tender, award, awards } = await createQualification();
    const document = { id: 'd'.repeat(32), title: 'протокол.pdf' };
    const documents = [
      { parent: { kind: 'award', id: awards[0].id }, document },
      { parent: { kind: 'tender', id: tender.id }, document: { ...document, id: 'e'.repeat(32) } },
    ];
    const facts = { id: tender.id, version: 1, documents };
    await running.apply(onDocumentChanged, [event('documents', 'document.changed', tender.id, facts)]);
    expect((await send(running.app, 'GET', award, anyone)).json().data.documents).toEqual([document]);
    const [told] = await running.publishedEvents(tender.id);
    expect(told.data.awards[0].documents).toBeUndefined();
  });
});

describe(`${title(awardsApi.patchAward)}`, () => {
  it('200: names the next award where one was made', async () => {
    const { award, path } = await createQualification();
    const answer = await send(running.app, 'PATCH', award, ownerHeaders, { status: 'unsuccessful' });
    const [, second] = (await send(running.app, 'GET', `${path}/awards`, anyone)).json().data;
    expect(second).toMatchObject({ status: 'pending', bid_id: bid('b2', 400).id });
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${second.id}`);
    const last = await send(running.app, 'PATCH', `${path}/awards/${second.id}`, ownerHeaders, { status: 'active' });
    expect(last.headers.location).toBeUndefined();
  });

  it('200: what changes nothing is not told', async () => {
    const { award, tender } = await createQualification();
    const answer = await send(running.app, 'PATCH', award, ownerHeaders, { id: 'x' });
    expect([answer.statusCode, answer.json().data.status]).toEqual([200, 'pending']);
    expect(await running.publishedEvents(tender.id)).toHaveLength(1);
  });

  it.each([
    [401, anonymousIdentity(), { status: 'active' }],
    [403, headersWithToken('other'), { status: 'active' }],
    [422, ownerHeaders, { status: 'wrong' }],
    [403, ownerHeaders, { status: 'cancelled' }],
    [415, ownerHeaders, undefined],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { award, tender } = await createQualification();
    const answer = await send(running.app, 'PATCH', award, headers, data);
    expect(answer.statusCode).toBe(status);
    expect(await running.publishedEvents(tender.id)).toHaveLength(1);
  });

  it('is not refused by a copy of the tender that lags, nor let through by one', async () => {
    const { award, tender } = await createQualification({ status: 'active.tendering' });
    const text = "Can't update award in current (active.tendering) tender status";
    const wish = { status: 'active' };
    const early = await send(running.app, 'PATCH', award, ownerHeaders, wish);
    expect([early.statusCode, early.json().errors[0].description]).toEqual([403, text]);
    const open = running.changeAtOwner(tender, { status: 'active.qualification' });
    expect((await send(running.app, 'PATCH', award, ownerHeaders, wish)).statusCode).toBe(200);
    running.changeAtOwner(open, { status: 'cancelled' });
    const late = await send(running.app, 'PATCH', award, ownerHeaders, { status: 'cancelled' });
    expect(late.json().errors[0].description).toBe("Can't update award in current (cancelled) tender status");
  });

  it('lives in the time of its tender', async () => {
    const { awards } = await createQualification({ clockShift: 3_600_000_000 });
    expect(awards[0].date).toBe('2017-02-17T13:00:00.000000+02:00');
  });
});

describe(`${title(awardsApi.createAward)}`, () => {
  const posted = { suppliers: [party('b9')], bid_id: 'c'.repeat(32), status: 'active' };

  it('201: in 2.5 for administrators, always pending, and nothing else', async () => {
    const { path } = await createQualification();
    const answer = await send(running.app, 'POST', `${path}/awards`, admins, posted);
    const { data } = answer.json();
    expect([answer.statusCode, data.status, data.complaintPeriod]).toEqual([201, 'pending', { startDate: NOW }]);
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${data.id}`);
    expect((await send(running.app, 'POST', `${path}/awards`, ownerHeaders, posted)).statusCode).toBe(403);
  });

  it('201: by an older segment the award of the same bid is met, decided about, and contracted', async () => {
    const { path, awards } = await createQualification();
    const headers = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex('token'), segment: '2.3' });
    const answer = await send(running.app, 'POST', `${path}/awards`, headers, {
      status: 'active',
      suppliers: [{ name: 'x', identifier: { scheme: 'UA-EDR', id: 'b1' } }],
    });
    expect([answer.statusCode, answer.json().data]).toMatchObject([
      201,
      { id: awards[0].id, status: 'active', value: money(390), suppliers: [party('b1')] },
    ]);
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5${path}/awards/${awards[0].id}`);
    expect((await send(running.app, 'GET', `${path}/contracts`, anyone)).json().data).toHaveLength(1);
  });

  it('201: a repeat with the same seed finds what it made', async () => {
    const { path } = await createQualification();
    const headers = signedIdentity({ broker: 'admin', group: 'admins', seed: 'a seed' });
    const first = await send(running.app, 'POST', `${path}/awards`, headers, posted);
    const again = await send(running.app, 'POST', `${path}/awards`, headers, posted);
    expect(again.json()).toEqual(first.json());
    expect((await send(running.app, 'GET', `${path}/awards`, anyone)).json().data).toHaveLength(2);
  });
});

describe(`${title(contractsApi.patchContract)}`, () => {
  it('403: a complaint about the tender that its owner alone knows of blocks signing', async () => {
    const { tender, contractPath } = await createAwarded();
    const complaint = { id: 'c1', type: 'claim', status: 'claim', owner: 'x', ownerTokenHash: 'x' };
    running.changeAtOwner(tender, { status: 'active.awarded', complaints: [complaint] });
    running.clock.set(AFTER_STAND_STILL);
    const answer = await send(running.app, 'PATCH', contractPath, ownerHeaders, { status: 'active' });
    expect(answer.json().errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  });

  it('403: in a tender that is over, though this service has not heard of it', async () => {
    const { tender, contractPath } = await createAwarded();
    running.changeAtOwner(tender, { status: 'complete' });
    const answer = await send(running.app, 'PATCH', contractPath, ownerHeaders, { title: 'x' });
    expect(answer.json().errors[0].description).toBe("Can't update contract in current (complete) tender status");
  });

  it('200: amounts leave with a fraction', async () => {
    const { contractPath } = await createAwarded();
    const answer = await send(running.app, 'PATCH', contractPath, ownerHeaders, { value: { amount: 380 } });
    expect(answer.body).toContain('"amount":380.0');
  });
});

describe(`${title(contractsApi.createContract)}`, () => {
  it('201: for administrators of the service only', async () => {
    const { path, awards } = await createQualification();
    const wish = { awardID: awards[0].id, title: 'Договір', status: 'active' };
    expect((await send(running.app, 'POST', `${path}/contracts`, ownerHeaders, wish)).statusCode).toBe(403);
    const answer = await send(running.app, 'POST', `${path}/contracts`, admins, wish);
    const { data } = answer.json();
    expect([answer.statusCode, data]).toMatchObject([201, { status: 'pending', title: 'Договір', value: money(390) }]);
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5${path}/contracts/${data.id}`);
  });
});

describe(`${title(contractsApi.getStandaloneContract)}`, () => {
  it('200: with its tender and owner; 404 for what is none', async () => {
    const { tender, contract } = await createAwarded();
    const answer = await send(running.app, 'GET', `/contracts/${contract.id}`, anyone);
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      { ...contract, tender_id: tender.id, owner: 'broker1' },
    ]);
    const none = await send(running.app, 'GET', `/contracts/${tender.id}`, anyone);
    expect([none.statusCode, none.json().errors[0].name]).toEqual([404, 'contract_id']);
    expect((await send(running.app, 'POST', `/contracts/${contract.id}`, anyone)).statusCode).toBe(405);
  });
});

describe(`${title(contractsApi.patchContractCredentials)}`, () => {
  it('200: a token that counts for this contract', async () => {
    const { contract, contractPath } = await createAwarded();
    const path = `/contracts/${contract.id}/credentials`;
    expect((await send(running.app, 'PATCH', path, anyone)).statusCode).toBe(401);
    expect((await send(running.app, 'PATCH', path, headersWithToken('other', 'broker1'))).statusCode).toBe(403);
    const answer = await send(running.app, 'PATCH', path, ownerHeaders);
    const { access, data } = answer.json();
    expect([answer.statusCode, data.id, Object.keys(access)]).toEqual([200, contract.id, ['token']]);
    const holder = headersWithToken(access.token, 'broker1');
    expect((await send(running.app, 'PATCH', contractPath, holder, { title: 'Договір' })).statusCode).toBe(200);
    const { rows } = await running.database.pool.query('SELECT document, "inner" FROM awarding');
    expect(JSON.stringify(rows)).not.toContain(access.token);
  });
});
