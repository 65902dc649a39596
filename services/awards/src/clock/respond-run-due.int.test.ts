import { describe, expect, it } from 'vitest';
import { createComplaint } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { respondRunDue } from './respond-run-due.ts';

const running = setupAwards({ SANDBOX_MODE: 'on' });
const THREE_DAYS_MICROS = 3 * 86_400_000_000;
const run = async (id: string) => respondRunDue(running().deps)({ id });
const readVersion = async (id: string) => (await running().deps.awardings.find(id)).version;

describe('issue 15 R18: ask.awards.run-due', () => {
  it('runs by the moved clock of the owner before its event has arrived, once', async () => {
    const { tender, path } = await createComplaint(running());
    const other = await createComplaint(running());
    const before = await readVersion(tender.id);
    expect(await run(tender.id)).toEqual({ version: before });
    running().changeAtOwner(tender, { clockShift: THREE_DAYS_MICROS });
    expect(await run(tender.id)).toEqual({ version: before + 1 });
    expect(await run(tender.id)).toEqual({ version: before + 1 });
    const status = async (at: string) => (await send(running().app, 'GET', at, anonymousHeaders)).json().data.status;
    expect([await status(path), await status(other.path)]).toEqual(['pending', 'claim']);
    expect((await running().publishedEvents(tender.id)).at(-1)).toMatchObject({ type: 'award.changed' });
  });

  it('changes nothing of a tender that it does not know, and without the facts of the owner', async () => {
    expect(await run('f'.repeat(32))).toEqual({ version: 0 });
    const { tender } = await createComplaint(running());
    const before = await readVersion(tender.id);
    running().changeAtOwner(tender, { clockShift: THREE_DAYS_MICROS });
    running().answersFacts = false;
    await run(tender.id).catch(() => undefined);
    expect(await readVersion(tender.id)).toBe(before);
  });
});
