import { describe, expect, it } from 'vitest';
import { onTenderChanged } from '../events/on-tender-changed.ts';
import { createComplaint, createQualification } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, event, ownerHeaders, send } from '../../test-support/running-awards.ts';
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

describe('runDue with rows that fail', () => {
  const query = async (text: string, values: readonly unknown[]) =>
    (await running().database.pool.query(text, [...values])).rows;
  const statusAt = async (path: string): Promise<string> =>
    (await send(running().app, 'GET', path, anonymousHeaders)).json().data.status;
  const storedDue = async (id: string): Promise<number> =>
    Number((await query('SELECT due_at FROM awarding WHERE tender_id = $1', [id]))[0].due_at);

  it.each([
    ['a row of broken JSON', `UPDATE awarding SET document = 'no JSON' WHERE tender_id = $1`],
    [
      'a date on which the decision throws',
      `UPDATE awarding SET document = regexp_replace(document, '"dateSubmitted":"[^"]*"', '"dateSubmitted":"soon"') WHERE tender_id = $1`,
    ],
    [
      'a replica of its tender that cannot be read',
      `UPDATE kit.replica SET facts = '{}' WHERE kind = 'tender' AND id = $1`,
    ],
  ])('puts off %s; the others move on time, and it moves when repaired', async (_what, damage) => {
    const bad = await createComplaint(running());
    const good = await createComplaint(running());
    const { id } = bad.tender;
    const [stored] = await query('SELECT document FROM awarding WHERE tender_id = $1', [id]);
    const [replica] = await query(`SELECT facts FROM kit.replica WHERE kind = 'tender' AND id = $1`, [id]);
    await query(damage, [id]);
    running().clock.advance(3 * 86_400_000);

    expect(await runDue()).toBe(2);
    expect(await statusAt(good.path)).toBe('pending');
    expect((await storedDue(id)) - running().clock.now()).toBe(1_000_000);
    expect(await runDue()).toBe(0);
    running().clock.advance(1_000);
    expect(await runDue()).toBe(1);
    expect((await storedDue(id)) - running().clock.now(), 'the delay grows').toBe(2_000_000);
    expect(await running().metrics.registry.getSingleMetricAsString('clock_rows_postponed')).not.toMatch(/ 0$/);

    await query('UPDATE awarding SET document = $2 WHERE tender_id = $1', [id, stored.document]);
    await query(`UPDATE kit.replica SET facts = $2 WHERE kind = 'tender' AND id = $1`, [id, replica.facts]);
    running().clock.advance(2_000);
    expect(await runDue()).toBe(1);
    expect(await statusAt(bad.path)).toBe('pending');
    expect(await runDue()).toBe(0);
  });

  it('reads a row of 9 MB alone, after all others', async () => {
    const large = await createComplaint(running());
    const small = await createComplaint(running());
    const text = `"inner" = ("inner"::jsonb || jsonb_build_object('x', repeat('x', 9000000)))::text`;
    await query(`UPDATE awarding SET ${text}, due_at = 1 WHERE tender_id = $1`, [large.tender.id]);
    running().clock.advance(3 * 86_400_000);
    expect(await runDue()).toBe(1);
    expect([await statusAt(large.path), await statusAt(small.path)]).toEqual(['claim', 'pending']);
    expect(await runDue()).toBe(1);
    expect(await statusAt(large.path)).toBe('pending');
    expect(await runDue()).toBe(0);
  });

  it('a change of a tender reaches the replica although its awards cannot be read', async () => {
    const { tender } = await createComplaint(running());
    await query(`UPDATE awarding SET document = 'no JSON' WHERE tender_id = $1`, [tender.id]);
    const changed = running().changeAtOwner(tender, { status: 'cancelled' });
    await running().apply(onTenderChanged(running().deps), [
      event('tenders', 'tender.changed', tender.id, changed, changed.version),
    ]);
    expect((await running().deps.tenders.find(tender.id))?.status).toBe('cancelled');
    expect(await storedDue(tender.id)).toBe(running().clock.now());
  });
});
