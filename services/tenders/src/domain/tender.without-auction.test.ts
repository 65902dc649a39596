import type { Actor } from '@procurement/contracts/api/actor';
import { ACTORS } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  add,
  applyInput,
  award,
  awardsInput,
  change,
  create,
  newTender,
  NOW,
  patch,
  runCommand,
  SETTINGS,
  TENDERING_ENDS,
  withCancelledLot,
  withSealedBids,
  type Data,
} from '../../test-support/run-command.ts';
import { openAuctions } from './auction-period.ts';
import { tenderFacts } from './tender.facts.ts';
import { timers } from './tender.timers.ts';
import type { TenderState } from './tender.ts';
import { publicView } from './tender.view.ts';
import { waitsOf } from './tender.waits.ts';

const WITHOUT = { config: { hasAuction: false, hasAwardingOrder: true } };
const BARE = { minimalStep: undefined };
const STEP = { amount: 5 };

const tender = newTender(BARE, WITHOUT);
const lots = [LOT_1, LOT_2].map((id) => ({ id, title: 'x', value: { amount: 500 } }));
const item = { description: 'x', classification: { id: '44810000-1', description: 'Фарби' } };
const items = [LOT_1, LOT_2].map((relatedLot) => ({ ...item, relatedLot }));
const withLots = newTender({ ...BARE, lots, items }, WITHOUT);

function put(state: TenderState, data: Data, actor: Actor) {
  const meta = { now: NOW, actor, settings: SETTINGS, nextId: () => padId('e') };
  return runCommand(state, { type: 'PutTender', body: { kind: 'data', data }, meta });
}

/** Name and description of each error. */
function errorsOf(decision: object): readonly unknown[] {
  if (!('refused' in decision) || decision.refused === undefined) return [];
  const { errors } = decision.refused as { errors: readonly { name: string; description: unknown }[] };
  return errors.map(({ name, description }) => [name, description]);
}

/** The tender once its bids are opened and these awards are known. */
function opened(sealed: TenderState, ...awardedLots: readonly (string | undefined)[]): TenderState {
  const bids = [{ id: padId('b0') }, { id: padId('b1') }];
  const open = applyInput(sealed, { type: 'OpenBids', bids }, TENDERING_ENDS).state;
  const awards = awardedLots.map((lotID, n) => award(`a${n}`, 'pending', { lotID }));
  return applyInput(open, awardsInput(open, awards), TENDERING_ENDS).state;
}

describe('the creation of a tender without auction (contracting.md 11)', () => {
  it('sets nothing of an auction, and needs no step', () => {
    const view = publicView(tender, NOW, SETTINGS);
    for (const name of ['minimalStep', 'submissionMethod', 'submissionMethodDetails', 'auctionPeriod', 'config'])
      expect(view[name], name).toBeUndefined();
    expect(view['next_check']).toBeDefined();
    expect(tenderFacts(tender, NOW, SETTINGS).hasAuction).toBe(false);
    expect(tenderFacts(newTender(), NOW, SETTINGS).hasAuction).toBeUndefined();
  });

  it('makes no step of lots', () => {
    const { value, minimalStep, lots: stored = [] } = withLots.document;
    expect([value?.amount, minimalStep, stored.map((lot) => lot.minimalStep)]).toEqual([
      1000,
      undefined,
      [undefined, undefined],
    ]);
  });

  it.each<[string, Data]>([
    ['minimalStep', STEP],
    ['submissionMethod', 'electronicAuction' as never],
    ['submissionMethodDetails', 'quick' as never],
    ['submissionMethodDetails_en', 'quick' as never],
  ])('refuses %s', (name, value) => {
    expect(errorsOf(create({ ...BARE, [name]: value }, WITHOUT))).toEqual([[name, ['Rogue field.']]]);
  });

  it('refuses the step of a lot, beside other errors', () => {
    const decision = create({ ...BARE, title: undefined, lots: [{ ...lots[0], minimalStep: STEP }] }, WITHOUT);
    expect(errorsOf(decision)).toEqual([
      ['title', ['This field is required.']],
      ['lots', [{ minimalStep: ['Rogue field.'] }]],
    ]);
  });

  it('refuses a flag that is no boolean, beside the errors of the tender', () => {
    const decision = create({ title: undefined }, { config: { hasAuction: 'no' } });
    expect(errorsOf(decision)).toEqual([
      ['config.hasAuction', ['Must be either true or false.']],
      ['title', ['This field is required.']],
    ]);
    expect(decision).toMatchObject({ refused: { errors: [{ pointer: '/config/hasAuction' }, {}] } });
  });

  it.each([
    ['true', { config: { hasAuction: true } }, {}],
    ['null', { config: { hasAuction: null } }, {}],
    ['absent', { config: { hasAwardingOrder: true } }, {}],
    ['in a config that is no object', { config: 'hasAuction' }, {}],
    ['by segment 2.3', WITHOUT, { actor: { ...ACTORS.owner, segment: '2.3' } }],
  ])('makes a tender with an auction when the flag is %s', (_what, beside, options) => {
    expect(create({}, beside, options)).toMatchObject({
      accepted: [{ document: { submissionMethod: 'electronicAuction', minimalStep: { amount: 35 } } }],
    });
    expect(errorsOf(create(BARE, beside, options))).toEqual([['minimalStep', ['This field is required.']]]);
  });
});

