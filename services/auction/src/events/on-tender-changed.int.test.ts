import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPlanner, type RunningPlanner } from '../../test-support/running-planner.ts';
import { tenderFacts } from '../../test-support/tender-facts.ts';

const EARLIEST = '2017-02-16T00:00:00+02:00';
const FIRST_SLOT = '2017-02-16T11:00:00+02:00';

let planner: RunningPlanner;

beforeEach(async () => {
  planner = await startPlanner();
});

afterEach(async () => {
  await planner.close();
});

function tender(id: string, version = 1, partial: Partial<TenderFacts> = {}): TenderFacts {
  return tenderFacts({ id, version, ...partial });
}

/** The tender with this start. */
function plannedTender(id: string, version: number, startDate: string, shouldStartAfter = EARLIEST): TenderFacts {
  return tender(id, version, { auctionPeriod: { shouldStartAfter, startDate } });
}

/** The slots of one plan mode as `day stream slot tender[/lot]`. */
async function slotsAsText(mode = 'real'): Promise<readonly string[]> {
  const slots = await planner.slots();
  return slots
    .filter((row) => row.mode === mode)
    .map((row) => `${row.day} ${row.stream} ${row.slot} ${row.tenderId}${row.lotId === '' ? '' : `/${row.lotId}`}`);
}

describe('tender.changed: planning', () => {
  it('gives each tender its own half hour and publishes it', async () => {
    await planner.deliver([tender('a'), tender('b')]);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:00 a', '2017-02-16 1 11:30 b']);
    expect(await planner.publishedPlans()).toEqual([
      { id: 'a', startDate: FIRST_SLOT, version: 1 },
      { id: 'b', startDate: '2017-02-16T11:30:00+02:00', version: 1 },
    ]);
  });

  it('publishes a start again, as a newer fact, when the tender asks again and the event may be lost', async () => {
    await planner.deliver([tender('a')]);
    await planner.publishedPlans();
    await planner.deliver([tender('a')]);
    expect(await planner.publishedPlans(), 'the event is on its way').toEqual([]);
    await planner.age('10 s');
    await planner.deliver([tender('a')]);
    expect(await planner.publishedPlans()).toEqual([{ id: 'a', startDate: FIRST_SLOT, version: 2 }]);
    await planner.deliver([plannedTender('a', 2, FIRST_SLOT)]);
    await planner.age('10 s');
    await planner.deliver([plannedTender('a', 2, FIRST_SLOT)]);
    expect([await slotsAsText(), await planner.publishedPlans()]).toEqual([['2017-02-16 1 11:00 a'], []]);
  });

  it('plans an auction after the last day of the calendar once, at its last second (rulings R45)', async () => {
    const last = '9999-12-31T23:59:59+02:00';
    await planner.deliver([tender('a', 1, { auctionPeriod: { shouldStartAfter: last } }), tender('b')]);
    expect(await planner.publishedPlans()).toEqual([
      { id: 'a', startDate: last, version: 1 },
      { id: 'b', startDate: FIRST_SLOT, version: 1 },
    ]);
    await planner.deliver([plannedTender('a', 2, last, last)]);
    expect(await planner.publishedPlans()).toEqual([]);
  });

  it('plans each lot', async () => {
    const auctionPeriod = { shouldStartAfter: EARLIEST };
    const lots = ['l1', 'l2'].map((id) => ({ id, status: 'active', auctionPeriod }));
    await planner.deliver([tender('a', 1, { lots, auctionPeriod: undefined })]);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:00 a/l1', '2017-02-16 1 11:30 a/l2']);
    expect(await planner.publishedPlans()).toEqual([
      { id: 'a', lot: 'l1', startDate: FIRST_SLOT, version: 1 },
      { id: 'a', lot: 'l2', startDate: '2017-02-16T11:30:00+02:00', version: 1 },
    ]);
  });

  it('plans test and real tenders separately', async () => {
    await planner.deliver([tender('a'), tender('t', 1, { mode: 'test' })]);
    expect(await slotsAsText('real')).toEqual(['2017-02-16 1 11:00 a']);
    expect(await slotsAsText('test')).toEqual(['2017-02-16 1 11:00 t']);
  });

  it('gives quick auctions no slot', async () => {
    const quick = {
      submissionMethodDetails: 'quick',
      auctionPeriod: { shouldStartAfter: '2017-02-09T12:00:00+02:00' },
    };
    await planner.deliver([tender('q', 1, quick), tender('r', 1, quick)]);
    expect(await planner.slots()).toMatchObject([
      { tenderId: 'q', day: null, stream: null, slot: null },
      { tenderId: 'r', day: null, stream: null, slot: null },
    ]);
    const startDate = '2017-02-09T12:15:00+02:00';
    expect(await planner.publishedPlans()).toEqual([
      { id: 'q', startDate, version: 1 },
      { id: 'r', startDate, version: 1 },
    ]);
  });

  it('plans in tender time', async () => {
    // Ten days later it is Sunday, the 19th.
    await planner.deliver([tender('a', 1, { clockShift: 10 * 86_400 * 1_000_000 })]);
    expect(await slotsAsText()).toEqual(['2017-02-20 1 11:00 a']);
  });
});

