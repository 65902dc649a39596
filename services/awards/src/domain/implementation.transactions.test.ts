import { FORBIDDEN, refusalOf } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  accepted,
  addChange,
  BOT,
  changeSigned,
  PAYMENT,
  pay,
  signed,
  terminated,
} from '../../test-support/signed-contract.ts';
import type { Awarding } from './awarding.ts';

const paymentsOf = (state: Awarding) => state.contracts[0]?.implementation?.transactions;

describe('transactions of a contract (contracting.md 7)', () => {
  it.each([
    ['0', 'successful'],
    ['-1', 'canceled'],
    [0, 'successful'],
    ['held', 'held'],
  ])('a status %s is stored as %s', (sent, status) => {
    expect(paymentsOf(accepted(pay(signed, '1', { ...PAYMENT, status: sent })))).toEqual([
      { ...PAYMENT, id: '1', status },
    ]);
  });

  it('of a known payment only the status is taken, and a repeat has no event', () => {
    const once = accepted(pay(signed, '1', { ...PAYMENT, status: '-1' }));
    expect(pay(once, '1', { ...PAYMENT, status: '-1' }).events).toEqual([]);
    const other = { ...PAYMENT, value: { amount: 999 }, date: '2026-06-01' };
    expect(paymentsOf(accepted(pay(once, '1', other)))).toEqual([{ ...PAYMENT, id: '1', status: 'successful' }]);
    const { payee: _payee, ...incomplete } = PAYMENT;
    expect(refusalOf(pay(once, '1', incomplete))?.slice(0, 2)).toEqual([422, 'payee']);
  });

  it('are reported after the termination too, in order of their first report', () => {
    const state = accepted(pay(accepted(pay(accepted(pay(terminated, 'b')), 'a')), 'b'));
    expect(paymentsOf(state)?.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it.each(['', 'x'.repeat(65), 'ДКСУ-1001', 'a/b', 'a b'])('an id %j is unknown, to every caller', (id) => {
    expect(refusalOf(pay(signed, id, {}))).toEqual([404, 'transaction_id', 'Not Found']);
  });

  it.each(['A-z_0.9:', 'x'.repeat(64)])('accepts the id %s', (id) => {
    expect(pay(signed, id).refused).toBeUndefined();
  });

  it.each([
    [{ value: { amount: 1, valueAddedTaxIncluded: true } }, 'value'],
    [{ value: { amount: -1 } }, 'value'],
    [{ date: undefined }, 'date'],
    [{ status: undefined }, 'status'],
    [{ documents: [] }, 'documents'],
  ])('refuses %j', (members, name) => {
    expect(refusalOf(pay(signed, '1', { ...PAYMENT, ...members }))?.slice(0, 2)).toEqual([422, name]);
  });

  it('are all that bots may report', () => {
    expect(refusalOf(changeSigned(signed, { title: 'x' }, { actor: BOT }))).toEqual(FORBIDDEN);
    expect(refusalOf(addChange(signed, undefined, { actor: BOT }))).toEqual(FORBIDDEN);
  });
});
