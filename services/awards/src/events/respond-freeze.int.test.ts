import { decided } from '@procurement/testing/decided';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { FrozenError } from '@procurement/kit/messaging/request/decision-freeze';
import { holdLock } from '@procurement/testing/held-lock';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import {
  applyBidsOpened,
  bidsOpened,
  createComplaint,
  createQualification,
  storedAwards,
} from '../../test-support/awarding-fixtures.ts';
import { bid } from '../../test-support/run-command.ts';
import { anonymousHeaders, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { respondFreeze } from './respond-freeze.ts';

const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const running = setupAwards({ SANDBOX_MODE: 'on' });
const freeze = async (id: string) => freezeTender(respondFreeze(running().deps), id);
const activate = async (award: string) => send(running().app, 'PATCH', award, ownerHeaders, { status: 'active' });

/** A complaint whose claim is due to become pending, of a frozen tender. */
async function freezeDueClaim() {
  const { tender, path } = await createComplaint(running());
  const status = async () => (await send(running().app, 'GET', path, anonymousHeaders)).json().data.status;
  running().clock.advance(3 * 86_400_000);
  return { tender, status, frozen: await freeze(tender.id) };
}

describe('ask.awards.freeze (architecture.md, handshake 3)', () => {
  it('tells the version of the awards that the cancellation must know', async () => {
    const { tender } = await createQualification(running());
    const request = { act: 'freeze', id: tender.id, number: 9_999 };
    expect(await respondFreeze(running().deps)(request)).toEqual({ frozen: true, version: 1 });
  });

  it('503 with Retry-After: no award is decided while the tender is frozen', async () => {
    const { tender, award } = await createQualification(running());
    const frozen = await freeze(tender.id);
    const refused = await activate(award);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(await storedAwards(running(), tender.id)).toMatchObject([{ status: 'pending' }]);
    await frozen.lift(tender.version);
    expect((await activate(award)).statusCode).toBe(200);
  });

  it('403: a decision that waited is judged by the cancelled tender', async () => {
    const { tender, award } = await createQualification(running());
    const frozen = await freeze(tender.id);
    const answer = decided(async () => activate(award));
    const { version } = running().changeAtOwner(tender, { status: 'cancelled' });
    await frozen.lift(version);
    expect((await answer).statusCode).toBe(403);
  });

  it('of four awards that overlap a cancellation, the one that it waits for is decided, and no later one', async () => {
    const lots = ['1', '2', '3', '4'].map((digit) => ({ id: digit.repeat(32), status: 'active' as const }));
    const tender = await running().addTender({ lots, items: lots.map(({ id }) => ({ id, relatedLot: id })) });
    const { date, ...bidder } = bid('b1', 390);
    const lotValues = lots.map(({ id }) => ({ relatedLot: id, value: bidder.value, date }));
    await applyBidsOpened(running(), bidsOpened(tender.id, [{ ...bidder, date, lotValues }]));
    const awards = (await storedAwards(running(), tender.id)).map(({ id }) => `/tenders/${tender.id}/awards/${id}`);
    const { url, pool } = running().database;
    const held = await holdLock(url, 'SELECT FROM awarding WHERE tender_id = $1 FOR UPDATE', [tender.id]);
    const inLine = async (count: number): Promise<unknown> =>
      waitFor(async () => (await pool.query(WAITING)).rows[0]?.waiting === count, { what: `${count} in line` });
    const [first = '', ...others] = awards;
    const early = activate(first);
    await inLine(1);
    // With a third one in line the order would be open: PostgreSQL keeps it until the row has a new version, and all who wait go on to that.
    const freezing = freeze(tender.id);
    await inLine(2);
    await held.release();
    const frozen = await freezing;
    const late = others.map(async (award) => decided(async () => activate(award)));
    // What the cancellation knows: it is stored after them.
    const known = (await storedAwards(running(), tender.id)).map(({ status }) => status);
    const { version } = running().changeAtOwner(tender, { status: 'cancelled' });
    await frozen.lift(version);
    const statuses = (await Promise.all([early, ...late])).map(({ statusCode }) => statusCode);
    expect([known, statuses]).toEqual([
      ['active', 'pending', 'pending', 'pending'],
      [200, 403, 403, 403],
    ]);
    expect((await storedAwards(running(), tender.id)).map(({ status }) => status)).toEqual(known);
  });

  it('opened bids wait while the tender is frozen; a cancelled tender gets no award', async () => {
    const tender = await running().addTender();
    const frozen = await freeze(tender.id);
    await expect(applyBidsOpened(running(), bidsOpened(tender.id))).rejects.toBeInstanceOf(FrozenError);
    const { version } = running().changeAtOwner(tender, { status: 'cancelled' });
    await frozen.lift(version);
    await applyBidsOpened(running(), bidsOpened(tender.id));
    expect(await storedAwards(running(), tender.id)).toEqual([]);
  });

  it('the clock skips a frozen tender, and comes back', async () => {
    const { tender, status, frozen } = await freezeDueClaim();
    expect((await running().deps.externalInputs.runDue(64)).processed).toBe(1);
    expect([await status(), (await running().deps.externalInputs.runDue(64)).processed]).toEqual(['claim', 0]);
    await frozen.lift(tender.version);
    running().clock.advance(5_000);
    await running().deps.externalInputs.runDue(64);
    expect(await status()).toBe('pending');
  });

  it('the clock asks for facts when its copy is older than the last freeze, and comes back', async () => {
    const { tender, status, frozen } = await freezeDueClaim();
    // No event tells of it.
    const { version } = running().changeAtOwner(tender, {});
    await frozen.lift(version);
    const isTicked = async (): Promise<boolean> => {
      running().clock.advance(5_000);
      await running().deps.externalInputs.runDue(64);
      return (await status()) === 'pending';
    };
    expect(await isTicked()).toBe(false);
    await waitFor(isTicked, { what: 'the tick by newer facts' });
  });
});