describe('a change of a tender without auction', () => {
  it.each(['2.5', '2.3', '0', '0.1'])('refuses a step by segment %s', (segment) => {
    const options = { actor: { ...ACTORS.owner, segment } };
    const rogue = [['minimalStep', ['Rogue field.']]];
    expect(errorsOf(patch(tender, { minimalStep: STEP }, options))).toEqual(rogue);
    expect(errorsOf(put(tender, { ...tender.document, minimalStep: STEP }, options.actor))).toEqual(rogue);
  });

  it('is done by PATCH and PUT, and the tender stays without auction', () => {
    const edited = patch(tender, { title: 'інша' }).state;
    const replaced = put(edited, { ...edited.document, title: 'третя' }, ACTORS.owner).state;
    expect([replaced.document.title, openAuctions(replaced), replaced.document.submissionMethod]).toEqual([
      'третя',
      [],
      undefined,
    ]);
  });

  it('refuses the step of a lot, and takes a lot without one', () => {
    const lot = { title: 'Лот', value: { amount: 500 } };
    expect(errorsOf(add(tender, 'AddLot', { ...lot, minimalStep: STEP }))).toEqual([['minimalStep', ['Rogue field.']]]);
    expect(errorsOf(change(withLots, 'ChangeLot', LOT_1, { minimalStep: STEP }))).toEqual([
      ['minimalStep', ['Rogue field.']],
    ]);
    expect(add(tender, 'AddLot', lot).state.document.lots).toHaveLength(1);
    const changed = change(withLots, 'ChangeLot', LOT_1, { value: { amount: 700 } }).state;
    expect([changed.document.value?.amount, changed.document.minimalStep]).toEqual([1200, undefined]);
  });

  it('by the Administrator neither plans an auction nor moves the tender into one', () => {
    const options = { actor: ACTORS.Administrator };
    const auctionPeriod = { startDate: '2026-06-01T11:00:00+03:00' };
    expect(patch(tender, { auctionPeriod }, options).state.document.auctionPeriod).toBeUndefined();
    expect(patch(withLots, { lots: [{ auctionPeriod }, {}] }, options).state).toEqual(withLots);
    expect(errorsOf(patch(tender, { status: 'active.auction' }, options))).toHaveLength(1);
    expect(patch(tender, { status: 'active.tendering' }, options).state.document.status).toBe('active.tendering');
  });
});

describe('the end of tendering without auction', () => {
  it('without bids the tender is unsuccessful', () => {
    const { state } = withSealedBids(tender);
    expect([state.document.status, openAuctions(state)]).toEqual(['unsuccessful', []]);
  });

  it.each([1, 2, 3])('with %i bids they are opened, and the tender goes to qualification', (count) => {
    const sealed = withSealedBids(tender, ...Array.from({ length: count }, () => []));
    expect(sealed.events.map(({ type }) => type)).toEqual(['TenderChanged', 'QualificationDue']);
    expect(sealed.state.document.status).toBe('active.tendering');
    const { document } = opened(sealed.state, undefined);
    expect([document.status, document.auctionPeriod]).toEqual(['active.qualification', undefined]);
  });

  it('with lots none has an auction, and a lot without bids is unsuccessful', () => {
    const both = withSealedBids(withLots, [LOT_1], [LOT_1]).state;
    const { document } = opened(both, LOT_1);
    expect([document.status, document.lots?.map(({ status }) => status)]).toEqual([
      'active.qualification',
      ['active', 'unsuccessful'],
    ]);
    expect(withSealedBids(withLots).state.document.lots?.map(({ status }) => status)).toEqual([
      'unsuccessful',
      'unsuccessful',
    ]);
  });

  it('counts the bids of active lots only', () => {
    const left = withCancelledLot(withLots, LOT_1);
    expect(withSealedBids(left, [LOT_1], [LOT_1]).state.document.status).toBe('unsuccessful');
    const sealed = withSealedBids(left, [LOT_2], [LOT_2]).state;
    expect(opened(sealed, LOT_2).document.status).toBe('active.qualification');
  });

  it('waits for no plan, and shows no bound of one, at any time before', () => {
    const tendering = { ...tender, document: { ...tender.document, status: 'active.tendering' as const } };
    expect(waitsOf(tendering, NOW, SETTINGS)).toEqual([]);
    expect(timers(tendering, NOW, SETTINGS).map(({ why }) => why)).toEqual(['tendering ends']);
    expect(JSON.stringify(publicView(tendering, NOW, SETTINGS))).not.toMatch(/shouldStartAfter|auction/i);
    const late = { type: 'PlanAuction', startDate: '2026-05-21T11:00:00+03:00', version: 1 } as const;
    expect(applyInput(tendering, late, NOW).events).toEqual([]);
  });
});
