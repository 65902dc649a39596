import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { oneOf, dateTime, hexId, text } from '../reading/scalars.ts';
import { ContractChange, type StoredContractChange } from './contract-change.ts';
import { Document } from './document.ts';
import { ignoredMember } from './ignored-member.ts';
import { Item } from './item.ts';
import { multilingual } from './multilingual.ts';
import { BusinessOrganization, Buyer, ProcuringEntity } from './organization.ts';
import { Period } from './period.ts';
import { Transaction, type StoredTransaction } from './transaction.ts';
import { ContractValue, Value } from './value.ts';

export const CONTRACT_STATUSES = ['pending', 'terminated', 'active', 'cancelled'] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

const titleAndDescription = { ...multilingual('title', 'title'), ...multilingual('description', 'description') };

/**
 * Body of a PATCH in segments older than 2.5 (bids-awards-auction.md 4.1). Members that come from the award are read and ignored.
 */
export const EarlyContractPatch = model('Contract', {
  id: text('identifier').optional(),
  awardID: text('identifier').optional(),
  contractID: text('identifier').optional(),
  contractNumber: text('identifier').optional(),
  ...titleAndDescription,
  status: oneOf(CONTRACT_STATUSES).optional(),
  value: Value.optional(),
  period: Period.optional(),
  dateSigned: dateTime().optional(),
  date: dateTime().optional(),
  items: ignoredMember,
  suppliers: ignoredMember,
  documents: ignoredMember,
}).meta({ id: 'EarlyContractPatch' });

/** Body of a PATCH inside a tender. What follows the signature is read and ignored here (contracting.md 10.1). */
export const ContractPatch = model('Contract', {
  ...EarlyContractPatch.shape,
  value: ContractValue.optional(),
  dateCreated: dateTime().optional(),
  implementation: ignoredMember,
}).meta({ id: 'ContractPatch' });
export type ContractPatch = z.infer<typeof ContractPatch>;

/** Body of a PATCH at the contract's own address. What may change depends on its status (contracting.md 4). */
export const StandaloneContractPatch = model('Contract', {
  ...ContractPatch.shape,
  items: list('items', Item, { min: 1 }).optional(),
  amountPaid: ContractValue.optional(),
  terminationDetails: text('description').optional(),
  changes: ignoredMember,
  tender_id: ignoredMember,
  owner: ignoredMember,
  mode: ignoredMember,
  dateModified: ignoredMember,
  procuringEntity: ignoredMember,
  buyer: ignoredMember,
}).meta({ id: 'StandaloneContractPatch' });
export type StandaloneContractPatch = z.infer<typeof StandaloneContractPatch>;

/** Body of a POST in segments older than 2.5. */
export const EarlyContractInput = model('Contract', {
  ...EarlyContractPatch.shape,
  awardID: text('identifier'),
}).meta({ id: 'EarlyContractInput' });

/** Body of a POST, by an administrator of the service (4.2). */
export const ContractInput = model('Contract', { ...ContractPatch.shape, awardID: text('identifier') }).meta({
  id: 'ContractInput',
});

/**
 * What happened to a contract after its signature (contracting.md 2.3). A member of the signed contract stands here only while it
 * differs from what was signed.
 */
export interface StoredImplementation extends Pick<
  StandaloneContractPatch,
  | 'title'
  | 'title_en'
  | 'title_ru'
  | 'description'
  | 'description_en'
  | 'description_ru'
  | 'value'
  | 'period'
  | 'amountPaid'
  | 'terminationDetails'
> {
  readonly status: 'active' | 'terminated';
  /** The moment of the termination. */
  readonly date?: string | undefined;
  readonly items?: readonly unknown[] | undefined;
  /** The changes in order of creation. */
  readonly changes?: readonly StoredContractChange[] | undefined;
  /** The payments in order of their first report. */
  readonly transactions?: readonly StoredTransaction[] | undefined;
}

/** A stored contract. All members are public. Items and suppliers are copies, made when the contract was created. */
export interface StoredContract extends Omit<
  ContractPatch,
  | 'id'
  | 'awardID'
  | 'contractID'
  | 'status'
  | 'date'
  | 'dateCreated'
  | 'items'
  | 'suppliers'
  | 'documents'
  | 'implementation'
> {
  readonly id: string;
  readonly awardID: string;
  readonly contractID: string;
  /** Stays `active` after the termination, which is the status of `implementation`. */
  readonly status: ContractStatus;
  readonly date: string;
  readonly dateCreated: string;
  readonly items?: readonly unknown[] | undefined;
  readonly suppliers?: readonly unknown[] | undefined;
  /** Present from the first act after the signature on. */
  readonly implementation?: StoredImplementation | undefined;
}

const Transactions = z.array(Transaction);

/** What happened after the signature, as a tender shows it. */
const ContractImplementation = model('Implementation', {
  status: oneOf(['active', 'terminated']),
  date: dateTime().optional(),
  ...titleAndDescription,
  value: ContractValue.optional(),
  period: Period.optional(),
  items: z.array(Item).optional(),
  amountPaid: ContractValue.optional(),
  terminationDetails: text('description').optional(),
  changes: z.array(ContractChange).optional(),
  transactions: Transactions.optional(),
}).meta({ id: 'ContractImplementation' });

/** A contract in answers: as it was signed. */
export const Contract = model('Contract', {
  ...ContractPatch.shape,
  id: hexId(),
  awardID: hexId(),
  contractID: text('identifier'),
  status: oneOf(CONTRACT_STATUSES),
  date: dateTime(),
  dateCreated: dateTime(),
  items: z.array(Item).optional(),
  suppliers: z.array(BusinessOrganization).optional(),
  documents: z.array(Document).optional(),
  implementation: ContractImplementation.optional(),
}).meta({ id: 'Contract' });

/** A contract at its own path, with its tender and the owner (clients.md): as it is now (contracting.md 2.2). */
export const StandaloneContract = model('Contract', {
  ...Contract.shape,
  /** The position in the feed. */
  dateModified: dateTime(),
  tender_id: hexId(),
  owner: text('identifier'),
  mode: oneOf(['test']).optional(),
  procuringEntity: ProcuringEntity.optional(),
  buyer: Buyer.optional(),
  amountPaid: ContractValue.optional(),
  terminationDetails: text('description').optional(),
  changes: z.array(ContractChange).optional(),
  implementation: model('Implementation', { transactions: Transactions }).optional(),
}).meta({
  id: 'StandaloneContract',
});
