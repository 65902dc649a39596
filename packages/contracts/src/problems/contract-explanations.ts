import type { contractProblems } from './contract-problems.ts';
import { byLot, byStatus, type Explanation } from './explanation.ts';

/** Explanations of the problems of contracts. */
export const contractExplanations: Readonly<Record<keyof typeof contractProblems, Explanation>> = {
  'contract.add-status': byStatus('tender', 'add contracts'),
  'contract.update-tender-status': byStatus('tender', 'change contracts'),
  'contract.update-lot': byLot('change its contract'),
  'contract.vat': {
    cause: 'Segments older than 2.5 cannot change this flag.',
    remedy: 'Leave it as it is, or use segment 2.5.',
  },
  'contract.currency': {
    cause: 'A contract has the currency of its award.',
    remedy: 'Send the currency that the contract has.',
  },
  'contract.amount': { cause: 'The amount is larger than that of the award.', remedy: 'Send at most {amount}.' },
  'contract.stand-still': {
    cause: 'Bidders may still complain about the award.',
    remedy: 'Sign it from `allowedFrom` on.',
  },
  'contract.complaints': {
    cause: 'A complaint about the tender, the lot or the award is open.',
    remedy: 'Answer the claims, and wait for the decisions on the complaints.',
  },
  'contract.update-status': byStatus('contract', 'move it to that one'),
  'contract.closed': byStatus('contract', 'change it'),
  'contract.items-list': {
    cause: 'The list would have another number of items, or an item another `id`.',
    remedy: 'Send all items in their order; `{}` leaves one as it is.',
  },
  'contract.net-tax': {
    cause: 'The amount with VAT is less than `amountNet`, or more than 1.2 times `amountNet`, rounded up to the cent.',
    remedy: 'Correct one of the two, or send `valueAddedTaxIncluded: false`.',
  },
  'contract.net-equal': {
    cause: 'The value includes no VAT, so that both amounts mean the same.',
    remedy: 'Send one amount for both, or `valueAddedTaxIncluded: true`.',
  },
  'contract.paid-currency': {
    cause: 'What was paid has the currency of the contract.',
    remedy: 'Leave the currency out.',
  },
  'contract.paid-net': {
    cause: 'More was paid, without VAT, than the contract is worth.',
    remedy: 'Change the value of the contract first, or in the same request.',
  },
  'contract.unpaid': {
    cause: 'The end of a contract says what was paid.',
    remedy: 'Send `amountPaid` in the same request; its amount may be 0.',
  },
  'contract.credentials-status': byStatus('contract', 'issue a token'),
  'ownership.contract-status': byStatus('contract', 'change its owner'),
  'change.add-status': byStatus('contract', 'add changes'),
  'change.add-another': {
    cause: 'One change may be pending at a time.',
    remedy: 'Activate the pending change, or edit it.',
  },
  'change.update-contract-status': byStatus('contract', 'edit or activate its changes'),
  'change.update-status': byStatus('change', 'edit it'),
  'change.unsigned': {
    cause: 'An active change has been signed.',
    remedy: 'Send `dateSigned` in the same request.',
  },
  'change.before-contract': {
    cause: 'The amendment would be older than its contract.',
    remedy: 'Send a date from {its} on.',
  },
  'change.before-last': {
    cause: 'Changes are signed in the order in which they are activated.',
    remedy: 'Send a date from {its} on.',
  },
  'transaction.update-status': byStatus('contract', 'report payments'),
};