describe('tender.changed: planning again', () => {
  it('moves a missed auction and frees its slot for others', async () => {
    await planner.deliver([tender('a'), tender('b')]);
    await planner.deliver([plannedTender('a', 2, FIRST_SLOT)]);
    await planner.publishedPlans();
    await planner.deliver([plannedTender('a', 3, FIRST_SLOT, '2017-02-17T00:00:00+02:00')]);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:30 b', '2017-02-17 1 11:00 a']);
    expect(await planner.publishedPlans()).toEqual([{ id: 'a', startDate: '2017-02-17T11:00:00+02:00', version: 2 }]);
    await planner.deliver([tender('c')]);
    expect(await slotsAsText()).toContain('2017-02-16 1 11:00 c');
  });

  it('publishes a start again when it was removed from the tender', async () => {
    await planner.deliver([tender('a')]);
    await planner.deliver([plannedTender('a', 2, FIRST_SLOT)]);
    await planner.deliver([tender('a', 3)]);
    expect(await planner.publishedPlans()).toHaveLength(2);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:00 a']);
  });
});

describe('tender.changed: freed slots', () => {
  it.each(['cancelled', 'unsuccessful', 'complete'])('frees the slot of a tender in %s', async (status) => {
    await planner.deliver([tender('a'), tender('b')]);
    await planner.deliver([{ ...plannedTender('a', 2, FIRST_SLOT), status }]);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:30 b']);
  });

  it('frees the slot when a start was set by hand outside of it, not inside', async () => {
    await planner.deliver([tender('a'), tender('b')]);
    await planner.deliver([
      plannedTender('a', 2, '2017-02-16T11:29:59+02:00'),
      plannedTender('b', 2, '2017-02-16T12:00:00+02:00'),
    ]);
    expect(await slotsAsText()).toEqual(['2017-02-16 1 11:00 a']);
  });

  it('reuses the lowest stream first, then the earliest half hour', async () => {
    await planner.deliver(Array.from({ length: 12 }, (_, index) => tender(`a${index}`)));
    await planner.deliver([
      tender('a11', 2, { status: 'cancelled' }),
      tender('a7', 2, { status: 'cancelled' }),
      tender('a2', 2, { status: 'cancelled' }),
    ]);
    await planner.deliver([tender('b1'), tender('b2'), tender('b3')]);
    expect(await slotsAsText()).toEqual(
      expect.arrayContaining(['2017-02-16 1 12:00 b1', '2017-02-16 1 14:30 b2', '2017-02-16 2 11:30 b3']),
    );
  });
});

describe('tender.changed: repeated and late events', () => {
  it('plan nothing again, before and after the tender has its start', async () => {
    await planner.deliver([tender('a')]);
    await planner.deliver([tender('a')]);
    await planner.deliver([tender('a', 2)]);
    await planner.deliver([plannedTender('a', 3, FIRST_SLOT)]);
    await planner.deliver([tender('a', 2)]);
    await planner.deliver([plannedTender('a', 3, FIRST_SLOT)]);
    expect(await planner.publishedPlans()).toHaveLength(1);
    expect(await planner.slots()).toMatchObject([{ tenderId: 'a', slot: '11:00', confirmed: true }]);
  });

  it('use the newest version in a batch', async () => {
    await planner.deliver([tender('a', 2, { status: 'cancelled', auctionPeriod: undefined }), tender('a', 1)]);
    expect(await planner.slots()).toEqual([]);
    expect(await planner.publishedPlans()).toEqual([]);
  });
});

