import { describe, expect, it } from 'vitest';
import { createComplaint, createQualification } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

const running = setupAwards({ SANDBOX_MODE: 'on' });
const runDue = async () => (await running().deps.externalInputs.runDue(64)).processed;

describe('runDue', () => {
  it('escalates a claim that is due, once', async () => {
    const { tender, path } = await createComplaint(running());
    expect(await runDue()).toBe(0);
    running().clock.advance(3 * 86_400_000);
    expect(await runDue()).toBeGreaterThan(0);
    expect((await send(running().app, 'GET', path, anonymousHeaders)).json().data).toMatchObject({
      status: 'pending',
      type: 'complaint',
      dateEscalated: '2017-02-20T12:00:00.000000+02:00',
    });
    expect((await running().publishedEvents(tender.id)).at(-1)).toMatchObject({ awaitsApplied: false });
    expect(await runDue()).toBe(0);
  });

  it('creates a missing contract when the items of the tender become available', async () => {
    const { path, award, awards } = await createQualification(running());
    running().answersViews = false;
    expect((await send(running().app, 'PATCH', award, ownerHeaders, { status: 'active' })).statusCode).toBe(200);
    const contracts = async () => (await send(running().app, 'GET', `${path}/contracts`, anonymousHeaders)).json().data;
    expect(await contracts()).toEqual([]);
    expect(await runDue()).toBe(1);
    expect(await runDue(), 'postponed, so that it does not delay other tenders').toBe(0);
    running().answersViews = true;
    running().clock.advance(5_000);
    expect(await runDue()).toBe(1);
    expect(await contracts()).toMatchObject([{ awardID: awards[0].id, status: 'pending' }]);
  });
});
