import { z } from 'zod';
import { model } from '../reading/composites.ts';
import { oneOf, dateTime, hexId, text } from '../reading/scalars.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { Item } from './item.ts';
import { multilingual } from './multilingual.ts';
import { BusinessOrganization } from './organization.ts';
import { Period } from './period.ts';
import { Value } from './value.ts';

export const CONTRACT_STATUSES = ['pending', 'terminated', 'active', 'cancelled'] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

/** Body of a PATCH (bids-awards-auction.md 4.1). Members that come from the award are read and ignored. */
export const ContractPatch = model('Contract', {
  id: text('identifier').optional(),
  awardID: text('identifier').optional(),
  contractID: text('identifier').optional(),
  contractNumber: text('identifier').optional(),
  ...multilingual('title', 'title'),
  ...multilingual('description', 'description'),
  status: oneOf(CONTRACT_STATUSES).optional(),
  value: Value.optional(),
  period: Period.optional(),
  dateSigned: dateTime().optional(),
  date: dateTime().optional(),
  items: ignoredMember,
  suppliers: ignoredMember,
  documents: ignoredMember,
}).meta({ id: 'ContractPatch' });
export type ContractPatch = z.infer<typeof ContractPatch>;

/** Body of a POST, by an administrator of the service (4.2). */
export const ContractInput = model('Contract', { ...ContractPatch.shape, awardID: text('identifier') }).meta({
  id: 'ContractInput',
});

/** A stored contract. All members are public. Items and suppliers are copies, made when the contract was created. */
export interface StoredContract extends Omit<
  ContractPatch,
  'id' | 'awardID' | 'contractID' | 'status' | 'date' | 'items' | 'suppliers' | 'documents'
> {
  readonly id: string;
  readonly awardID: string;
  readonly contractID: string;
  readonly status: ContractStatus;
  readonly date: string;
  readonly items?: readonly unknown[] | undefined;
  readonly suppliers?: readonly unknown[] | undefined;
}

/** A contract in answers. */
export const Contract = model('Contract', {
  ...ContractPatch.shape,
  id: hexId(),
  awardID: hexId(),
  contractID: text('identifier'),
  status: oneOf(CONTRACT_STATUSES),
  date: dateTime(),
  items: z.array(Item).optional(),
  suppliers: z.array(BusinessOrganization).optional(),
  documents: z.array(Document).optional(),
}).meta({ id: 'Contract' });

/** A contract at its own path, with its tender and the owner (clients.md). */
export const StandaloneContract = model('Contract', {
  ...Contract.shape,
  tender_id: hexId(),
  owner: text('identifier'),
}).meta({
  id: 'StandaloneContract',
});
