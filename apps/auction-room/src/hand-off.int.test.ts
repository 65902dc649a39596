import { SECOND } from '@procurement/contracts/reading/instant';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FakeTender } from '../test-support/fake-tenders.ts';
import { removeNewest } from '../test-support/replica.ts';
import { PUBLIC_URL, startTestRoom, type TestRoom } from '../test-support/test-room.ts';
import type { Auction } from './domain/auction.ts';

const AWAY = { status: 0, body: {}, description: 'no answer' };
const HOUR = 3_600;
const IN_FIRST_TURN = HOUR + 310;
/** Two bidders: the announcement is 660 + 720 s after the start, and the results wait 10 s for a protocol. */
const AFTER_ALL = HOUR + 1_400;

let room: TestRoom;
let count = 0;

beforeAll(async () => {
  room = await startTestRoom();
});
afterEach(() => {
  room.tenders.fault = undefined;
});
afterAll(async () => room.stop());

function publish(more: Partial<FakeTender> = {}): FakeTender {
  count += 1;
  return room.tenders.publish({ id: count.toString(16).padStart(32, 'b'), ...more });
}

async function jump(id: string, seconds: number): Promise<void> {
  const answer = await room.app.inject({
    method: 'POST',
    url: `/sandbox/auctions/${id}/clock`,
    payload: { data: { advance: `PT${seconds}S` } },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

const isAddressed = ({ linksPublished }: Auction): boolean => linksPublished;
const inPhase =
  (phase: Auction['phase']) =>
  (auction: Auction): boolean =>
    auction.phase === phase;

/** Changes that the room asked for at a tender, such as `PATCH /auction 200`. */
function selectChanges({ id }: FakeTender): readonly string[] {
  return room.tenders.changes.flatMap(({ method, path, status }) =>
    path.startsWith(`/tenders/${id}`) ? [`${method} ${path.slice(`/tenders/${id}`.length)} ${status}`] : [],
  );
}

const selectReports = (tender: FakeTender): readonly string[] =>
  selectChanges(tender).filter((change) => change === 'POST /auction 200');

describe('the hand-off', () => {
  it('goes from the feed to the results, which are reported once', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    expect(tender.auctionUrl).toBe(`${PUBLIC_URL}/tenders/${tender.id}`);
    await jump(tender.id, AFTER_ALL);
    await room.stored(tender.id, ({ protocol }) => protocol?.version === 2);
    // Nothing is sent twice. The results wait for the protocol no longer than 10 s, which the jump has passed.
    expect(selectChanges(tender).toSorted()).toEqual([
      'PATCH /auction 200',
      'POST /auction 200',
      'POST /documents 200',
      `PUT /documents/${tender.documents[0]?.id} 200`,
    ]);
  });

  it('plans an auction once the tender service is back (F10)', async () => {
    let refused = 0;
    room.tenders.fault = () => {
      refused += 1;
      return AWAY;
    };
    const tender = publish();
    await waitFor(() => refused > 1, { what: 'requests in vain' });
    expect(await room.room.auctions.load(tender.id)).toBeUndefined();
    room.tenders.fault = undefined;
    await room.stored(tender.id, isAddressed);
  });

  it('begins an auction with what was read, and reports when the service is back (F11, F12)', async () => {
    const tender = publish();
    const { plan } = await room.stored(tender.id, isAddressed);
    room.tenders.fault = ({ path }) => (path.startsWith('/sandbox') ? undefined : AWAY);
    await jump(tender.id, IN_FIRST_TURN);
    expect((await room.stored(tender.id, inPhase('running'))).plan).toEqual(plan);
    await jump(tender.id, AFTER_ALL - IN_FIRST_TURN);
    await room.stored(tender.id, ({ reportBegun }) => reportBegun);
    // Planned anew meanwhile: the auction is over, and the report goes through.
    tender.auctionPeriod = { startDate: '2036-11-22T11:00:00+02:00' };
    room.tenders.touch(tender.id);
    room.tenders.fault = undefined;
    await room.stored(tender.id, inPhase('announced'));
    expect(selectReports(tender)).toHaveLength(1);
  });

  it('finds its own results after an answer was lost (F13)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    let lost = 0;
    room.tenders.fault = ({ method, path }) => {
      if (method !== 'POST' || path !== `/tenders/${tender.id}/auction`) return undefined;
      lost += 1;
      return lost === 1 ? 'lost' : undefined;
    };
    await jump(tender.id, AFTER_ALL);
    const auction = await room.stored(tender.id, inPhase('announced'));
    expect(auction.conflict).toBe(false);
    expect(lost).toBeGreaterThanOrEqual(2);
  });

  it('reports once, though a leader that was replaced sends its report later (F3, A14)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    const other = await room.join();
    let release: () => void = () => undefined;
    let reports = 0;
    room.tenders.fault = async ({ method, path }) => {
      if (method !== 'POST' || path !== `/tenders/${tender.id}/auction`) return undefined;
      reports += 1;
      // The leader sleeps before its request goes out.
      if (reports === 1) await new Promise<void>((resolve) => (release = resolve));
      return undefined;
    };
    await jump(tender.id, AFTER_ALL);
    await waitFor(() => reports === 1, { what: 'the report of the leader' });
    // As if the lease of the first were over and the other had taken it.
    await room.database.pool.query(
      `UPDATE lease SET holder = (SELECT id FROM replica ORDER BY started_at DESC LIMIT 1), epoch = epoch + 1,
        until = clock_timestamp() + interval '6 s' WHERE shard = (SELECT shard FROM auction WHERE id = $1)`,
      [tender.id],
    );
    await other.room.leadership.round();
    await waitFor(() => reports > 1, { what: 'the report of the other' });
    await room.stored(tender.id, inPhase('announced'));
    const { length } = await room.room.auctions.log(tender.id);
    release();
    // The service refuses a second report, which does not change the auction.
    await waitFor(() => selectChanges(tender).filter((change) => change.startsWith('POST /auction')).length > 1, {
      what: 'the late report',
    });
    expect(selectReports(tender)).toHaveLength(1);
    await room.stored(tender.id, ({ protocol }) => protocol?.version === 2);
    const log = await room.room.auctions.log(tender.id);
    expect(log.filter(({ type }) => type === 'AuctionAnnounced')).toHaveLength(1);
    expect(log.slice(length).map(({ type }) => type)).not.toContain('ConflictNoted');
    await other.stop();
    await removeNewest(room.database.pool);
  });

  it('reports without a protocol when the document service is away, and sends it later (F14)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    room.tenders.fault = ({ path }) => (path === '/upload' ? { ...AWAY, status: 503 } : undefined);
    await jump(tender.id, AFTER_ALL);
    const announced = await room.stored(tender.id, inPhase('announced'));
    expect(announced.protocol).toBeUndefined();
    room.tenders.fault = undefined;
    await room.stored(tender.id, ({ protocol }) => protocol?.version === 2);
  });

  it('sends the names after a protocol that takes long, as a version of its document', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    room.tenders.fault = async ({ method, path }) => {
      if (method === 'POST' && path === `/tenders/${tender.id}/documents`) await held;
      return undefined;
    };
    await jump(tender.id, AFTER_ALL);
    await room.stored(tender.id, ({ names }) => Object.keys(names).length > 0);
    // The second version is due. The tasks of another tender are found after it.
    await room.stored(publish().id, isAddressed);
    release();
    await room.stored(tender.id, ({ protocol }) => protocol?.version === 2);
    const documents = selectChanges(tender).filter((change) => change.includes('/documents'));
    expect(documents).toEqual(['POST /documents 200', `PUT /documents/${tender.documents[0]?.id} 200`]);
  });

  it('ends with a tender that is cancelled in a turn, and reports nothing (F15)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    await jump(tender.id, IN_FIRST_TURN);
    tender.status = 'cancelled';
    room.tenders.touch(tender.id);
    const auction = await room.stored(tender.id, inPhase('cancelled'));
    expect(auction.results).toEqual([]);
    expect(selectReports(tender)).toEqual([]);
  });

  it('ends with a tender that is cancelled between the last look and the report (F15, A26)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    tender.status = 'cancelled';
    await jump(tender.id, AFTER_ALL);
    expect(await room.stored(tender.id, inPhase('cancelled'))).not.toHaveProperty('resultsAcceptedAt');
  });

  it('ends the auction of a cancelled lot only (F16)', async () => {
    const startDate = { startDate: publish().auctionPeriod.startDate ?? '' };
    const lots = ['c1', 'c2'].map((name) => ({ id: name.repeat(16), status: 'active', auctionPeriod: startDate }));
    const [first, second] = lots;
    const bids = ['a1', 'a2'].map((name, n) => ({
      id: name.repeat(16),
      date: '2026-11-10T10:00:00+02:00',
      lotValues: lots.map(({ id }) => ({
        relatedLot: id,
        date: '2026-11-10T10:00:00+02:00',
        value: { amount: 100 + n, currency: 'UAH' },
      })),
    }));
    const tender = publish({ lots, bids, auctionPeriod: {} });
    const auctionIdOf = (lot = first): string => `${tender.id}_${lot?.id}`;
    await Promise.all(lots.map(async (lot) => room.stored(auctionIdOf(lot), isAddressed)));
    await jump(auctionIdOf(first), IN_FIRST_TURN);
    if (first !== undefined) first.status = 'cancelled';
    room.tenders.touch(tender.id);
    await room.stored(auctionIdOf(first), inPhase('cancelled'));
    expect(await room.stored(auctionIdOf(second), inPhase('running'))).toMatchObject({ currentStage: 1 });
  });

  it('plans anew before the start, with the same links, and not during the auction (F17)', async () => {
    const tender = publish();
    const planned = await room.stored(tender.id, isAddressed);
    const links = tender.bids.map(({ participationUrl }) => participationUrl);
    tender.auctionPeriod = { startDate: '2036-11-22T11:00:00+02:00' };
    room.tenders.touch(tender.id);
    const replanned = await room.stored(tender.id, ({ plan }) => plan.startAt !== planned.plan.startAt);
    expect(tender.bids.map(({ participationUrl }) => participationUrl)).toEqual(links);
    await jump(tender.id, (replanned.plan.startAt - planned.plan.startAt) / SECOND + IN_FIRST_TURN);
    await room.stored(tender.id, inPhase('running'));
    tender.auctionPeriod = { startDate: '2036-12-22T11:00:00+02:00' };
    room.tenders.touch(tender.id);
    const marker = publish();
    await room.stored(marker.id, isAddressed);
    expect((await room.room.auctions.load(tender.id))?.plan.startAt).toBe(replanned.plan.startAt);
  });

  it('leaves a tender whose address another component published, and says so (F18)', async () => {
    const tender = publish({ auctionUrl: 'https://other.example.org/1' });
    const note = await waitFor(
      async () => {
        const { rows } = await room.database.pool.query<{ note: string | null }>(
          'SELECT note FROM tender_reading WHERE tender_id = $1',
          [tender.id],
        );
        return rows[0]?.note;
      },
      { what: 'the reason' },
    );
    expect(note).toContain('held by https://other.example.org/1');
    expect(selectChanges(tender)).toEqual([]);
  });

  it('never overwrites results that others recorded, and alarms (F19)', async () => {
    const tender = publish();
    await room.stored(tender.id, isAddressed);
    // Not in the feed: the report meets it.
    tender.status = 'active.qualification';
    const [bid] = tender.bids;
    if (bid?.value !== undefined) bid.value.amount = 1;
    await jump(tender.id, AFTER_ALL);
    await room.stored(tender.id, ({ conflict }) => conflict);
    const state = await room.app.inject(`/tenders/${tender.id}/state`);
    expect(state.json()).toMatchObject({ phase: 'conflict' });
    const { body } = await room.operations.inject('/metrics');
    expect(body).toMatch(/^room_conflicts_total\S* 1$/m);
    expect(bid?.value?.amount).toBe(1);
  });

  it('keeps one tender that cannot be read from delaying others', async () => {
    const broken = publish();
    room.tenders.fault = ({ path }) => (path === `/tenders/${broken.id}` ? { ...AWAY, status: 500 } : undefined);
    room.tenders.touch(broken.id);
    const whole = publish();
    expect(await room.stored(whole.id, isAddressed)).toMatchObject({ phase: 'planned' });
  });
});
