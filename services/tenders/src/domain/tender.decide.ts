import type { Decision } from '@procurement/kit/decision';
import { createTender } from './tender.create.ts';
import { changeTender } from './tender.change.ts';
import type { TenderCommand, TenderEvent, TenderState } from './tender.ts';

/** Decides one command about one tender. Pure: state, command and the time in it are all it knows. */
export function decideTender(state: TenderState | undefined, command: TenderCommand): Decision<TenderEvent> {
  switch (command.type) {
    case 'CreateTender':
      return createTender(command);
    case 'PatchTender':
    case 'PutTender':
      return changeTender(state, command);
    default:
      return command satisfies never;
  }
}
