import { padId } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  applyInput,
  award,
  awardsInput,
  newTender,
  TENDERING_ENDS,
  withSealedBids,
} from '../../test-support/run-command.ts';
import type { ExternalInput, TenderState } from './tender.ts';

const auction = withSealedBids(newTender(), [], []).state;
const OPENED: ExternalInput = { type: 'OpenBids', bids: [{ id: padId('b0') }, { id: padId('b1') }] };

function after(state: TenderState, ...inputs: readonly ExternalInput[]): TenderState {
  let last = state;
  for (const input of inputs) last = applyInput(last, input, TENDERING_ENDS).state;
  return last;
}

const qualification = after(
  auction,
  { type: 'EndAuction', held: { at: '2026-05-21T11:30:00.000000+03:00' } },
  OPENED,
  awardsInput(auction, [award('a1', 'pending')]),
);

describe('OpenBids, after the loss of another service was accepted', () => {
  it('takes the bids that their owner has now', () => {
    expect(qualification.document.status).toBe('active.qualification');
    const left = [{ id: padId('b1') }];
    const state = after(qualification, { type: 'OpenBids', bids: left });
    expect(state).toEqual({ ...qualification, bids: left, version: qualification.version + 1 });
  });

  it('has no effect when only documents of bids differ', () => {
    const bids = [{ id: padId('b0'), documents: [{ id: padId('d1') }] }, { id: padId('b1') }];
    expect(applyInput(qualification, { type: 'OpenBids', bids }, TENDERING_ENDS).events).toEqual([]);
  });
});

describe('RemoveDocuments', () => {
  const facts = (version: number): ExternalInput => {
    const parent = { kind: 'tender', id: auction.id };
    const documents = [{ parent, document: { id: padId('d1'), title: 'a' } }];
    return { type: 'ReplaceDocuments', facts: { id: auction.id, version, documents } };
  };
  const removal: ExternalInput = { type: 'RemoveDocuments' };

  it('removes what their owner has lost, once', () => {
    const state = after(auction, facts(3), removal);
    expect({ ...state, version: auction.version }).toEqual(auction);
    expect(applyInput(state, removal, TENDERING_ENDS).events).toEqual([]);
  });

  it('lets the owner begin again with a smaller version', () => {
    expect(after(auction, facts(3), facts(1)).documents?.version).toBe(3);
    expect(after(auction, facts(3), removal, facts(1)).documents?.version).toBe(1);
  });
});
