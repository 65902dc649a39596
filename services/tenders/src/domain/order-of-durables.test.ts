import { padId } from '@procurement/testing/ids';
import fc from 'fast-check';
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

function documentsInput(version: number): ExternalInput {
  const parent = { kind: 'tender', id: auction.id };
  const documents = [{ parent, document: { id: padId('d1'), title: `version ${version}` } }];
  return { type: 'ReplaceDocuments', facts: { id: auction.id, version, documents } };
}

/** What reaches a tender from its auction to its first award, by five durables. */
const INPUTS: readonly ExternalInput[] = [
  { type: 'PublishAuction', auctionUrl: 'https://auction.example.org/first', version: 2 },
  { type: 'PublishAuction', auctionUrl: 'https://auction.example.org/second', version: 3 },
  documentsInput(1),
  documentsInput(2),
  { type: 'EndAuction', held: { at: '2026-05-21T11:30:00.000000+03:00' } },
  { type: 'OpenBids', bids: [{ id: padId('b0') }, { id: padId('b1') }] },
  awardsInput(auction, [award('a1', 'pending')]),
];

/** Bids are opened, and awards made, only after the tender has asked for both at the end of its auction. */
const CAUSED_BY_THE_END: ReadonlySet<ExternalInput['type']> = new Set(['OpenBids', 'ReplaceAwards']);

function isCausal(order: readonly ExternalInput[]): boolean {
  const end = order.findIndex(({ type }) => type === 'EndAuction');
  return order.every(({ type }, at) => !CAUSED_BY_THE_END.has(type) || at > end);
}

function afterAll(order: readonly ExternalInput[]): Omit<TenderState, 'version'> {
  let last = auction;
  for (const input of order) last = applyInput(last, input, TENDERING_ENDS).state;
  const { version: _version, ...state } = last;
  return state;
}

describe('inputs of several durables', () => {
  it('lead to the same tender in every order in which they can arrive', () => {
    const expected = afterAll(INPUTS);
    expect(expected.document).toMatchObject({
      status: 'active.qualification',
      auctionUrl: 'https://auction.example.org/second',
    });
    const orders = fc.shuffledSubarray([...INPUTS], { minLength: INPUTS.length }).filter(isCausal);
    fc.assert(
      fc.property(orders, (order) => {
        expect(afterAll(order)).toEqual(expected);
      }),
    );
  });
});
