import type { PublicationCause } from '@procurement/contracts/resources/causes';
import { awardCauses } from './award-causes.ts';
import type { ClientCommand, ExternalInput, TenderState } from './tender.ts';

/** The commands whose cause depends on more than their type. */
type Undetermined = 'PatchTender' | 'PutTender' | 'ChangeOwner';

const CAUSE_OF_INPUT: Readonly<Record<Exclude<ExternalInput['type'], 'ReplaceAwards'>, PublicationCause>> = {
  Tick: 'clock',
  MoveClock: 'clock',
  PlanAuction: 'auction.planned',
  PublishAuction: 'auction.published',
  EndAuction: 'auction.finished',
  ReplaceDocuments: 'documents.changed',
  RemoveDocuments: 'documents.changed',
  SealBids: 'bids.closed',
  OpenBids: 'bids.opened',
};

const CAUSE_OF_COMMAND: Readonly<Record<Exclude<ClientCommand['type'], Undetermined>, PublicationCause>> = {
  CreateTender: 'tender.created',
  AskQuestion: 'question.asked',
  AnswerQuestion: 'question.answered',
  FileComplaint: 'complaint.filed',
  ChangeComplaint: 'complaint.changed',
  AddCancellation: 'cancellation.added',
  ChangeCancellation: 'cancellation.changed',
  AddLot: 'lots.changed',
  ChangeLot: 'lots.changed',
  DeleteLot: 'lots.changed',
};

/** Every other group is an operator. */
const CAUSE_OF_EDIT_BY: ReadonlyMap<string, PublicationCause> = new Map([
  ['brokers', 'tender.edited'],
  ['chronograph', 'clock'],
]);

/** The cause of the public change that an accepted command of a client makes. */
export function causeOf(command: ClientCommand): PublicationCause {
  switch (command.type) {
    case 'PatchTender':
    case 'PutTender':
      return CAUSE_OF_EDIT_BY.get(command.meta.actor.group) ?? 'operator.edited';
    case 'ChangeOwner':
      return command.complaintId === undefined ? 'tender.edited' : 'complaint.changed';
    default:
      return CAUSE_OF_COMMAND[command.type];
  }
}

/**
 * What the public sees of an event of another service, or of the clock, in a tender of this state. No cause when awards and contracts
 * come again as they are shown; the caller then names the clock.
 */
export function causesOfInput(
  { awards }: Pick<TenderState, 'awards'>,
  input: ExternalInput,
): Iterable<PublicationCause> {
  return input.type === 'ReplaceAwards' ? awardCauses(awards, input.facts) : [CAUSE_OF_INPUT[input.type]];
}