describe('tender.changed: two processes of the service', () => {
  it('never give a slot twice', async () => {
    const pools = [planner.anotherPool(), planner.anotherPool()];
    const batches: Promise<unknown>[] = [];
    // Repeated, as events are delivered again, when the plan is locked for too long.
    const deliver = async (...events: Parameters<typeof planner.deliver>): Promise<unknown> =>
      waitFor(async () => planner.deliver(...events).then(() => true), { what: 'a batch' });
    for (let batch = 0; batch < 12; batch += 1) {
      const updates = Array.from({ length: 10 }, (_, index) =>
        tender(`${batch}-${index}`, 1, batch % 3 === 0 ? { mode: 'test' } : {}),
      );
      batches.push(deliver(updates, pools[batch % 2]));
      // The same events again in the other process, in another order, as after a crash.
      batches.push(deliver(updates.toReversed(), pools[(batch + 1) % 2]));
    }
    await Promise.all(batches);
    const plans = await planner.publishedPlans();
    expect(new Set(plans.map(({ id }) => id)).size).toBe(120);
    expect(plans).toHaveLength(120);
    const slots = await planner.slots();
    expect(new Set(slots.map((row) => `${row.mode} ${row.day} ${row.stream} ${row.slot}`)).size).toBe(120);
    // Without gaps: 80 real tenders fill eight streams of the first day, 40 test tenders four.
    expect(slots.every(({ day }) => day === '2017-02-16')).toBe(true);
    expect(Math.max(...slots.filter(({ mode }) => mode === 'real').map(({ stream }) => stream ?? 0))).toBe(8);
    expect(Math.max(...slots.filter(({ mode }) => mode === 'test').map(({ stream }) => stream ?? 0))).toBe(4);
  });

  it('cannot store a slot twice: unique constraint', async () => {
    await planner.deliver([tender('a')]);
    const insertAgain = `INSERT INTO auction_slot (tender_id, lot_id, mode, day, stream, slot, planned_start)
      SELECT 'b', lot_id, mode, day, stream, slot, planned_start FROM auction_slot`;
    await expect(planner.anotherPool().query(insertAgain)).rejects.toMatchObject({ code: '23505' });
  });
});

describe('tender.changed: settings', () => {
  it('apply hours, streams and the random part', async () => {
    const env = {
      AUCTION_DAY_START: '09:00',
      AUCTION_DAY_END: '10:00',
      AUCTION_STREAMS: '2',
      AUCTION_RANDOM_SECONDS: '1799',
    };
    const small = await startPlanner(env);
    try {
      await small.deliver(['a', 'b', 'c', 'd', 'e'].map((id) => tender(id)));
      const slots = await small.slots();
      expect(slots.map(({ day, stream, slot }) => `${day} ${stream} ${slot}`)).toEqual([
        '2017-02-16 1 09:00',
        '2017-02-16 1 09:30',
        '2017-02-16 2 09:00',
        '2017-02-16 2 09:30',
        '2017-02-17 1 09:00',
      ]);
      expect((await small.publishedPlans())[0]?.startDate).toMatch(/^2017-02-16T09:[012]\d/);
    } finally {
      await small.close();
    }
  });

  it('apply the days off of the calendar file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'procurement-calendar-'));
    const file = join(folder, 'calendar.json');
    writeFileSync(file, '{"daysOff": ["2017-02-16", "2017-02-17"]}');
    const withHolidays = await startPlanner({ CALENDAR_FILE: file });
    try {
      await withHolidays.deliver([tender('a')]);
      expect((await withHolidays.publishedPlans())[0]?.startDate).toBe('2017-02-20T11:00:00+02:00');
    } finally {
      await withHolidays.close();
      rmSync(folder, { recursive: true });
    }
  });
});
