import { ACTORS, type ActorName } from '@procurement/testing/actors';
import { FORBIDDEN, refusalOf, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import { CONTRACT_STATUSES, type ContractStatus } from '@procurement/contracts/resources/contract';
import { money, withTender, type Data } from '../../test-support/run-command.ts';
import {
  accepted,
  addChange,
  changeSigned,
  FULL_ITEMS,
  LATER_TEXT,
  pay,
  pending,
  signed,
  terminated,
  withActive,
} from '../../test-support/signed-contract.ts';
import type { Awarding } from './awarding.ts';
import { differsByTax } from './implementation.amounts.ts';

const contractOf = (state: Awarding) => state.contracts[0];
const implementationOf = (state: Awarding) => contractOf(state)?.implementation;
const changed = (data: Data, state = signed): Awarding => accepted(changeSigned(state, data));

describe('differsByTax (contracting.md 4.3)', () => {
  it.each<[number, number, boolean]>([
    [395.2, 329.34, true],
    [120, 100, true],
    [120.01, 100, false],
    [100, 100, true],
    [99.99, 100, false],
    // 1.2 times 0.01 is 0.012, rounded up to 0.02.
    [0.02, 0.01, true],
    [0.03, 0.01, false],
    // In binary fractions 1.2 times 0.1 is less than 0.12.
    [0.12, 0.1, true],
    [0, 0, true],
    [1e-7, 1e-7, true],
    [1.2e20, 1e20, true],
    [1.3e20, 1e20, false],
  ])('%d with VAT, %d without: %s', (amount, net, fits) => expect(differsByTax(amount, net)).toBe(fits));
});

describe('PATCH of a signed contract (contracting.md 4)', () => {
  it('stores what differs from what was signed, and leaves the signed members alone', () => {
    const state = changed({ value: { amount: 395.2, amountNet: 329.34 }, title: 'Папір' });
    const { implementation, ...own } = contractOf(state) ?? {};
    expect(own).toEqual(contractOf(signed));
    expect(implementation).toEqual({
      status: 'active',
      title: 'Папір',
      value: { ...money(395.2), amountNet: 329.34 },
    });
  });

  it('takes a difference back by null, or by the value that was signed', () => {
    const state = changed({
      value: { amount: 395.2 },
      title: 'Папір',
      terminationDetails: 'x',
      amountPaid: { amount: 1 },
    });
    expect(implementationOf(changed({ value: { amount: 380 }, title: null }, state))).toEqual({
      status: 'active',
      terminationDetails: 'x',
      amountPaid: money(1),
    });
    const back = { value: null, title: null, terminationDetails: null, amountPaid: null };
    expect(implementationOf(changed(back, state))).toEqual({ status: 'active' });
  });

  it('has no event when nothing changes', () => {
    expect(changeSigned(signed, {}).events).toEqual([]);
    expect(changeSigned(signed, { value: { amount: 380 }, period: null }).events).toEqual([]);
    const state = changed({ title: 'x' });
    expect(changeSigned(state, { title: 'x', status: 'active' }).events).toEqual([]);
  });

  it('changes of items what may change, by position, and ignores the rest', () => {
    const unit = { code: 'KGM', name: 'кг' };
    const sent = { quantity: 7, unit, relatedLot: 'f'.repeat(32), classification: { id: '44617100-8' } };
    const state = changed({ items: [sent] });
    expect(implementationOf(state)?.items).toEqual([{ ...FULL_ITEMS[0], quantity: 7, unit }]);
    expect(implementationOf(changed({ items: [{ quantity: 5, unit: null }] }, state))).toEqual({ status: 'active' });
    expect(refusalOf(changeSigned(signed, { items: [{ id: 'other' }] }))?.[2]).toBe("Can't change items list length");
  });

  it('ignores other known members, and refuses unknown ones', () => {
    const ignored = {
      contractNumber: '9',
      dateSigned: '2020-01-01',
      suppliers: 'x',
      documents: 1,
      changes: [{}],
      implementation: {},
      tender_id: 'x',
      owner: 'x',
      mode: 'x',
      dateCreated: '2020-01-01',
      dateModified: 'x',
      procuringEntity: 'x',
      buyer: 'x',
    };
    expect(changeSigned(signed, ignored)).toMatchObject({ refused: undefined, events: [] });
    expect(refusalOf(changeSigned(signed, { ...ignored, contractTemplateName: 'x' }))).toEqual([
      422,
      'contractTemplateName',
      'Rogue field',
    ]);
  });

  it('gives what was paid the currency and the VAT flag of the contract', () => {
    const paid = changed({ amountPaid: { amount: 5 }, value: { valueAddedTaxIncluded: false } });
    expect(implementationOf(paid)?.amountPaid).toEqual({ ...money(5), valueAddedTaxIncluded: false });
    const own = changed({ amountPaid: { amount: 5, valueAddedTaxIncluded: false } });
    expect(implementationOf(own)?.amountPaid).toEqual({ ...money(5), valueAddedTaxIncluded: false });
    expect(
      implementationOf(changed({ value: { valueAddedTaxIncluded: false } }, changed({ amountPaid: { amount: 5 } }))),
    ).toMatchObject({
      amountPaid: money(5),
    });
  });

  it.each<[Data, unknown]>([
    [{ amountPaid: { amount: 120.01, amountNet: 100 } }, 'differ by no more than 20.0%'],
    [{ amountPaid: { amount: 5, amountNet: 4, valueAddedTaxIncluded: false } }, 'Amount and amountNet should be equal'],
    [
      { value: { amount: 120, amountNet: 100 }, amountPaid: { amount: 121, amountNet: 101 } },
      'AmountPaid amountNet can`t be greater than value amountNet',
    ],
  ])('refuses amounts of %j', (data, text) => {
    const { errors } = changeSigned(signed, data).refused ?? {};
    expect(errors).toMatchObject([{ name: 'amountPaid', description: expect.stringContaining(String(text)) }]);
  });

  it.each(['value', 'amountPaid'])('refuses a negative %s', (name) => {
    expect(refusalOf(changeSigned(signed, { [name]: { amount: -1 } }))?.slice(0, 2)).toEqual([422, name]);
  });

  it('makes its checks in the order of the table', () => {
    const wrong: Data = {
      period: { startDate: '2026-12-31', endDate: '2026-04-01' },
      items: [{ id: 'other' }],
      value: { currency: 'USD', amount: 380, amountNet: 1 },
      amountPaid: { amount: 9, amountNet: 1 },
      status: 'pending',
    };
    const { period: _period, ...afterModel } = wrong;
    const { items: _items, ...afterItems } = afterModel;
    const value = { amount: 380, amountNet: 1 };
    const texts = [
      refusalOf(changeSigned(terminated, wrong)),
      refusalOf(changeSigned(terminated, afterModel)),
      refusalOf(changeSigned(signed, afterModel)),
      refusalOf(changeSigned(signed, afterItems)),
      refusalOf(changeSigned(signed, { ...afterItems, value })),
      refusalOf(changeSigned(signed, { ...afterItems, value: null })),
      refusalOf(changeSigned(signed, { status: 'pending' })),
    ].map((refusal) => refusal?.slice(0, 2));
    expect(texts).toEqual([
      [422, 'period'],
      [403, 'data'],
      [403, 'data'],
      [403, 'data'],
      [403, 'value'],
      [403, 'amountPaid'],
      [403, 'data'],
    ]);
  });

  it('terminates with what was paid, and dates it; a repeat has no effect', () => {
    const data = { status: 'terminated', amountPaid: { amount: 395.2 }, terminationDetails: 'Виконано частково' };
    const state = changed(data);
    expect(contractOf(state)?.status).toBe('active');
    expect(implementationOf(state)).toEqual({
      status: 'terminated',
      date: LATER_TEXT,
      amountPaid: money(395.2),
      terminationDetails: 'Виконано частково',
    });
    expect(changeSigned(state, data)).toMatchObject({ refused: undefined, events: [] });
    expect(refusalOf(changeSigned(state, { status: 'active' }))?.[2]).toBe(
      "Can't update contract in current (terminated) status",
    );
  });

  it('terminates beside a pending change, and with what was paid before', () => {
    const state = changed({ amountPaid: { amount: 0 } }, accepted(addChange(signed)));
    expect(implementationOf(changed({ status: 'terminated' }, state))).toMatchObject({
      status: 'terminated',
      changes: [{ status: 'pending' }],
    });
  });

  it('keeps changes and payments', () => {
    const state = accepted(pay(withActive, '1001'));
    expect(implementationOf(changed({ title: 'x' }, state))).toEqual({ ...implementationOf(state), title: 'x' });
  });

  it.each(CONTRACT_STATUSES)('decides a contract in status %s by its own rules, whatever the tender is', (status) => {
    const of = (one: ContractStatus): Awarding =>
      one === 'terminated'
        ? terminated
        : { ...pending, contracts: pending.contracts.map((contract) => ({ ...contract, status: one })) };
    const state = withTender(of(status), { status: 'cancelled' });
    const text = refusalOf(changeSigned(state, { title: 'x' }))?.[2];
    const expected = {
      active: undefined,
      pending: "Can't update contract in current (cancelled) tender status",
      cancelled: "Can't update contract in current (cancelled) status",
      terminated: "Can't update contract in current (terminated) status",
    };
    expect(text).toEqual(expected[status]);
  });

  it('before the signature ignores what only a signed contract has', () => {
    const sent = { title: 'x', amountPaid: 'x', terminationDetails: 5, items: [{}], owner: 'x', mode: 1 };
    expect(contractOf(changed(sent, pending))).toEqual({ ...contractOf(pending), title: 'x' });
    expect(refusalOf(changeSigned(pending, { buyers: 1 }))).toEqual([422, 'buyers', 'Rogue field']);
  });

  it.each<[ActorName, readonly unknown[] | undefined]>([
    ['owner', undefined],
    ['admins', undefined],
    ['Administrator', FORBIDDEN],
    ['chronograph', FORBIDDEN],
    ['otherBroker', FORBIDDEN],
    ['wrongBroker', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('by %s', (name, expected) => {
    expect(refusalOf(changeSigned(signed, { title: 'x' }, { actor: ACTORS[name] }))).toEqual(expected);
    expect(refusalOf(addChange(signed, undefined, { actor: ACTORS[name] }))).toEqual(expected);
    expect(refusalOf(pay(signed, '1', undefined, { actor: ACTORS[name] }))).toEqual(expected);
  });
});
