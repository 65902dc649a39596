import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import { inStatus, newTender, patch, tenderWithLots, type CommandResult } from '../../test-support/run-command.ts';
import type { TenderState } from './tender.ts';

/** The results came before the planned start. */
const ENDED_EARLY = { startDate: '2026-05-22T11:00:00+03:00', endDate: '2026-05-21T11:35:35.000815+03:00' };
const administrator = { actor: ACTORS.Administrator };

const plain = inStatus(newTender(), 'active.qualification');
const withLots = inStatus(tenderWithLots(), 'active.qualification');
const STORED: readonly (readonly [string, TenderState])[] = [
  ['tender', { ...plain, document: { ...plain.document, auctionPeriod: ENDED_EARLY } }],
  [
    'tender with lots',
    {
      ...withLots,
      document: {
        ...withLots.document,
        lots: withLots.document.lots?.map((lot) => ({ ...lot, auctionPeriod: ENDED_EARLY })),
      },
    },
  ],
];

function statusOf({ refused }: CommandResult): number | undefined {
  return refused?.status;
}

describe.each(STORED)('a stored %s with an auction that ends before its start', (_name, state) => {
  it('accepts the empty body of its owner like any tender in this status', () => {
    const healthy = { ...state, document: state === STORED[0]?.[1] ? plain.document : withLots.document };
    expect(statusOf(patch(state, {}))).toBe(statusOf(patch(healthy, {})));
  });

  it('accepts the tick of the chronograph', () => {
    expect(statusOf(patch(state, { id: state.id }, { actor: ACTORS.chronograph }))).toBeUndefined();
  });

  it('can be cancelled by the Administrator, and keeps its periods', () => {
    const cancelled = patch(state, { status: 'cancelled' }, administrator);
    expect(statusOf(cancelled)).toBeUndefined();
    const { document } = cancelled.state;
    expect(document.status).toBe('cancelled');
    expect([document.auctionPeriod, document.lots?.map((lot) => lot.auctionPeriod)]).toEqual([
      state.document.auctionPeriod,
      state.document.lots?.map((lot) => lot.auctionPeriod),
    ]);
  });

  it('is refused with 403 once it is complete', () => {
    const { auctionPeriod, lots } = state.document;
    expect(
      statusOf(
        patch(inStatus(state, 'complete'), { title: 'x', ...(lots === undefined ? { auctionPeriod } : { lots }) }),
      ),
    ).toBe(403);
  });

  it('validates a period that the change touches', () => {
    const auctionPeriod = { ...ENDED_EARLY, startDate: '2026-05-23T11:00:00+03:00' };
    const change = state.document.lots === undefined ? { auctionPeriod } : { lots: [{ auctionPeriod }] };
    expect(statusOf(patch(state, change, administrator))).toBe(422);
  });
});
