import type { Decision } from '@procurement/domain/decision';
import { changeAward } from './award.change.ts';
import { postAward } from './award.post.ts';
import { changeComplaint } from './complaint.change.ts';
import { changeComplaintOwner } from './complaint.owner.ts';
import { fileComplaint } from './complaint.file.ts';
import { changeContract } from './contract.change.ts';
import { issueCredentials } from './contract.credentials.ts';
import { changeContractOwner } from './contract.owner.ts';
import { postContract } from './contract.post.ts';
import { changeStandaloneContract } from './contract.standalone.ts';
import { addContractChange, changeContractChange } from './implementation.changes.ts';
import { putTransaction } from './implementation.transactions.ts';
import { openBids } from './awarding.open-bids.ts';
import { tick } from './awarding.tick.ts';
import type { Awarding, AwardingCommand, AwardingEvent } from './awarding.ts';

/** Decides one command on the awards and contracts of one tender. Pure: time and ids come with the command. */
export function decideAwarding(awarding: Awarding, command: AwardingCommand): Decision<AwardingEvent> {
  const decision = decide(awarding, command);
  const { procuringEntity } = command.meta;
  if ('refused' in decision || awarding.procuringEntity !== undefined || procuringEntity === undefined) return decision;
  const accepted = decision.accepted.map((event) =>
    addsContract(awarding, event) ? { ...event, parts: { ...event.parts, procuringEntity } } : event,
  );
  return { accepted };
}

function addsContract({ contracts }: Awarding, { parts }: AwardingEvent): boolean {
  return (parts.contracts?.length ?? 0) > contracts.length;
}

function decide(awarding: Awarding, command: AwardingCommand): Decision<AwardingEvent> {
  switch (command.type) {
    case 'PostAward':
      return postAward(awarding, command.body, command.meta);
    case 'ChangeAward':
      return changeAward(awarding, command.id, command.body, command.meta);
    case 'FileComplaint':
      return fileComplaint(awarding, command);
    case 'ChangeComplaint':
      return changeComplaint(awarding, command);
    case 'ChangeComplaintOwner':
      return changeComplaintOwner(awarding, command);
    case 'PostContract':
      return postContract(awarding, command.body, command.meta);
    case 'ChangeContract':
      return changeContract(awarding, command.id, command.body, command.meta);
    case 'ChangeStandaloneContract':
      return changeStandaloneContract(awarding, command.id, command.body, command.meta);
    case 'AddContractChange':
      return addContractChange(awarding, command);
    case 'ChangeContractChange':
      return changeContractChange(awarding, command);
    case 'PutTransaction':
      return putTransaction(awarding, command);
    case 'ChangeContractOwner':
      return changeContractOwner(awarding, command);
    case 'IssueCredentials':
      return issueCredentials(awarding, command);
    case 'ApplyExternalInput': {
      const { input, meta } = command;
      return { accepted: input.type === 'Tick' ? tick(awarding, meta) : openBids(awarding, input.bids, meta) };
    }
    default:
      return command satisfies never;
  }
}
