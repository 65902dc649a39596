import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAwarded } from '../../test-support/awarding-fixtures.ts';
import { AFTER_STAND_STILL, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards();
const { freezeComplaints } = rpcSubjects;
const CLAIM = { id: 'c1', type: 'claim', status: 'claim', owner: 'x', ownerTokenHash: 'x' };

beforeEach(() => {
  running().deciders.silent.clear();
  running().deciders.versions.clear();
});

async function readyToSign() {
  const awarded = await createAwarded(running());
  running().clock.set(AFTER_STAND_STILL);
  const sign = async () => send(running().app, 'PATCH', awarded.contractPath, ownerHeaders, { status: 'active' });
  return { ...awarded, sign };
}

describe('signing a contract (architecture.md, handshake 4)', () => {
  it('200: complaints are frozen before it and lifted after it', async () => {
    const { tender, sign } = await readyToSign();
    expect((await sign()).statusCode).toBe(200);
    expect(running().deciders.requests(tender.id)).toEqual([`freeze ${freezeComplaints}`, `lift ${freezeComplaints}`]);
  });

  it('other changes of a contract freeze nothing', async () => {
    const { tender, contractPath } = await readyToSign();
    await send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'x' });
    expect(running().deciders.requests(tender.id)).toEqual([]);
  });

  it('503 with Retry-After when complaints are not frozen: nothing is signed', async () => {
    const { tender, sign } = await readyToSign();
    const before = await running().publishedEvents(tender.id);
    running().deciders.silent.add(freezeComplaints);
    const refused = await sign();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(await running().publishedEvents(tender.id)).toEqual(before);
  });

  it('503 when the facts are older than those that were frozen', async () => {
    const { tender, sign } = await readyToSign();
    running().deciders.versions.set(freezeComplaints, tender.version + 1);
    expect((await sign()).statusCode).toBe(503);
  });

  it('403: a complaint that was filed just before the freeze wins', async () => {
    const { tender, sign } = await readyToSign();
    // The copy of the first decision is stale, the facts under the freeze are not.
    running().answersFacts = false;
    const changed = { ...tender, version: tender.version + 1, complaints: [CLAIM] };
    running().ownerTenders.set(tender.id, changed);
    running().deciders.versions.set(freezeComplaints, changed.version);
    expect((await sign()).statusCode).toBe(503);
    running().answersFacts = true;
    const refused = await sign();
    expect(refused.json().errors[0].description).toBe("Can't sign contract before reviewing all complaints");
  });
});
