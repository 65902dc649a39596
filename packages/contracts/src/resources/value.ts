import type { z } from 'zod';
import { model } from '../reading/composites.ts';
import { boolean, float, text } from '../reading/scalars.ts';

const amount = float({ min: { value: 0, printed: '0' } });

/** Any three characters: there is no list of currencies (tenders.md 5.4). */
const currency = text('identifier', { charactersMin: 3, charactersMax: 3 }).default('UAH');

/** Money, with or without VAT. */
export const Value = model('Value', { amount, currency, valueAddedTaxIncluded: boolean().default(true) }).meta({
  id: 'Value',
});
export type Value = z.infer<typeof Value>;

/** The value of a contract: `amountNet` is the amount without VAT (contracting.md 2.2). */
export const ContractValue = model('Value', { ...Value.shape, amountNet: amount.optional() }).meta({
  id: 'ContractValue',
});

/** What is paid by one transaction. */
export const TransactionValue = model('Value', { amount, currency }).meta({ id: 'TransactionValue' });

/** The deposit that a bidder must provide. */
export const Guarantee = model('Guarantee', { amount, currency }).meta({ id: 'Guarantee' });
export type Guarantee = z.infer<typeof Guarantee>;
