import { ACTORS } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  add,
  withCancelledLot,
  change,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  patch,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import type { TenderState } from './tender.ts';

const tender = newTender();
const LOT = { title: 'Лот', value: { amount: 300 }, minimalStep: { amount: 10 } };

function addLot(state: TenderState, data: Data = {}, options: CommandOptions = {}) {
  return add(state, 'AddLot', { ...LOT, ...data }, options);
}
function changeLot(state: TenderState, data: Data, options: CommandOptions = {}, id = LOT_1) {
  return change(state, 'ChangeLot', id, data, options);
}
function deleteLot(state: TenderState, options: CommandOptions = {}, id = LOT_2) {
  return change(state, 'DeleteLot', id, {}, options);
}

describe('AddLot (tenders.md 6.3)', () => {
  it('sets status and date, and takes currency and VAT from the tender', () => {
    const value = { amount: 300, currency: 'USD', valueAddedTaxIncluded: false };
    const { state } = addLot(tender, {
      value,
      status: 'complete',
      date: '2020-01-01',
      auctionUrl: 'http://example.org/a',
    });
    expect(state.document.lots).toEqual([
      {
        title: 'Лот',
        value: { amount: 300, currency: 'UAH', valueAddedTaxIncluded: true },
        minimalStep: { amount: 10, currency: 'UAH', valueAddedTaxIncluded: true },
        id: padId('9'),
        status: 'active',
        date: '2026-05-04T10:15:00.120034+03:00',
      },
    ]);
  });

  it('keeps the id that the client sent', () => {
    expect(addLot(tender, { id: LOT_1 }).state.document.lots?.[0]?.id).toBe(LOT_1);
  });

  it('422: another lot has the id; the error names the lots of the tender', () => {
    expect(refusalOf(addLot(tenderWithLots(), { id: LOT_1 }))).toEqual([
      422,
      'lots',
      ['Lot id should be uniq for all lots'],
    ]);
  });

  it('computes the amounts of the tender: sum, smallest step, sum of guarantees', () => {
    const one = addLot(tender, { guarantee: { amount: 5, currency: 'EUR' } }).state;
    const two = addLot(one, { value: { amount: 200.1 }, minimalStep: { amount: 7 } }, { id: '8' }).state;
    expect(two.document).toMatchObject({
      value: { amount: 500.1, currency: 'UAH' },
      minimalStep: { amount: 7 },
      guarantee: { amount: 5, currency: 'EUR' },
    });
    const cancelled = withCancelledLot(tenderWithLots(), LOT_1);
    expect(cancelled.document.value?.amount).toBe(1_000);
  });

  it.each([
    [[0.1, 0.2], 0.3],
    [[0.12345678], 0.12345678],
    [[1e-7, 2], 2.0000001],
    [[1_000_000.01, 0.005], 1_000_000.015],
  ])('adds the amounts %j without cutting or rounding (rulings R42)', (amounts, total) => {
    let state = tender;
    for (const [n, amount] of amounts.entries()) {
      state = addLot(state, { value: { amount }, minimalStep: { amount: 0 } }, { id: String(n + 1) }).state;
    }
    expect(state.document.value?.amount).toBe(total);
  });

  it.each([
    ['no title', { title: undefined }, 'title', REQUIRED],
    ['an empty title', { title: '' }, 'title', ['String value is too short.']],
    ['no value', { value: undefined }, 'value', REQUIRED],
    ['no step', { minimalStep: undefined }, 'minimalStep', REQUIRED],
    [
      'a step above the value',
      { minimalStep: { amount: 301 } },
      'minimalStep',
      ['value should be less than value of lot'],
    ],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %s', (_what, data, name, description) => {
    expect(addLot(tender, data).refused?.errors).toEqual([{ location: 'body', name, description }]);
  });

  it('422: guarantees in different currencies', () => {
    const one = addLot(tender, { guarantee: { amount: 5, currency: 'EUR' } }).state;
    const other = addLot(one, { guarantee: { amount: 5, currency: 'USD' } }, { id: '8' });
    // Stored lots all have the currency of the first, so the sent lots are compared.
    expect([refusalOf(other), other.state.document.lots?.length]).toEqual([
      [422, 'lots', ['lot guarantee currency should be identical to tender guarantee currency']],
      1,
    ]);
  });
});

