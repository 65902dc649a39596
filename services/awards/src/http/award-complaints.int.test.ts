import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AUTHOR, bid, LONG_RESOLUTION } from '../../test-support/run-command.ts';
import {
  bidderHeaders,
  event,
  headersWithToken,
  NOW,
  ownerHeaders,
  runningAwards,
  send,
  type RunningAwards,
} from '../../test-support/running-awards.ts';
import { onBidChanged } from '../events/on-bid-changed.ts';
import { onBidOpened } from '../events/on-bid-opened.ts';
import { onDocumentChanged } from '../events/on-document-changed.ts';

let running: RunningAwards;

beforeAll(async () => {
  running = await runningAwards();
});

beforeEach(() => running.clock.set(NOW));

afterAll(async () => running.close());

const anyone = anonymousIdentity();
const claim = { author: AUTHOR, title: 'Вимога', status: 'claim' };

/** A bid as its service tells of it while it is sealed. */
async function addBid(tenderId: string, more: object = {}): Promise<void> {
  const owner = { owner: 'broker2', ownerTokenHash: sha256Hex('bid token') };
  const facts = { id: running.deps.ids.next(), tenderId, version: 1, status: 'active', lots: [], ...owner, ...more };
  await running.apply(onBidChanged, [event('bids', 'bid.registered', tenderId, facts)]);
}

async function createComplaint() {
  const tender = await running.addTender();
  await addBid(tender.id);
  const opened = event('bids', 'bid.opened', tender.id, { id: tender.id, bids: [bid('b1', 390)] });
  await running.apply(onBidOpened(running.deps.externalInputs), [opened]);
  const [award] = (await send(running.app, 'GET', `/tenders/${tender.id}/awards`, anyone)).json().data;
  const collection = `/tenders/${tender.id}/awards/${award.id}/complaints`;
  const answer = await send(running.app, 'POST', collection, bidderHeaders, claim);
  const { data, access } = answer.json();
  return {
    tender,
    award,
    collection,
    answer,
    data,
    path: `${collection}/${data.id}`,
    complainant: headersWithToken(access.token),
  };
}

const title = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe(`${title(awardComplaintsApi.createAwardComplaint)}`, () => {
  it('201: the claim, its address and its tokens, and the tender told', async () => {
    const { tender, collection, answer, data } = await createComplaint();
    expect([answer.statusCode, answer.headers.location]).toEqual([
      201,
      `https://api.example.org/api/2.5${collection}/${data.id}`,
    ]);
    expect(data).toMatchObject({ status: 'claim', complaintID: 'UA-2017-02-06-000001.1', dateSubmitted: NOW });
    expect(Object.keys(answer.json().access)).toEqual(['token', 'transfer']);
    const told = await running.publishedEvents(tender.id);
    expect(told.at(-1)).toMatchObject({ asksToBeSettled: true, data: { awards: [{ complaints: [{ id: data.id }] }] } });
    const owner = { owner: 'broker2', ownerTokenHash: sha256Hex(answer.json().access.token) };
    expect(told.at(-1).data.complaintOwners).toEqual({ [data.id]: owner });
    expect(JSON.stringify([told.at(-1).data.awards, data])).not.toContain('broker2');
  });

  it.each([
    ['a draft that was never activated', { status: 'draft' }],
    ['a withdrawn bid', { status: 'deleted' }],
    ['a bid of somebody else', { ownerTokenHash: 'x' }],
  ])('403: %s gives no right to complain', async (_what, more) => {
    const { award } = await createComplaint();
    const tender = await running.addTender();
    await addBid(tender.id, more);
    const opened = event('bids', 'bid.opened', tender.id, { id: tender.id, bids: [bid('b1', 390)] });
    await running.apply(onBidOpened(running.deps.externalInputs), [opened]);
    const [own] = (await send(running.app, 'GET', `/tenders/${tender.id}/awards`, anyone)).json().data;
    const path = `/tenders/${tender.id}/awards/${own.id}/complaints`;
    expect((await send(running.app, 'POST', path, bidderHeaders, claim)).statusCode).toBe(403);
    const other = `/tenders/${tender.id}/awards/${award.id}/complaints`;
    expect((await send(running.app, 'POST', other, bidderHeaders, claim)).json().errors[0].name).toBe('award_id');
  });

  it('201: a repeat with the same seed finds what it made', async () => {
    const { collection } = await createComplaint();
    const headers = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex('bid token'), seed: 'a seed' });
    const [first, again] = [
      await send(running.app, 'POST', collection, headers, claim),
      await send(running.app, 'POST', collection, headers, claim),
    ];
    expect([first.statusCode, again.json()]).toEqual([201, first.json()]);
    expect((await send(running.app, 'GET', collection, anyone)).json().data).toHaveLength(2);
  });

  it('201: by an older segment without the transfer', async () => {
    const { collection } = await createComplaint();
    const headers = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex('bid token'), segment: '2.3' });
    const answer = await send(running.app, 'POST', collection, headers, claim);
    expect(Object.keys(answer.json().access)).toEqual(['token']);
  });
});

