import { z } from 'zod';
import { StandaloneContract } from '../resources/contract.ts';
import { ContractChange, ContractChangeInput } from '../resources/contract-change.ts';
import { Transaction, TransactionInput } from '../resources/transaction.ts';
import type { RouteContract } from './route.ts';

/** What follows the signature of a contract is shown on this segment only (rulings R43). */
const segments = ['2.5'] as const;
const changes = '/contracts/:contract_id/changes';
const transactions = '/contracts/:contract_id/transactions';

/** Changes of signed contracts (contracting.md 5), and payments (7). */
export const implementationApi = {
  listContractChanges: {
    name: 'listContractChanges',
    method: 'GET',
    path: changes,
    owner: 'awards',
    spore: 'get_collection_contract changes',
    summary: 'Changes of a contract',
    description: 'All changes of one contract in order of creation, also the pending one.',
    segments,
    responses: { 200: z.array(ContractChange) },
  },
  createContractChange: {
    name: 'createContractChange',
    method: 'POST',
    path: changes,
    owner: 'awards',
    spore: 'post_collection_contract changes',
    summary: 'Add a change of a signed contract',
    description:
      'Announces an amendment with its reasons. It is `pending` until a PATCH activates it; one may be pending at a time. The present terms are set by a PATCH of the contract.',
    segments,
    body: ContractChangeInput,
    responses: { 201: ContractChange },
  },
  getContractChange: {
    name: 'getContractChange',
    method: 'GET',
    path: `${changes}/:change_id`,
    owner: 'awards',
    spore: 'get_contract changes',
    summary: 'A change of a contract',
    description: 'One change of a contract.',
    segments,
    responses: { 200: ContractChange },
  },
  patchContractChange: {
    name: 'patchContractChange',
    method: 'PATCH',
    path: `${changes}/:change_id`,
    owner: 'awards',
    spore: 'patch_contract changes',
    summary: 'Edit or activate a pending change',
    description:
      '`status` active closes it; it needs `dateSigned`, which is not before that of the contract and of the last active change.',
    segments,
    body: ContractChangeInput,
    responses: { 200: ContractChange },
  },
  putContractTransaction: {
    name: 'putContractTransaction',
    method: 'PUT',
    path: `${transactions}/:transaction_id`,
    owner: 'awards',
    spore: 'put_contract transactions',
    summary: 'Report a payment under a contract',
    description:
      'Adds the payment, or changes its status: of a known one the other members are ignored, so a report may be repeated. The sender chooses the identifier: 1 to 64 of letters, digits, `.`, `_`, `:` and `-`.',
    segments,
    body: TransactionInput,
    responses: { 200: StandaloneContract },
  },
  getContractTransaction: {
    name: 'getContractTransaction',
    method: 'GET',
    path: `${transactions}/:transaction_id`,
    owner: 'awards',
    spore: 'get_contract transactions',
    summary: 'A payment under a contract',
    description: 'One payment with its parties, their accounts and its status.',
    segments,
    responses: { 200: Transaction },
  },
} as const satisfies Record<string, RouteContract>;
