import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import { BIDS, handOffMeta, tenderInAuction, type MetaOptions } from '../../test-support/hand-off-facts.ts';
import { comparePlans } from './auction-due.ts';
import { readStateRefusal } from './hand-off.guards.ts';
import { decideHandOff, readCommand } from './hand-off.decide.ts';
import { specialTasks } from './special-mode.ts';

const { auctionPeriod: _period, minimalStep: _step, ...facts } = tenderInAuction();
const STATUSES = TENDER_STATUSES.filter((status) => status !== 'active.auction');
const tenderIn = (status: string) => ({ ...facts, mode: 'test', status, hasAuction: false as const });
const OPEN: MetaOptions = { segment: '2.3', settings: { legacyGuardsOpen: true, sandbox: true } };
const results = { bids: BIDS.map(({ id }) => ({ id, value: { amount: 1 } })) };

/** Status and description of the refusal of a report. */
function describeRefusal(method: 'PATCH' | 'POST', status: string, options: MetaOptions): readonly unknown[] {
  const [tender, meta] = [tenderIn(status), handOffMeta(options)];
  const read = readCommand(tender, { method, body: { kind: 'data', data: results } }, meta);
  const decision =
    'refused' in read
      ? read
      : decideHandOff(
          { tender, bids: BIDS, recorded: undefined, addresses: { auctions: [], bids: [] } },
          read.command,
          meta,
        );
  return 'refused' in decision ? [decision.refused.status, decision.refused.errors[0]?.description] : ['accepted'];
}

describe('a tender without auction (contracting.md 11)', () => {
  it.each(STATUSES)('is never read, nor reported about, in %s, not even by open guards of older segments', (status) => {
    const { actor, settings } = handOffMeta(OPEN);
    const read = readStateRefusal(tenderIn(status), actor, settings);
    expect(read?.errors[0]?.description).toBe(`Can't get auction info in current (${status}) tender status`);
    const refused = [403, `Can't report auction results in current (${status}) tender status`];
    expect(describeRefusal('POST', status, OPEN)).toEqual(refused);
    expect(describeRefusal('PATCH', status, OPEN)).toEqual(refused);
    expect(describeRefusal('PATCH', status, { ...OPEN, actor: ACTORS.owner, ownsTender: true })).toEqual(refused);
  });

  it.each(STATUSES)('gets no plan and no special task in %s', (status) => {
    const nothing = { free: [], confirm: [], repeat: [], plan: [] };
    const { now } = handOffMeta();
    expect(comparePlans(tenderIn(status), [], now)).toEqual(nothing);
    expect(specialTasks({ ...tenderIn(status), submissionMethodDetails: 'quick(mode:no-auction)' }, true)).toEqual([]);
  });
});
