import { parseInstant } from '@procurement/contracts/reading/instant';
import { ACTORS, OWNER_HASH } from '@procurement/testing/actors';
import { LOT_1 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import { hours, NOW, patch, runCommand, SETTINGS, tick, type Data } from '../../test-support/run-command.ts';
import { validTender } from '../../test-support/valid-tender.ts';
import { decideTender } from './tender.decide.ts';
import { foldTender } from './tender.evolve.ts';
import type { TenderState } from './tender.ts';
import { dueAt, nextCheck } from './tender.timers.ts';

const owner01 = { ...ACTORS.owner, segment: '0.1' };

function create(data: Data, segment = '0.1') {
  let idCount = 0;
  return decideTender(undefined, {
    type: 'CreateTender',
    body: { kind: 'data', data },
    meta: {
      now: NOW,
      actor: { ...ACTORS.owner, segment },
      settings: SETTINGS,
      nextId: () => String((idCount += 1)).padStart(32, '0'),
      id: 'f'.repeat(32),
      ownerTokenHash: OWNER_HASH,
      transferHash: 'b'.repeat(64),
    },
  });
}

function bare(data: Data = {}): TenderState {
  const decision = create(data);
  if ('refused' in decision) throw new Error(JSON.stringify(decision.refused));
  return foldTender(undefined, decision.accepted);
}

function put(state: TenderState, data: Data, segment: string) {
  const meta = { now: NOW, actor: { ...ACTORS.owner, segment }, settings: SETTINGS, nextId: () => 'e'.repeat(32) };
  return runCommand(state, { type: 'PutTender', body: { kind: 'data', data }, meta });
}

const errorsOf = ({ refused }: { refused?: { errors: readonly unknown[] } | undefined }) => refused?.errors;
const required = (name: string) => ({ location: 'body', name, description: ['This field is required.'] });

describe('an empty tender of segment 0.1 (generations.md 5.7)', () => {
  it('has only the members that the service sets', () => {
    expect(bare().document).toEqual({
      id: 'f'.repeat(32),
      tenderID: '',
      date: '2026-05-04T10:15:00.120034+03:00',
      dateCreated: '2026-05-04T10:15:00.120034+03:00',
      owner: 'buyer',
      status: 'active.enquiries',
      procurementMethod: 'open',
      procurementMethodType: 'belowThreshold',
      submissionMethod: 'electronicAuction',
      awardCriteria: 'lowestCost',
      enquiryPeriod: { startDate: '2026-05-04T10:15:00.120034+03:00' },
    });
  });

  const parts = ['procuringEntity', 'value', 'enquiryPeriod', 'tenderPeriod', 'items'];
  const withTitleAndStep = ['title', 'minimalStep', ...parts];
  it.each([
    ['2.5', withTitleAndStep],
    ['2.3', withTitleAndStep],
    ['0', parts],
  ])('is refused on segment %s for its missing parts', (segment, names) => {
    const decision = create({}, segment);
    const errors = 'refused' in decision ? decision.refused.errors : [];
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(names));
  });

  it('has no deadline while the ends of its periods are missing (tenders.md 3.2)', () => {
    const tender = bare();
    expect([nextCheck(tender, NOW, SETTINGS), dueAt(tender, NOW, SETTINGS)]).toEqual([undefined, undefined]);
    expect(tick(tender, hours(10_000)).events).toEqual([]);
    const begun = tick(bare({ enquiryPeriod: { endDate: '2026-05-10' } }), hours(10_000)).state;
    expect(begun.document.status).toBe('active.tendering');
    expect(tick(begun, hours(20_000)).events).toEqual([]);
    expect(nextCheck(begun, hours(20_000), SETTINGS)).toBeUndefined();
  });

  it('gets the default start of tendering when its periods are added', () => {
    const periods = { enquiryPeriod: { endDate: '2026-05-10' }, tenderPeriod: { endDate: '2026-05-20' } };
    expect(patch(bare(), periods, { actor: owner01 }).state.document.tenderPeriod).toEqual({
      startDate: '2026-05-10T00:00:00+03:00',
      endDate: '2026-05-20T00:00:00+03:00',
    });
    const late = patch(bare(), { ...periods, enquiryPeriod: { endDate: '2026-05-30' } }, { actor: owner01 });
    expect(errorsOf(late)).toMatchObject([
      { name: 'tenderPeriod', description: { startDate: ['period should begin before its end'] } },
    ]);
  });

  it.each(['0.1', '2.5'])('becomes an ordinary tender when a PATCH on segment %s adds its parts', (segment) => {
    const { state, refused } = patch(bare(), validTender(), { actor: { ...ACTORS.owner, segment } });
    expect(refused).toBeUndefined();
    expect(state.document).toMatchObject({ title: 'Фарба', value: { amount: 500, currency: 'UAH' }, items: [{}] });
    expect(nextCheck(state, NOW, SETTINGS)).toBe('2026-05-10T00:00:00+03:00');
    expect(dueAt(state, NOW, SETTINGS)).toBe(parseInstant('2026-05-10T00:00:00+03:00'));
  });

  it('accepts a change of its parts on segment 2.5 without the missing parts', () => {
    const state = patch(bare(), { value: { amount: 500 } }, { actor: owner01 }).state;
    const changed = patch(state, { value: { amount: 600 } });
    expect(changed.refused).toBeUndefined();
    expect(changed.state.document.value).toEqual({ amount: 600, currency: 'UAH', valueAddedTaxIncluded: true });
  });

  it('refuses to remove a stored part', () => {
    const state = bare({ title: 'Фарба', tenderPeriod: { endDate: '2026-05-20' } });
    expect(errorsOf(put(state, {}, '2.5'))).toEqual(['title', 'enquiryPeriod', 'tenderPeriod'].map(required));
    expect(errorsOf(patch(state, { tenderPeriod: { endDate: null } }, { actor: owner01 }))).toEqual([
      { location: 'body', name: 'tenderPeriod', description: { endDate: ['This field is required.'] } },
    ]);
  });

  it.each<[string, Data, unknown]>([
    ['a value without an amount', { value: {} }, { name: 'value', description: { amount: required('').description } }],
    ['no items', { items: [] }, { name: 'items', description: ['Please provide at least 1 item.'] }],
    ['a step above the value', { value: { amount: 1 }, minimalStep: { amount: 2 } }, { name: 'minimalStep' }],
    [
      'an order of periods',
      { enquiryPeriod: { endDate: '2026-05-10' }, tenderPeriod: { startDate: '2026-05-09' } },
      { name: 'tenderPeriod' },
    ],
    ['an enquiry period that is over', { enquiryPeriod: { endDate: '2020-01-01' } }, { name: 'enquiryPeriod' }],
  ])('is refused with %s', (_what, data, error) => {
    expect(create(data)).toMatchObject({ refused: { errors: [error] } });
  });

  it('takes its amounts from its lots', () => {
    const lot = {
      id: LOT_1,
      title: 'x',
      value: { amount: 500, currency: 'USD' },
      minimalStep: { amount: 5, currency: 'USD' },
    };
    expect(bare({ lots: [lot] }).document).toMatchObject({
      value: { amount: 500, currency: 'USD' },
      minimalStep: { amount: 5, currency: 'USD' },
    });
  });
});
