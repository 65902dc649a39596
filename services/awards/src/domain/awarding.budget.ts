import {
  AWARD_COMPLAINT_BYTES_MAX,
  AWARDING_BYTES_MAX,
  CONTRACT_OBJECTS_MAX,
  IMPLEMENTATION_BYTES_MAX,
  OBJECT_BYTES_MAX,
  TENDER_OBJECTS_MAX,
} from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import {
  CHANGED_COMPLAINT_LIMITS,
  complaintLimits,
  limitRefusal,
  NEW_COMPLAINT_LIMITS,
  sum,
  utf8Bound,
  type Limit,
  type LimitCode,
  type LimitSubject,
} from '@procurement/domain/budget';
import { jsonBytes } from '@procurement/domain/json-text';
import type { AwardingCommand, AwardingState } from './awarding.ts';
import { changesOf } from './implementation.changes.ts';
import { transactionsOf } from './implementation.transactions.ts';

/** Limits by the command that they refuse. Clock and events have none. */
const LIMITS_OF_COMMAND: Readonly<Record<AwardingCommand['type'], readonly LimitCode[]>> = {
  PostAward: ['limit.award-bytes', 'limit.awards', 'limit.awarding-quota'],
  ChangeAward: ['limit.award-bytes', 'limit.awards', 'limit.awarding-quota'],
  FileComplaint: NEW_COMPLAINT_LIMITS,
  ChangeComplaint: CHANGED_COMPLAINT_LIMITS,
  PostContract: ['limit.contract-bytes', 'limit.contracts', 'limit.awarding-quota'],
  ChangeContract: ['limit.contract-bytes', 'limit.awarding-quota'],
  ChangeStandaloneContract: [
    'limit.contract-bytes',
    'limit.awarding-quota',
    'limit.implementation-bytes',
    'limit.implementation-quota',
  ],
  AddContractChange: [
    'limit.change-bytes',
    'limit.changes',
    'limit.implementation-bytes',
    'limit.implementation-quota',
  ],
  ChangeContractChange: ['limit.change-bytes', 'limit.implementation-bytes', 'limit.implementation-quota'],
  PutTransaction: ['limit.transactions', 'limit.implementation-bytes', 'limit.implementation-quota'],
  ChangeContractOwner: [],
  ChangeComplaintOwner: [],
  IssueCredentials: [],
  ApplyExternalInput: [],
};

const LIMITS: Readonly<Partial<Record<LimitCode, Limit<AwardingState>>>> = {
  ...complaintLimits<AwardingState>({
    complaintsOf: ({ awards }) => awards.flatMap(({ complaints = [] }) => complaints),
    brokerOf: ({ complaintOwners }, id) => complaintOwners[id]?.owner,
    objectsMax: TENDER_OBJECTS_MAX.awardComplaints,
    bytesMax: AWARD_COMPLAINT_BYTES_MAX,
  }),
  'limit.award-bytes': {
    unit: 'bytes',
    max: OBJECT_BYTES_MAX.award,
    measure: ({ awards }, { id }) => sum(awards.filter((award) => award.id === id).map(ownAwardBytes)),
  },
  'limit.awards': {
    unit: 'objects',
    max: TENDER_OBJECTS_MAX.awards.ofTender,
    measure: ({ awards }) => awards.length,
  },
  'limit.contract-bytes': {
    unit: 'bytes',
    max: OBJECT_BYTES_MAX.contract,
    measure: ({ contracts }, { id }) => sum(contracts.filter((contract) => contract.id === id).map(ownContractBytes)),
  },
  'limit.contracts': {
    unit: 'objects',
    max: TENDER_OBJECTS_MAX.contracts.ofTender,
    measure: ({ contracts }) => contracts.length,
  },
  'limit.awarding-quota': {
    unit: 'bytes',
    max: AWARDING_BYTES_MAX,
    measure: ({ awards, contracts }) =>
      sum(awards.map(({ complaints: _complaints, ...award }) => jsonBytes(award))) +
      // Payments and changes have a quota of their own, so that they cannot stop an award.
      sum(contracts.map(({ implementation: _followed, ...signed }) => jsonBytes(signed))),
  },
  'limit.change-bytes': {
    unit: 'bytes',
    max: OBJECT_BYTES_MAX.change,
    measure: ({ contracts }, { id }) =>
      sum(contracts.flatMap(changesOf).flatMap((change) => (change.id === id ? [jsonBytes(change)] : []))),
  },
  'limit.changes': {
    unit: 'objects',
    max: CONTRACT_OBJECTS_MAX.changes,
    measure: (state, subject) => sum(selectContracts(state, subject).map((contract) => changesOf(contract).length)),
  },
  'limit.transactions': {
    unit: 'objects',
    max: CONTRACT_OBJECTS_MAX.transactions,
    measure: (state, subject) =>
      sum(selectContracts(state, subject).map((contract) => transactionsOf(contract).length)),
  },
  'limit.implementation-bytes': {
    unit: 'bytes',
    max: IMPLEMENTATION_BYTES_MAX.ofContract,
    measure: (state, subject) => sum(selectContracts(state, subject).map(implementationBytes)),
  },
  'limit.implementation-quota': {
    unit: 'bytes',
    max: IMPLEMENTATION_BYTES_MAX.ofTender,
    measure: ({ contracts }) => sum(contracts.map(implementationBytes)),
  },
};