describe(`${title(awardComplaintsApi.getAwardComplaint)}`, () => {
  it('200: to anyone, with its documents, here and inside its award', async () => {
    const { tender, award, collection, path, data } = await createComplaint();
    const document = { id: 'd'.repeat(32), title: 'скарга.pdf' };
    const documents = [{ parent: { kind: 'award complaint', id: data.id }, document }];
    const facts = { id: tender.id, version: 1, documents };
    await running.apply(onDocumentChanged, [event('documents', 'document.changed', tender.id, facts)]);
    const expected = { ...data, documents: [document] };
    expect((await send(running.app, 'GET', path, anyone)).json().data).toEqual(expected);
    expect((await send(running.app, 'GET', collection, anyone)).json().data).toEqual([expected]);
    const shown = (await send(running.app, 'GET', `/tenders/${tender.id}/awards/${award.id}`, anyone)).json().data;
    expect(shown.complaints).toEqual([expected]);
  });

  it('404 and 405, in this order', async () => {
    const { collection, path } = await createComplaint();
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await send(running.app, method, `${collection}/x`, anyone, {});
      expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'complaint_id']);
    }
    expect((await send(running.app, 'DELETE', path, anyone)).statusCode).toBe(405);
  });
});

describe(`${title(awardComplaintsApi.patchAwardComplaint)}`, () => {
  it('200: answered by the owner of the tender, resolved by who complained', async () => {
    const { path, complainant } = await createComplaint();
    const answer = { status: 'answered', resolutionType: 'resolved', resolution: LONG_RESOLUTION };
    expect((await send(running.app, 'PATCH', path, bidderHeaders, answer)).statusCode).toBe(403);
    const answered = await send(running.app, 'PATCH', path, ownerHeaders, answer);
    expect([answered.statusCode, answered.json().data.dateAnswered]).toEqual([200, NOW]);
    const resolved = await send(running.app, 'PATCH', path, complainant, { status: 'resolved', satisfied: true });
    expect(resolved.json().data).toMatchObject({ status: 'resolved', satisfied: true });
  });

  it.each([
    [401, anyone, {}],
    [403, bidderHeaders, {}],
    [422, ownerHeaders, { status: 'answered' }],
    [415, ownerHeaders, undefined],
  ] as const)('%d: stores nothing', async (status, headers, data) => {
    const { path, tender } = await createComplaint();
    expect((await send(running.app, 'PATCH', path, headers, data)).statusCode).toBe(status);
    expect(await running.publishedEvents(tender.id)).toHaveLength(2);
  });
});

describe('the clock of complaints', () => {
  it('acts for what is due, in the time of the tender, and sleeps until the next', async () => {
    const { tender, path } = await createComplaint();
    expect((await running.deps.externalInputs.runDue(64)).processed).toBe(0);
    running.clock.advance(3 * 86_400_000);
    expect((await running.deps.externalInputs.runDue(64)).processed).toBeGreaterThan(0);
    expect((await send(running.app, 'GET', path, anyone)).json().data).toMatchObject({
      status: 'pending',
      type: 'complaint',
      dateEscalated: '2017-02-20T12:00:00.000000+02:00',
    });
    expect((await running.publishedEvents(tender.id)).at(-1)).toMatchObject({ asksToBeSettled: false });
    expect((await running.deps.externalInputs.runDue(64)).processed).toBe(0);
  });
});
