import { statusesThat } from '@procurement/domain/tender-status';
import { isAwardingStatus } from '../../services/awards/src/domain/awarding-status.ts';
import { CONTRACT_MEMBERS } from '../../services/awards/src/domain/contract.change.ts';
import { OWNED_IN } from '../../services/awards/src/domain/contract.owner.ts';
import { IMPLEMENTATION_MEMBERS } from '../../services/awards/src/domain/implementation.change.ts';
import { CHANGE_MEMBERS, CHANGED_IN } from '../../services/awards/src/domain/implementation.changes.ts';
import { PAID_IN, PAYMENT_GROUPS } from '../../services/awards/src/domain/implementation.transactions.ts';
import type { OperationRules } from '../../services/gateway/src/description/described-route.ts';
import {
  CALLERS,
  codes,
  EVERYBODY,
  groupsThat,
  listText,
  transitionsBy,
  whileContractIn,
  whileIn,
} from './rule-texts.ts';

const NOTHING = 'the status of the tender stays as it is';
const READ = { who: EVERYBODY } as const satisfies OperationRules;
const owner = CALLERS['tender_owner'] ?? '';
const inAwarding = whileIn(statusesThat(isAwardingStatus));
const contractOwner = 'the owner of the contract, with its token or that of the tender';

/** The rules of contracts, inside a tender and at their own address. `takeover`: those of every change of owner. */
export function contractRules(takeover: OperationRules): Readonly<Record<string, OperationRules>> {
  return {
    listContracts: READ,
    createContract: { who: CALLERS['admins'] ?? '', when: inAwarding, next: 'the contract is `pending`' },
    getContract: READ,
    patchContract: {
      who: owner,
      when: `${inAwarding}, and the lot of the award is active`,
      changes: codes(CONTRACT_MEMBERS),
      next: `when all is signed, the tender: ${transitionsBy('completion')}`,
    },
    getStandaloneContract: READ,
    patchStandaloneContract: {
      who: contractOwner,
      when: 'while the contract is `pending` and the tender allows the PATCH inside it; while the contract is `active`',
      changes: `of a signed contract ${codes(IMPLEMENTATION_MEMBERS)}`,
      next: `\`active\` → \`terminated\`; ${NOTHING}`,
    },
    patchContractCredentials: {
      who: `${owner}, until another broker takes the contract over`,
      when: whileContractIn(OWNED_IN),
      changes: 'the tokens of the contract: earlier ones open nothing',
      next: NOTHING,
    },
    changeContractOwner: { ...takeover, when: whileContractIn(OWNED_IN) },
    listContractChanges: READ,
    createContractChange: {
      who: contractOwner,
      when: `${whileContractIn(CHANGED_IN)}, and no change is \`pending\``,
      next: `the change is \`pending\`; ${NOTHING}`,
    },
    getContractChange: READ,
    patchContractChange: {
      who: contractOwner,
      when: `${whileContractIn(CHANGED_IN)}, and the change is \`pending\``,
      changes: codes([...CHANGE_MEMBERS, 'status']),
      next: `\`pending\` → \`active\`; ${NOTHING}`,
    },
    putContractTransaction: {
      who: listText([contractOwner, ...groupsThat(({ group }) => PAYMENT_GROUPS.has(group))]),
      when: whileContractIn(PAID_IN),
      changes: 'of a known payment its `status` only',
      next: NOTHING,
    },
    getContractTransaction: READ,
  };
}