function selectContracts({ contracts }: AwardingState, { parent }: LimitSubject): readonly StoredContract[] {
  return contracts.filter(({ id }) => id === parent);
}

function implementationBytes({ implementation }: StoredContract): number {
  return implementation === undefined ? 0 : jsonBytes(implementation);
}

/** Members of a PATCH that no limit refuses, so that a contract can always be ended (contracting.md 9.3). */
const UNLIMITED_MEMBERS: ReadonlySet<string> = new Set(['status', 'amountPaid']);

function isUnlimited(command: AwardingCommand): boolean {
  if (command.type !== 'ChangeStandaloneContract' || command.body.kind !== 'data') return false;
  return Object.keys(command.body.data).every((name) => UNLIMITED_MEMBERS.has(name));
}

// Status, dates and amounts do not count, so that awards and contracts of any size can be decided.
function ownAwardBytes(award: StoredAward): number {
  const { title, title_en, title_ru, description, description_en, description_ru } = award;
  return jsonBytes({ title, title_en, title_ru, description, description_en, description_ru });
}

function ownContractBytes(contract: StoredContract): number {
  const { contractNumber, title, title_en, title_ru, description, description_en, description_ru } = contract;
  return jsonBytes({ contractNumber, title, title_en, title_ru, description, description_en, description_ru });
}

export interface AwardingChange {
  readonly before: AwardingState;
  readonly after: AwardingState;
  /** The stored text of `after`. Below the limits its length answers, and nothing is measured. */
  readonly documentText: string;
  /** The award that the command created or changed, if it is another than the command names. */
  readonly awardId?: string | undefined;
}

/** The refusal of a command that makes awards, contracts or complaints exceed the byte budget (limits.md 6). */
export function budgetRefusal(
  command: AwardingCommand,
  { before, after, documentText, awardId }: AwardingChange,
): Problem | undefined {
  if (command.type === 'ApplyExternalInput' || isUnlimited(command)) return undefined;
  const named = limitSubjectOf(command, before);
  const subject = { ...named, id: awardId ?? named.id };
  const change = { before, after, subject, bytesBound: utf8Bound(documentText) };
  return limitRefusal(LIMITS, LIMITS_OF_COMMAND[command.type], change);
}

function limitSubjectOf(
  command: Exclude<AwardingCommand, { readonly type: 'ApplyExternalInput' }>,
  { complaintOwners }: AwardingState,
): LimitSubject {
  // A complaint takes the share of its author, whoever changes it.
  if (command.type === 'ChangeComplaint') return { id: command.id, broker: complaintOwners[command.id]?.owner };
  const id = 'id' in command ? command.id : command.meta.id;
  const parent = 'contractId' in command ? command.contractId : id;
  return { id, parent, broker: command.meta.actor.broker };
}