describe('ChangeLot (tenders.md 6.3)', () => {
  it('changes the editable members and ignores the others', () => {
    const data = { title: 'Інший', value: { amount: 600, currency: 'USD' }, status: 'complete', date: '2020-01-01' };
    const { state } = changeLot(tenderWithLots(), data, { now: hours(1) });
    expect(state.document.lots?.[0]).toMatchObject({
      title: 'Інший',
      value: { amount: 600, currency: 'UAH' },
      status: 'active',
      date: '2026-05-04T10:15:00.120034+03:00',
    });
    expect(state.document.value?.amount).toBe(1_100);
  });

  it.each([{}, { title: 'x' }, { value: { currency: 'USD' } }, { status: 'cancelled' }])(
    'stores nothing for %j',
    (data) => {
      expect(changeLot(tenderWithLots(), data).events).toEqual([]);
    },
  );

  it('422: validates the merged lot', () => {
    expect(refusalOf(changeLot(tenderWithLots(), { value: { amount: 1 } }))).toEqual([
      422,
      'minimalStep',
      ['value should be less than value of lot'],
    ]);
  });

  it('404: the lot does not exist', () => {
    expect(refusalOf(changeLot(tender, {}))).toEqual([404, 'lot_id', 'Not Found']);
  });
});

describe('DeleteLot (tenders.md 6.3)', () => {
  it('removes an unreferenced lot and its amounts', () => {
    const three = addLot(tenderWithLots()).state;
    const { state } = deleteLot(three, {}, padId('9'));
    expect(state.document.lots?.map((lot) => lot.id)).toEqual([LOT_1, LOT_2]);
    expect(state.document.value?.amount).toBe(1_000);
  });

  it('422: an item refers to the lot; the error names the items of the tender', () => {
    expect(refusalOf(deleteLot(tenderWithLots()))).toEqual([
      422,
      'items',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ]);
  });

  it('removes the list with its last lot', () => {
    const one = addLot(tender).state;
    expect(deleteLot(one, {}, padId('9')).state.document).not.toHaveProperty('lots', expect.anything());
  });
});

describe('AddLot, ChangeLot and DeleteLot: statuses and callers (tenders.md 1.6, 6.3)', () => {
  const commands = [
    ['add', (state: TenderState, options: CommandOptions) => addLot(state, {}, options)],
    ['update', (state: TenderState, options: CommandOptions) => changeLot(state, { title: 'y' }, options)],
    ['delete', (state: TenderState, options: CommandOptions) => deleteLot(addLot(state).state, options, padId('9'))],
  ] as const;

  it.each(commands.flatMap(([act, execute]) => STATUSES.map((status) => [act, status, execute] as const)))(
    '%s in %s',
    (act, status, execute) => {
      const base = act === 'delete' ? addLot(tenderWithLots()).state : tenderWithLots();
      const state = inStatus(base, status);
      const result = act === 'delete' ? deleteLot(state, {}, padId('9')) : execute(state, {});
      const expected =
        status === 'active.enquiries' ? undefined : `Can't ${act} lot in current (${status}) tender status`;
      expect(result.refused?.errors[0]?.description).toBe(expected);
    },
  );

  it.each(
    commands.flatMap(([act, execute]) =>
      (
        [
          ['anonymous', UNAUTHORIZED],
          ['otherBroker', FORBIDDEN],
          ['wrongBroker', FORBIDDEN],
          ['chronograph', FORBIDDEN],
          ['auction', FORBIDDEN],
          ['reviewer', FORBIDDEN],
          ['Administrator', ROLE_FORBIDDEN],
          ['admins', undefined],
        ] as const
      ).map(([who, expected]) => [act, who, expected, execute] as const),
    ),
  )('%s by %s', (_act, who, expected, execute) => {
    expect(refusalOf(execute(tenderWithLots(), { actor: ACTORS[who] }))).toEqual(expected);
  });

  it('PATCH of the tender by its owner does not change lots', () => {
    const before = tenderWithLots();
    expect(patch(before, { lots: [{ title: 'інший' }, {}] }).events).toEqual([]);
  });
});
