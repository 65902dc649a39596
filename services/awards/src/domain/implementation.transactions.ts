import { admitWrite } from '@procurement/domain/admission';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { implementationApi } from '@procurement/contracts/api/implementation.api';
import { invalid, problem } from '@procurement/contracts/problems/problems';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import type { StoredTransaction } from '@procurement/contracts/resources/transaction';
import type { Decision } from '@procurement/domain/decision';
import { ownerOfContract, roleInContract } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, PutTransaction } from './awarding.ts';
import { withImplementation } from './implementation.ts';
import { contractStatusRefusal } from './implementation.view.ts';

const TRANSACTION_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** The words of the treasury. Any other status is kept as it was sent (contracting.md 7). */
const STATUS_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['0', 'successful'],
  ['-1', 'canceled'],
]);

/** What a report of a new payment may set. */
export const TRANSACTION_MEMBERS = ['date', 'value', 'payer', 'payee', 'status'] as const;

/** Statuses of a contract that takes payments. */
export const PAID_IN: readonly string[] = ['active', 'terminated'];

/** Groups that report payments beside the owner of the contract. */
export const PAYMENT_GROUPS: ReadonlySet<string> = new Set(['bots', 'admins']);

/**
 * Reports a payment, or the outcome of a known one: of that only the status is taken, so a sender may repeat as often as it likes.
 * The treasury reports late, so a terminated contract takes payments too.
 */
export function putTransaction(
  awarding: Awarding,
  { contractId, id, body, meta }: PutTransaction,
): Decision<AwardingEvent> {
  const stored = awarding.contracts.find((contract) => contract.id === contractId);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'contract' }) };
  if (!TRANSACTION_ID.test(id)) return { refused: problem('object.not-found', { kind: 'transaction' }) };
  const { actor } = meta;
  const mayPay = PAYMENT_GROUPS.has(actor.group) || roleInContract(awarding, contractId, actor) === 'tender_owner';
  const admission = admitWrite(body, actor, mayPay, { owned: { owner: ownerOfContract(awarding, contractId) } });
  if ('refused' in admission) return admission;
  const reading = parseWith(implementationApi.putContractTransaction.body, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const refused = contractStatusRefusal('transaction.update-status', stored, PAID_IN);
  if (refused !== undefined) return { refused };
  const { date, value, payer, payee, status: code } = reading.value;
  const status = STATUS_OF_CODE.get(code) ?? code;
  const known = transactionsOf(stored);
  const transactions = known.some((one) => one.id === id)
    ? known.map((one) => (one.id === id ? { ...one, status } : one))
    : [...known, { id, date, value, payer, payee, status }];
  return withImplementation(awarding, stored, { transactions });
}

/** The payments of a contract, in order of their first report. */
export function transactionsOf({ implementation }: StoredContract): readonly StoredTransaction[] {
  return implementation?.transactions ?? [];
}
