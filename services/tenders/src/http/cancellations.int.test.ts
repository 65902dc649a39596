import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { AUTHOR } from '@procurement/testing/bodies';
import { decided } from '@procurement/testing/decided';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { respondComplaintsFreeze } from '../events/respond-complaints-freeze.ts';

const { freezeBids, freezeAwards, freezeAuction, freezeDocuments } = rpcSubjects;
const DECIDERS = [freezeBids, freezeAwards, freezeAuction, freezeDocuments];
const ACTIVE = { reason: 'x', status: 'active' };
const LOT = { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } };

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

beforeEach(() => {
  running.deciders.silent.clear();
  running.deciders.versions.clear();
});

async function tenderView(id: string): Promise<unknown> {
  return (await send('GET', `/tenders/${id}`, anonymousIdentity())).json();
}

async function eventTypes(id: string): Promise<readonly string[]> {
  const { rows } = await running.database.pool.query('SELECT subject FROM kit.outbox WHERE subject LIKE $1', [
    `%.${id}`,
  ]);
  return rows.map(({ subject }) => subject);
}

/** The requests of one freeze: all are frozen before any is lifted. */
function expectOneFreeze(id: string): void {
  const requests = running.deciders.requests(id);
  expect(requests.slice(0, 4).toSorted()).toEqual(DECIDERS.map((subject) => `freeze ${subject}`).toSorted());
  expect(requests.slice(4).toSorted()).toEqual(DECIDERS.map((subject) => `lift ${subject}`).toSorted());
}

describe('a cancellation that takes effect (architecture.md, handshake 3)', () => {
  it('by POST, PATCH, and of the last lot: stored while all services are frozen', async () => {
    const byPost = await created();
    const posted = await send('POST', `/tenders/${byPost.id}/cancellations`, byPost.owner, ACTIVE);
    expect([posted.statusCode, await tenderView(byPost.id)]).toMatchObject([201, { data: { status: 'cancelled' } }]);
    expectOneFreeze(byPost.id);

    const byPatch = await created();
    const url = `/tenders/${byPatch.id}/cancellations`;
    const { data } = (await send('POST', url, byPatch.owner, { reason: 'x' })).json();
    expect(running.deciders.requests(byPatch.id)).toEqual([]);
    expect((await send('PATCH', `${url}/${data.id}`, byPatch.owner, { status: 'active' })).statusCode).toBe(200);
    expectOneFreeze(byPatch.id);

    const ofLot = await created();
    const lot = (await send('POST', `/tenders/${ofLot.id}/lots`, ofLot.owner, LOT)).json().data.id;
    const ofLotBody = { ...ACTIVE, cancellationOf: 'lot', relatedLot: lot };
    expect((await send('POST', `/tenders/${ofLot.id}/cancellations`, ofLot.owner, ofLotBody)).statusCode).toBe(201);
    expect(await tenderView(ofLot.id)).toMatchObject({
      data: { status: 'cancelled', lots: [{ status: 'cancelled' }] },
    });
    expectOneFreeze(ofLot.id);
  });

  it('by the Administrator', async () => {
    const { id } = await created();
    const administrator = signedIdentity({ broker: 'administrator', group: 'Administrator' });
    const patched = await send('PATCH', `/tenders/${id}`, administrator, { status: 'cancelled' });
    expect([patched.statusCode, patched.json().data.status]).toEqual([200, 'cancelled']);
    expectOneFreeze(id);
  });

  it.each(DECIDERS)(
    '503 with Retry-After while %s does not answer: nothing happened, and a retry succeeds',
    async (subject) => {
      const { id, owner } = await created();
      const [view, events] = [await tenderView(id), await eventTypes(id)];
      running.deciders.silent.add(subject);
      const refused = await send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
      expect([await tenderView(id), await eventTypes(id)]).toEqual([view, events]);
      const lifted = running.deciders.requests(id).filter((text) => text.startsWith('lift'));
      expect(lifted).toHaveLength(3);
      running.deciders.silent.clear();
      expect((await send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE)).statusCode).toBe(201);
    },
  );

  it('a refused one freezes nothing', async () => {
    const { id, owner } = await created();
    const refused = await send('POST', `/tenders/${id}/cancellations`, signedIdentity({ broker: 'other' }), ACTIVE);
    expect([refused.statusCode, running.deciders.requests(id)]).toEqual([403, []]);
    await send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE);
    expect((await send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE)).statusCode).toBe(403);
    expectOneFreeze(id);
  });

  it('503 until the awards that were decided before the freeze are known', async () => {
    const { id, owner } = await created();
    running.deciders.versions.set(freezeAwards, 1);
    const refused = await send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE);
    expect([refused.statusCode, await tenderView(id)]).toMatchObject([503, { data: { status: 'active.enquiries' } }]);
    const cancelling = decided(async () => send('POST', `/tenders/${id}/cancellations`, owner, ACTIVE));
    const facts = { id, version: 1, awards: [], contracts: [] };
    const { externalInputs } = running.deps;
    const tx = await running.database.pool.connect();
    await tx.query('BEGIN');
    await externalInputs.apply(tx, [{ id, input: { type: 'ReplaceAwards', facts } }], 'test');
    await tx.query('COMMIT');
    tx.release();
    expect((await cancelling).statusCode).toBe(201);
  });

  it('two at once: one after the other, and both lots are cancelled', async () => {
    const { id, owner } = await created();
    const lots: string[] = [];
    for (const title of ['a', 'b', 'c']) {
      lots.push((await send('POST', `/tenders/${id}/lots`, owner, { ...LOT, title })).json().data.id);
    }
    const answers = await Promise.all(
      lots
        .slice(0, 2)
        .map(async (relatedLot) =>
          decided(async () =>
            send('POST', `/tenders/${id}/cancellations`, owner, { ...ACTIVE, cancellationOf: 'lot', relatedLot }),
          ),
        ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(await tenderView(id)).toMatchObject({
      data: { lots: [{ status: 'cancelled' }, { status: 'cancelled' }, { status: 'active' }] },
    });
  });
});

describe('a complaint while awards signs a contract (architecture.md, handshake 4)', () => {
  const claim = { author: AUTHOR, title: 'x', status: 'claim' };
  const seller = signedIdentity({ broker: 'seller' });
  const freeze = async (id: string, act: 'freeze' | 'lift', version = 0): Promise<unknown> =>
    respondComplaintsFreeze(running.deps)({ act, id, number: 1, ...(act === 'lift' ? { version } : {}) });

  it('503: a claim is not filed, a draft of one is', async () => {
    const { id } = await created();
    expect(await freeze(id, 'freeze')).toEqual({ frozen: true, version: 1 });
    const refused = await send('POST', `/tenders/${id}/complaints`, seller, claim);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await send('POST', `/tenders/${id}/complaints`, seller, { author: AUTHOR, title: 'x' })).statusCode).toBe(
      201,
    );
    expect((await send('GET', `/tenders/${id}/complaints`, seller)).json().data).toMatchObject([{ status: 'draft' }]);
    await freeze(id, 'lift');
    expect((await send('POST', `/tenders/${id}/complaints`, seller, claim)).statusCode).toBe(201);
  });

  it('503: a claim is not filed before the signed contract is known', async () => {
    const { id } = await created();
    await freeze(id, 'freeze');
    await freeze(id, 'lift', 1);
    expect((await send('POST', `/tenders/${id}/complaints`, seller, claim)).statusCode).toBe(503);
  });
});
