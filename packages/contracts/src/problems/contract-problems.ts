import { lotProblem, stateProblem } from './state-problem.ts';

/** 403: an amount of `value` or `amountPaid` does not fit the others. */
function amountProblem<const N extends string, const D extends string>(name: N, description: D) {
  return { status: 403, location: 'body', name, description } as const;
}

/**
 * Problems of contracts: before their signature bids-awards-auction.md 4.3, after it contracting.md 4.3, 5, 7, 8. `problems.ts` checks
 * the shape of these rows.
 */
export const contractProblems = {
  'contract.add-status': stateProblem("Can't add contract in current ({status}) tender status"),
  'contract.update-tender-status': stateProblem("Can't update contract in current ({status}) tender status"),
  'contract.update-lot': lotProblem('Can update contract only in active lot status'),
  'contract.vat': {
    ...stateProblem("Can't update valueAddedTaxIncluded for contract value"),
    pointer: '/data/value/valueAddedTaxIncluded',
  },
  'contract.currency': {
    ...stateProblem("Can't update currency for contract value"),
    pointer: '/data/value/currency',
  },
  'contract.amount': {
    ...stateProblem('Value amount should be less or equal to awarded amount ({amount})'),
    pointer: '/data/value/amount',
  },
  'contract.stand-still': stateProblem("Can't sign contract before stand-still period end ({endDate})"),
  'contract.complaints': stateProblem("Can't sign contract before reviewing all complaints"),
  'contract.update-status': { ...stateProblem("Can't update contract status"), pointer: '/data/status' },
  'contract.closed': stateProblem("Can't update contract in current ({status}) status"),
  'contract.items-list': { ...stateProblem("Can't change items list length"), pointer: '/data/items' },
  'contract.net-tax': amountProblem(
    '{member}',
    'Amount should be equal or greater than amountNet and differ by no more than 20.0%',
  ),
  'contract.net-equal': amountProblem('{member}', 'Amount and amountNet should be equal'),
  'contract.paid-currency': {
    ...amountProblem('amountPaid', 'currency of amountPaid should be identical to currency of value of contract'),
    pointer: '/data/amountPaid/currency',
  },
  'contract.paid-net': {
    ...amountProblem('amountPaid', 'AmountPaid amountNet can`t be greater than value amountNet'),
    pointer: '/data/amountPaid/amountNet',
  },
  'contract.unpaid': stateProblem("Can't terminate contract while 'amountPaid' is not set"),
  'contract.credentials-status': stateProblem("Can't generate credentials in current ({status}) contract status"),
  'ownership.contract-status': stateProblem("Can't update credentials in current ({status}) contract status"),
  'change.add-status': stateProblem("Can't add contract change in current ({status}) contract status"),
  'change.add-another': stateProblem("Can't create new contract change while any (pending) change exists"),
  'change.update-contract-status': stateProblem("Can't update contract change in current ({status}) contract status"),
  'change.update-status': stateProblem("Can't update contract change in current ({status}) status"),
  'change.unsigned': {
    ...stateProblem("Can't update contract change status. 'dateSigned' is required."),
    pointer: '/data/dateSigned',
  },
  'change.before-contract': {
    ...stateProblem("Change dateSigned ({sent}) can't be earlier than contract dateSigned ({its})"),
    pointer: '/data/dateSigned',
  },
  'change.before-last': {
    ...stateProblem("Change dateSigned ({sent}) can't be earlier than last active change dateSigned ({its})"),
    pointer: '/data/dateSigned',
  },
  'transaction.update-status': stateProblem("Can't update transaction in current ({status}) contract status"),
} as const;
