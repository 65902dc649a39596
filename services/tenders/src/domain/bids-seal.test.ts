import { padId } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  applyInput,
  award,
  awardsInput,
  bids,
  newTender,
  NOW,
  SETTINGS,
  TENDERING_BEGINS,
  TENDERING_ENDS,
  tick,
} from '../../test-support/run-command.ts';
import type { ExternalInput, TenderState } from './tender.ts';
import { publicView } from './tender.view.ts';

const SEAL = { at: '2026-05-20T18:00:00.213000+03:00', hash: 'd9'.repeat(32) };
const SHOWN = { date: SEAL.at, hash: `sha256:${SEAL.hash}` };

const closing = tick(tick(newTender(), TENDERING_BEGINS).state, TENDERING_ENDS).state;
const sealOf = (state: TenderState): unknown => publicView(state, NOW, SETTINGS)['bidsSeal'];
const sealed = (...lots: readonly (readonly string[])[]): ExternalInput => ({
  type: 'SealBids',
  bids: bids(...lots),
  seal: SEAL,
});
const opened = { type: 'OpenBids', bids: [{ id: padId('b0') }] } as const;
const OTHER = { at: SEAL.at, hash: '0'.repeat(64) };

function after(before: TenderState, ...inputs: readonly ExternalInput[]): TenderState {
  let state = before;
  for (const input of inputs) ({ state } = applyInput(state, input, TENDERING_ENDS));
  return state;
}

describe('bidsSeal (proof.md 5.1)', () => {
  it.each([
    ['an auction', [[], []], 'active.auction'],
    ['one bid, before it is opened', [[]], 'active.tendering'],
    ['no bids', [], 'unsuccessful'],
  ] as const)('is shown from the closing on: %s', (_what, lots, status) => {
    const state = after(closing, sealed(...lots));
    expect([state.document.status, sealOf(closing), sealOf(state)]).toEqual([status, undefined, SHOWN]);
  });

  it('stays as it was first shown, through the opening', () => {
    const waiting = after(closing, sealed([]));
    const awards = awardsInput(waiting, [award('a1', 'pending')]);
    const state = after(waiting, { ...sealed(), seal: OTHER } as ExternalInput, { ...opened, seal: OTHER }, awards);
    expect([state.document.status, sealOf(state)]).toEqual(['active.qualification', SHOWN]);
  });

  it('comes with the opened bids where the closing had none, and is absent where bids are not encrypted', () => {
    const waiting = after(closing, { type: 'SealBids', bids: bids([]) });
    const awards = awardsInput(waiting, [award('a1', 'pending')]);
    expect(sealOf(after(waiting, awards, { ...opened, seal: SEAL }))).toEqual(SHOWN);
    expect(publicView(after(waiting, awards, opened), NOW, SETTINGS)).not.toHaveProperty('bidsSeal');
  });
});
