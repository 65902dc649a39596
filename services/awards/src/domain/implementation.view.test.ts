import { describe, expect, it } from 'vitest';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import { padId } from '@procurement/testing/ids';
import { money, NOW_TEXT } from '../../test-support/run-command.ts';
import { presentContract } from './implementation.view.ts';

const signed: StoredContract = {
  id: padId('c'),
  awardID: padId('a'),
  contractID: 'UA-2017-02-06-000001-1',
  status: 'active',
  date: NOW_TEXT,
  dateCreated: NOW_TEXT,
  title: 'Папір',
  value: money(380),
};
const account = { scheme: 'IBAN', id: 'UA213223130000026007233566001' } as const;
const transaction = {
  id: '1001',
  date: NOW_TEXT,
  value: { amount: 200, currency: 'UAH' },
  payer: { name: 'Міська рада', bankAccount: account },
  payee: { name: 'ТОВ Папір', bankAccount: account },
  status: 'successful',
};

describe('presentContract (contracting.md 2.3)', () => {
  it('is the contract itself before anything follows the signature', () => {
    expect(presentContract(signed)).toEqual(signed);
  });

  it('lays what followed over what was signed, and keeps payments apart', () => {
    const date = '2017-06-30T09:00:00.000000+03:00';
    const implementation = {
      status: 'terminated',
      date,
      value: money(395.2),
      amountPaid: money(395.2),
      transactions: [transaction],
    } as const;
    expect(presentContract({ ...signed, implementation })).toEqual({
      ...signed,
      status: 'terminated',
      date,
      value: money(395.2),
      amountPaid: money(395.2),
      implementation: { transactions: [transaction] },
    });
  });

  it('shows no member for payments that nobody has reported', () => {
    expect(presentContract({ ...signed, implementation: { status: 'active' } })).toEqual(signed);
  });
});
