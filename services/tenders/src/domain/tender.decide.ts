import type { Decision } from '@procurement/domain/decision';
import { addCancellation, changeCancellation } from './cancellation.decide.ts';
import { changeComplaint, fileComplaint } from './complaint.decide.ts';
import { addLot, changeLot, deleteLot } from './lot.decide.ts';
import { changeOwner } from './ownership.decide.ts';
import { answerQuestion, askQuestion } from './question.decide.ts';
import { changeTender } from './tender.change.ts';
import { createTender } from './tender.create.ts';
import { applyExternalInput } from './tender.external-inputs.ts';
import type { TenderCommand, TenderEvent, TenderState } from './tender.ts';

/** Decides one command about one tender. Pure: depends on the state and the command, which carries the time and the ids. */
export function decideTender(state: TenderState | undefined, command: TenderCommand): Decision<TenderEvent> {
  switch (command.type) {
    case 'CreateTender':
      return createTender(command);
    case 'PatchTender':
    case 'PutTender':
      return changeTender(state, command);
    case 'AskQuestion':
      return askQuestion(state, command);
    case 'AnswerQuestion':
      return answerQuestion(state, command);
    case 'FileComplaint':
      return fileComplaint(state, command);
    case 'ChangeComplaint':
      return changeComplaint(state, command);
    case 'AddCancellation':
      return addCancellation(state, command);
    case 'ChangeCancellation':
      return changeCancellation(state, command);
    case 'AddLot':
      return addLot(state, command);
    case 'ChangeLot':
      return changeLot(state, command);
    case 'DeleteLot':
      return deleteLot(state, command);
    case 'ChangeOwner':
      return changeOwner(state, command);
    case 'ApplyExternalInput':
      return { accepted: state === undefined ? [] : applyExternalInput(state, command) };
    default:
      return command satisfies never;
  }
}
