import { z } from 'zod';
import { Contract, ContractInput, ContractPatch, StandaloneContract } from '../resources/contract.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5', '2.3', '0'] as const;
const collection = '/tenders/:tender_id/contracts';

/** Contracts inside a tender (bids-awards-auction.md 4), and as resources of their own (clients.md). */
export const contractsApi = {
  listContracts: {
    name: 'listContracts',
    method: 'GET',
    path: collection,
    owner: 'awards',
    spore: 'get_collection_tender contracts',
    summary: 'Contracts of a tender',
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
    segments,
    body: ContractInput,
    responses: { 201: Contract },
  },
  getContract: {
    name: 'getContract',
    method: 'GET',
    path: `${collection}/:contract_id`,
    owner: 'awards',
    spore: 'get_tender contracts',
    summary: 'A contract of a tender',
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
    segments,
    body: ContractPatch,
    responses: { 200: Contract },
  },
  getStandaloneContract: {
    name: 'getStandaloneContract',
    method: 'GET',
    path: '/contracts/:contract_id',
    owner: 'awards',
    spore: 'get_contract',
    summary: 'A contract, by its own address',
    segments: ['2.5'],
    responses: { 200: StandaloneContract },
  },
  patchContractCredentials: {
    name: 'patchContractCredentials',
    method: 'PATCH',
    path: '/contracts/:contract_id/credentials',
    owner: 'awards',
    spore: 'patch_contract credentials',
    summary: 'Get a token for a contract, with that of its tender',
    segments: ['2.5'],
    responses: { 200: StandaloneContract },
    access: true,
  },
} as const satisfies Record<string, RouteContract>;
