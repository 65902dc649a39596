import { z } from 'zod';
import {
  Contract,
  ContractInput,
  ContractPatch,
  EarlyContractInput,
  EarlyContractPatch,
  StandaloneContract,
  StandaloneContractPatch,
} from '../resources/contract.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/contracts';

/** Contracts inside a tender (bids-awards-auction.md 4), and at their own paths (clients.md). */
export const contractsApi = {
  listContracts: {
    name: 'listContracts',
    method: 'GET',
    path: collection,
    owner: 'awards',
    spore: 'get_collection_tender contracts',
    summary: 'Contracts of a tender',
    description: 'All contracts. The service creates a pending contract when an award becomes active.',
    segments,
    responses: { 200: z.array(Contract) },
  },
  createContract: {
    name: 'createContract',
    method: 'POST',
    path: collection,
    owner: 'awards',
    spore: 'post_collection_tender contracts',
    summary: 'Add a contract',
    description: 'For administrators only: a pending contract of an award.',
    segments,
    body: ContractInput,
    bodyBySegment: { '2.3': EarlyContractInput, '0': EarlyContractInput },
    responses: { 201: Contract },
  },
  getContract: {
    name: 'getContract',
    method: 'GET',
    path: `${collection}/:contract_id`,
    owner: 'awards',
    spore: 'get_tender contracts',
    summary: 'A contract of a tender',
    description: 'One contract with its value, suppliers and items.',
    segments,
    responses: { 200: Contract },
  },
  patchContract: {
    name: 'patchContract',
    method: 'PATCH',
    path: `${collection}/:contract_id`,
    owner: 'awards',
    spore: 'patch_tender contracts',
    summary: 'Change a contract, or sign it',
    description:
      'The owner of the tender sets number, texts, period, value (not above the award) and `dateSigned`. `status` active signs it, after the stand-still period and when no complaint blocks.',
    segments,
    body: ContractPatch,
    bodyBySegment: { '2.3': EarlyContractPatch, '0': EarlyContractPatch },
    responses: { 200: Contract },
  },
  getStandaloneContract: {
    name: 'getStandaloneContract',
    method: 'GET',
    path: '/contracts/:contract_id',
    owner: 'awards',
    spore: 'get_contract',
    summary: 'A contract, by its own address',
    description: 'The contract with the identifier and the owner of its tender.',
    segments: ['2.5', '2.3'],
    responses: { 200: StandaloneContract },
  },
  patchStandaloneContract: {
    name: 'patchStandaloneContract',
    method: 'PATCH',
    path: '/contracts/:contract_id',
    owner: 'awards',
    spore: 'patch_contract',
    summary: 'Sign a contract, change it afterwards, or end it',
    description:
      'Before the signature the same as the PATCH inside the tender. After it the owner of the contract sets texts, period, value, items and `amountPaid`; `status` terminated ends the contract, and needs `amountPaid`.',
    segments: ['2.5'],
    body: StandaloneContractPatch,
    responses: { 200: StandaloneContract },
  },
  patchContractCredentials: {
    name: 'patchContractCredentials',
    method: 'PATCH',
    path: '/contracts/:contract_id/credentials',
    owner: 'awards',
    spore: 'patch_contract credentials',
    summary: 'Get a token for a contract',
    description:
      'The owner of the tender exchanges the token of the tender for a token of the contract. The body is not read.',
    segments: ['2.5', '2.3'],
    responses: { 200: StandaloneContract },
    access: true,
  },
} as const satisfies Record<string, RouteContract>;
