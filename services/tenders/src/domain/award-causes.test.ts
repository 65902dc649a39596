import type { ContractRecord } from '@procurement/contracts/resources/award-facts';
import { describe, expect, it } from 'vitest';
import { awardCauses } from './award-causes.ts';

const award = { id: 'a', status: 'active', date: '2026-03-02T10:00:00+02:00' };
const pending: ContractRecord = { id: 'c', awardID: 'a', status: 'pending', value: { amount: 400 } };
const signed: ContractRecord = { ...pending, status: 'active', value: { amount: 380 } };
const followed = (implementation: object): ContractRecord => ({
  ...signed,
  implementation: { status: 'active', ...implementation },
});
const paid = followed({ transactions: [{ id: '1', status: 'canceled' }] });
const facts = (...contracts: ContractRecord[]) => ({ awards: [award], contracts });
const listCauses = (before: ContractRecord, after: ContractRecord) => [...awardCauses(facts(before), facts(after))];

describe('awardCauses (contracting.md 9.5)', () => {
  it.each<[string, ContractRecord, ContractRecord, readonly string[]]>([
    ['nothing', signed, { ...signed }, []],
    ['a pending contract', pending, { ...pending, title: 'x' }, ['awards.changed']],
    ['a cancelled contract', pending, { ...pending, status: 'cancelled' }, ['awards.changed']],
    ['a signature', pending, signed, ['contract.signed']],
    ['a change', signed, followed({ changes: [{ id: 'g' }] }), ['contract.changed']],
    ['another value', signed, followed({ value: { amount: 395 } }), ['contract.changed']],
    ['a payment', signed, paid, ['contract.paid']],
    [
      'another status of a payment',
      paid,
      followed({ transactions: [{ id: '1', status: 'successful' }] }),
      ['contract.paid'],
    ],
    ['the first act without effect on the terms', signed, followed({}), []],
    ['amountPaid', signed, followed({ amountPaid: { amount: 1 } }), ['contract.paid']],
    [
      'a termination with what was paid',
      paid,
      followed({
        status: 'terminated',
        date: 'x',
        amountPaid: { amount: 1 },
        transactions: paid.implementation?.['transactions'],
      }),
      ['contract.paid', 'contract.terminated'],
    ],
    [
      'acts of which only the last is told',
      pending,
      followed({ title: 'x', amountPaid: { amount: 1 }, status: 'terminated' }),
      ['contract.signed', 'contract.changed', 'contract.paid', 'contract.terminated'],
    ],
  ])('%s', (_what, before, after, causes) => expect(listCauses(before, after)).toEqual(causes));

  it('tells of awards beside contracts', () => {
    const other = { ...facts(signed), awards: [award, { ...award, id: 'b' }] };
    expect([...awardCauses(facts(pending), other)]).toEqual(['contract.signed', 'awards.changed']);
    expect([...awardCauses(undefined, facts(pending))]).toEqual(['awards.changed']);
  });
});
