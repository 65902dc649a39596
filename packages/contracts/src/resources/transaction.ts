import type { z } from 'zod';
import { model } from '../reading/composites.ts';
import { dateTime, oneOf, text } from '../reading/scalars.ts';
import { TransactionValue } from './value.ts';

const BankAccount = model('BankAccount', { scheme: oneOf(['IBAN']), id: text('identifier') }).meta({
  id: 'BankAccount',
});

/** Who pays, or is paid. */
const TransactionParty = model('TransactionParty', { name: text('name'), bankAccount: BankAccount }).meta({
  id: 'TransactionParty',
});

/** Body of PUT: a payment under a contract, as the treasury reports it (contracting.md 7). */
export const TransactionInput = model('Transaction', {
  id: text('identifier').optional(),
  date: dateTime(),
  value: TransactionValue,
  payer: TransactionParty,
  payee: TransactionParty,
  /** `0`: the payment was made; `-1`: it was not. Other words are kept. */
  status: text('identifier'),
}).meta({ id: 'TransactionInput' });

/** A payment, as it is stored and shown. Its identifier is that of the path. */
export const Transaction = model('Transaction', { ...TransactionInput.shape, id: text('identifier') }).meta({
  id: 'Transaction',
});
export type StoredTransaction = z.infer<typeof Transaction>;
