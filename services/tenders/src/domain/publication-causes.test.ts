import { PUBLICATION_CAUSES } from '@procurement/contracts/resources/causes';
import { describe, expect, it } from 'vitest';
import { causeOf, causesOfInput } from './publication-causes.ts';
import type { ClientCommand, ExternalInput } from './tender.ts';

// Both tables name every member of their union: a new command or input does not compile without a row.
const COMMANDS: Readonly<Record<ClientCommand['type'], string>> = {
  CreateTender: 'tender.created',
  PatchTender: 'tender.edited',
  PutTender: 'tender.edited',
  AskQuestion: 'question.asked',
  AnswerQuestion: 'question.answered',
  FileComplaint: 'complaint.filed',
  ChangeComplaint: 'complaint.changed',
  AddCancellation: 'cancellation.added',
  ChangeCancellation: 'cancellation.changed',
  AddLot: 'lots.changed',
  ChangeLot: 'lots.changed',
  DeleteLot: 'lots.changed',
  ChangeOwner: 'tender.edited',
};
const INPUTS: Readonly<Record<ExternalInput['type'], string>> = {
  Tick: 'clock',
  MoveClock: 'clock',
  PlanAuction: 'auction.planned',
  PublishAuction: 'auction.published',
  EndAuction: 'auction.finished',
  ReplaceDocuments: 'documents.changed',
  RemoveDocuments: 'documents.changed',
  SealBids: 'bids.closed',
  OpenBids: 'bids.opened',
  ReplaceAwards: 'awards.changed',
};
/** What `award-causes.test.ts` expects. */
const OF_CONTRACTS = ['contract.signed', 'contract.changed', 'contract.paid', 'contract.terminated'];

// Safe casts: the cause depends on the type of the command and on the group of the caller only.
function commandBy(group: string, type: string): ClientCommand {
  return { type, meta: { actor: { group } } } as unknown as ClientCommand;
}
function buildInput(type: string): ExternalInput {
  return { type, facts: { awards: [], contracts: [] } } as unknown as ExternalInput;
}

describe('causeOf (decision 0079)', () => {
  it.each(Object.entries(COMMANDS))('%s by a broker: %s', (type, cause) => {
    expect(causeOf(commandBy('brokers', type))).toBe(cause);
  });

  it.each(Object.entries(INPUTS))('%s: %s', (type, cause) => {
    expect([...causesOfInput({}, buildInput(type))]).toEqual([cause]);
  });

  it.each([
    ['chronograph', 'clock'],
    ['Administrator', 'operator.edited'],
    ['reviewers', 'operator.edited'],
    ['a group of a later release', 'operator.edited'],
  ])('an edit by %s: %s', (group, cause) => {
    expect(causeOf(commandBy(group, 'PatchTender'))).toBe(cause);
    expect(causeOf(commandBy(group, 'PutTender'))).toBe(cause);
  });

  it('a new owner of a complaint: complaint.changed', () => {
    expect(causeOf({ ...commandBy('brokers', 'ChangeOwner'), complaintId: 'x' } as ClientCommand)).toBe(
      'complaint.changed',
    );
  });

  it('uses every cause of the list but baseline', () => {
    const byType = [...Object.values(COMMANDS), ...Object.values(INPUTS), 'operator.edited'];
    expect(new Set(PUBLICATION_CAUSES)).toEqual(new Set([...byType, ...OF_CONTRACTS, 'baseline']));
  });
});
