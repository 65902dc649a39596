import type { ReadTender } from '@procurement/contracts/resources/tender';
import { periodErrors } from './tender.rules.ts';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem } from '@procurement/contracts/problems/problems';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../test-support/run-command.ts';
import { validTender as valid } from '../../test-support/valid-tender.ts';
import { decideTender } from './tender.decide.ts';
import { foldTender } from './tender.evolve.ts';
import { publicView } from './tender.view.ts';
import type { TenderEvent, TenderMeta, TenderState } from './tender.ts';

type Data = Readonly<Record<string, unknown>>;

const NOW = parseInstant('2026-05-04T10:15:00.120034+03:00');
const HASH = 'a'.repeat(64);
const broker: Actor = { broker: 'broker', group: 'brokers', levels: '12', segment: '2.5' };
const owner: Actor = { ...broker, tokenHash: HASH };
const administrator: Actor = { broker: 'adm', group: 'Administrator', levels: '', segment: '2.5' };
const chronograph: Actor = { broker: 'clock', group: 'chronograph', levels: '', segment: '2.5' };
const stranger: Actor = { group: 'anonymous', credentials: 'missing', levels: '', segment: '2.5' };

function buildMeta(actor: Actor, settings: Partial<TenderMeta['settings']> = {}): TenderMeta {
  let idCount = 0;
  return {
    now: NOW,
    actor,
    settings: { ...SETTINGS, ...settings },
    nextId: () => String((idCount += 1)).padStart(32, '0'),
  };
}

/** The code and errors of a refusal, or the events. */
function outcome(
  decision: ReturnType<typeof decideTender>,
): { code: string; errors: unknown } | readonly TenderEvent[] {
  return 'refused' in decision
    ? {
        code: decision.refused.code,
        errors: decision.refused.errors.map(({ name, description }) => [name, description]),
      }
    : decision.accepted;
}

function create(data: Data, actor: Actor = broker, settings: Partial<TenderMeta['settings']> = {}) {
  const meta = {
    ...buildMeta(actor, settings),
    id: 'f'.repeat(32),
    ownerTokenHash: HASH,
    transferHash: 'b'.repeat(64),
  };
  return outcome(decideTender(undefined, { type: 'CreateTender', body: { kind: 'data', data }, meta }));
}

function created(overrides: Data = {}): TenderState {
  const events = create(valid(overrides));
  if (!Array.isArray(events)) throw new Error(JSON.stringify(events));
  return foldTender(undefined, events);
}

function change(type: 'PatchTender' | 'PutTender', state: TenderState | undefined, data: Data, actor: Actor = owner) {
  return outcome(decideTender(state, { type, body: { kind: 'data', data }, meta: buildMeta(actor) }));
}
const patch = change.bind(undefined, 'PatchTender');
const put = change.bind(undefined, 'PutTender');

/** The document after the one accepted change. */
function changed(events: ReturnType<typeof patch>): TenderState['document'] {
  if (!Array.isArray(events) || events.length !== 1) throw new Error(JSON.stringify(events));
  return events[0].parts.document;
}

function inStatus(state: TenderState, status: TenderState['document']['status']): TenderState {
  return { ...state, document: { ...state.document, status } };
}

const toCode = (result: ReturnType<typeof patch>): string =>
  Array.isArray(result) ? `accepted ${result.length}` : (result as { code: string }).code;

describe('CreateTender: members that the service sets (tenders.md 3.1, 3.2)', () => {
  it('fills identifiers, owner, statuses, methods and starts of periods', () => {
    expect(created().document).toMatchObject({
      id: 'f'.repeat(32),
      owner: 'broker',
      status: 'active.enquiries',
      date: '2026-05-04T10:15:00.120034+03:00',
      procurementMethod: 'open',
      procurementMethodType: 'belowThreshold',
      submissionMethod: 'electronicAuction',
      awardCriteria: 'lowestCost',
      enquiryPeriod: { startDate: '2026-05-04T10:15:00.120034+03:00', endDate: '2026-05-10T00:00:00+03:00' },
      tenderPeriod: { startDate: '2026-05-10T00:00:00+03:00', endDate: '2026-05-20T18:00:00+03:00' },
      items: [{ id: '1'.padStart(32, '0') }],
    });
  });

  it.each([
    ['draft', 'draft'],
    ['active.tendering', 'active.enquiries'],
    ['complete', 'active.enquiries'],
  ])('accepts no status but draft: %s becomes %s', (sent, status) => {
    expect(created({ status: sent }).document.status).toBe(status);
  });

  it('ignores members that only the service may set', () => {
    const ignored = {
      id: 'mine',
      tenderID: 'mine',
      owner: 'me',
      date: '2020-01-01',
      dateModified: '2020-01-01',
      procurementMethod: 'limited',
      awardCriteria: 'singleBidOnly',
      submissionMethod: 'written',
      numberOfBids: 5,
      auctionUrl: 'http://example.org/a',
      auctionPeriod: { startDate: '2026-06-01' },
      awardPeriod: { startDate: '2026-06-01' },
      next_check: '2020-01-01',
      bids: [{ id: 'x' }],
      questions: [{}],
    };
    expect(created(ignored).document).toEqual(created().document);
  });

  it('keeps a start of the enquiry period that the client sent', () => {
    const period = { startDate: '2026-05-05', endDate: '2026-05-10' };
    expect(created({ enquiryPeriod: period }).document.enquiryPeriod?.startDate).toBe('2026-05-05T00:00:00+03:00');
  });

  it('adds the test marker to titles that lack it', () => {
    const { title, title_en, title_ru } = created({ mode: 'test', title_en: '[TESTING] x' }).document;
    expect([title, title_en, title_ru]).toEqual(['[ТЕСТУВАННЯ] Фарба', '[TESTING] x', '[ТЕСТИРОВАНИЕ] ']);
  });

  it('removes empty members', () => {
    const document = created({ features: [], lots: [], auctionPeriod: {}, description: '' }).document;
    expect(document).not.toHaveProperty('features');
    expect(document).not.toHaveProperty('lots');
    expect(document).not.toHaveProperty('auctionPeriod');
    expect(document.description).toBe('');
  });

  it('computes the amounts of a tender with lots (tenders.md 6.3)', () => {
    const lot = { title: 'x', value: { amount: 0.1, currency: 'USD' }, minimalStep: { amount: 0.05 } };
    const { value, minimalStep, guarantee, lots } = created({
      lots: [
        { ...lot, guarantee: { amount: 3, currency: 'EUR' } },
        { ...lot, value: { amount: 0.2 }, guarantee: { amount: 4, currency: 'EUR' } },
      ],
    }).document;
    expect(value).toEqual({ amount: 0.3, currency: 'UAH', valueAddedTaxIncluded: true });
    expect(minimalStep?.amount).toBe(0.05);
    expect(guarantee).toEqual({ amount: 7, currency: 'EUR' });
    expect(lots?.map((one) => [one.value.currency, one.status, one.date])).toEqual([
      ['UAH', 'active', '2026-05-04T10:15:00.120034+03:00'],
      ['UAH', 'active', '2026-05-04T10:15:00.120034+03:00'],
    ]);
  });
});

describe('CreateTender: refusals and their order (http.md 0.2, tenders.md 1.3)', () => {
  const bad = { foo: 1 };
  it.each<[string, Actor, Data, string]>([
    ['without credentials', stranger, bad, 'request.key-missing'],
    ['with an unknown key', { ...stranger, credentials: 'unknown' }, bad, 'request.key-unknown'],
    ['by a component', { ...broker, group: 'auction' }, bad, 'request.forbidden'],
    [
      'of another procedure',
      { ...broker, levels: '3' },
      { ...bad, procurementMethodType: 'reporting' },
      'tender.method-type',
    ],
    ['without level 1', { ...broker, levels: '2' }, bad, 'request.level'],
    ['with an unknown member', { ...broker, levels: '1t' }, valid(bad), 'body.invalid'],
    [
      'by a test-only broker of a real tender',
      { ...broker, levels: '1t' },
      valid({ procuringEntity: { ...(valid()['procuringEntity'] as object), kind: undefined } }),
      'request.test-only',
    ],
    [
      'without kind',
      broker,
      valid({ procuringEntity: { ...(valid()['procuringEntity'] as object), kind: undefined } }),
      'tender.kind',
    ],
  ])('%s', (_how, actor, data, code) => {
    expect(toCode(create(data, actor))).toBe(code);
  });

  it('reports a wrong content type before credentials, and credentials before an unreadable body', () => {
    const meta = { ...buildMeta(stranger), id: 'x', ownerTokenHash: HASH, transferHash: HASH };
    const refusalCode = (code: 'request.content-type' | 'body.unreadable') =>
      toCode(
        outcome(
          decideTender(undefined, { type: 'CreateTender', body: { kind: 'refused', problem: problem(code) }, meta }),
        ),
      );
    expect(refusalCode('request.content-type')).toBe('request.content-type');
    expect(refusalCode('body.unreadable')).toBe('request.key-missing');
  });

  it('accepts acceleration in the sandbox only, with STRICT_TEST_MODE for test tenders only', () => {
    const accelerated = valid({ procurementMethodDetails: 'quick, accelerator=1440', mode: 'test' });
    expect(toCode(create(accelerated))).toBe('accepted 1');
    expect(create(accelerated, broker, { sandbox: false })).toMatchObject({
      errors: [['procurementMethodDetails', 'Rogue field']],
    });
    const real = valid({ procurementMethodDetails: 'quick, accelerator=1440' });
    expect(create(real, broker, { strictTestMode: true })).toMatchObject({
      errors: [['procurementMethodDetails', ['procurementMethodDetails should be used with mode test']]],
    });
  });
});

describe('CreateTender: rules between members (tenders.md 5.4, 6.1, 6.2)', () => {
  const item = (id: string): Data => ({ description: 'x', classification: { id, description: 'x' } });
  const feature = (code: string, value: number): Data => ({ code, title: 'x', enum: [{ value, title: 'x' }] });
  const lotId = 'c'.repeat(32);
  const lot = { id: lotId, title: 'x', value: { amount: 10 }, minimalStep: { amount: 1 } };

  it.each<[string, Data, string, string]>([
    [
      'a step above the value',
      { minimalStep: { amount: 501 } },
      'minimalStep',
      'value should be less than value of tender',
    ],
    [
      'a step in another currency',
      { minimalStep: { amount: 1, currency: 'USD' } },
      'minimalStep',
      'currency should be identical to currency of value of tender',
    ],
    [
      'a step with another VAT',
      { minimalStep: { amount: 1, valueAddedTaxIncluded: false } },
      'minimalStep',
      'valueAddedTaxIncluded should be identical to valueAddedTaxIncluded of value of tender',
    ],
    [
      'tendering before enquiries end',
      { tenderPeriod: { startDate: '2026-05-09', endDate: '2026-05-20' } },
      'tenderPeriod',
      'period should begin after enquiryPeriod',
    ],
    [
      'awards before the auction ends',
      { auctionPeriod: { endDate: '2026-06-02' }, awardPeriod: { startDate: '2026-06-01' } },
      'awardPeriod',
      'period should begin after auctionPeriod',
    ],
    [
      'awards before tendering ends',
      { awardPeriod: { startDate: '2026-05-19' } },
      'awardPeriod',
      'period should begin after tenderPeriod',
    ],
    [
      'items of two classes',
      { items: [item('44810000-1'), item('44910000-1')] },
      'items',
      'CPV class of items should be identical',
    ],
    [
      'medicines of two groups',
      { items: [item('33600000-6'), item('44910000-1')] },
      'items',
      'CPV group of items be identical',
    ],
    [
      'criteria above 30 %',
      { features: [feature('a', 0.2), feature('b', 0.11)] },
      'features',
      'Sum of max value of all features should be less then or equal to 30%',
    ],
    [
      'criteria above 30 % in a lot',
      { lots: [lot], features: [feature('a', 0.2), { ...feature('b', 0.11), featureOf: 'lot', relatedItem: lotId }] },
      'features',
      'Sum of max value of all features for lot should be less then or equal to 30%',
    ],
    [
      'guarantees in two currencies',
      {
        lots: [
          { ...lot, guarantee: { amount: 1 } },
          { ...lot, id: 'd'.repeat(32), guarantee: { amount: 1, currency: 'USD' } },
        ],
      },
      'lots',
      'lot guarantee currency should be identical to tender guarantee currency',
    ],
    [
      'one address for the auctions of all lots',
      { lots: [lot], auctionUrl: 'http://example.org/' },
      'auctionUrl',
      'url should be posted for each lot',
    ],
  ])('%s', (_what, overrides, name, text) => {
    expect(create(valid(overrides))).toMatchObject({ errors: [[name, [text]]] });
  });

  it.each(['9999-12-31T23:59:59.999999', '9999-12-31T23:59:59Z'])(
    'refuses tendering until %s, which is in the year 10000 of the service zone',
    (endDate) => {
      const errors = [['tenderPeriod', { endDate: ['date value out of range'] }]];
      expect(create(valid({ tenderPeriod: { endDate } }))).toMatchObject({ errors });
      expect(patch(created(), { tenderPeriod: { endDate } })).toMatchObject({ errors });
    },
  );

  it('accepts tendering and an auction to the last second of the calendar (rulings R45)', () => {
    const endDate = '9999-12-31T23:59:59+02:00';
    const state = created({ tenderPeriod: { endDate } });
    const tendering = inStatus(state, 'active.tendering');
    const view = publicView(tendering, NOW, SETTINGS);
    expect(view).toMatchObject({ tenderPeriod: { endDate }, auctionPeriod: { shouldStartAfter: endDate } });
    const auctionPeriod = { startDate: '9999-01-01T00:00:00+02:00', endDate };
    expect(changed(patch(tendering, { auctionPeriod }, administrator))).toMatchObject({ auctionPeriod });
  });

  it('an enquiry period that ends in the past, and points to its end', () => {
    const past = valid({ enquiryPeriod: { endDate: '2026-05-01' } });
    expect(
      periodErrors({ enquiryPeriod: { startDate: '2026-05-04', endDate: '2026-05-01' } } as ReadTender),
    ).toMatchObject([{ name: 'enquiryPeriod', pointer: '/data/enquiryPeriod/endDate' }]);
    expect(create(past)).toMatchObject({
      errors: [['enquiryPeriod', { startDate: ['period should begin before its end'] }]],
    });
  });

  it.each<[string, Data]>([
    ['a step equal to the value', { minimalStep: { amount: 500 } }],
    ['medicines of one group', { items: [item('33600000-6'), item('33610000-9')] }],
    ['criteria of 30 % whose doubles add up to more', { features: [feature('a', 0.1), feature('b', 0.2)] }],
    [
      'criteria of different lots',
      {
        lots: [lot, { ...lot, id: 'd'.repeat(32) }],
        features: [
          { ...feature('a', 0.2), featureOf: 'lot', relatedItem: lotId },
          { ...feature('b', 0.2), featureOf: 'lot', relatedItem: 'd'.repeat(32) },
        ],
      },
    ],
  ])('accepts %s', (_what, overrides) => {
    expect(toCode(create(valid(overrides)))).toBe('accepted 1');
  });
});

describe('PatchTender and PutTender: callers and statuses (tenders.md 1.6, 1.7)', () => {
  const state = created();
  it.each<[string, Actor, string, string]>([
    ['the owner', owner, 'accepted 1', 'accepted 1'],
    ['the owner without token', broker, 'request.token-missing', 'request.token-missing'],
    [
      'the owner with another token',
      { ...owner, tokenHash: 'c'.repeat(64) },
      'request.token-wrong',
      'request.token-wrong',
    ],
    ['another broker with the token', { ...owner, broker: 'other' }, 'request.other-broker', 'request.other-broker'],
    ['an anonymous caller', stranger, 'request.key-missing', 'request.key-missing'],
    ['a bot', { ...broker, group: 'bots' }, 'request.forbidden', 'request.forbidden'],
    ['the auction', { ...broker, group: 'auction' }, 'request.forbidden', 'request.forbidden'],
    ['an admin', { ...broker, group: 'admins', broker: 'root' }, 'accepted 1', 'accepted 1'],
    ['chronograph', chronograph, 'accepted 0', 'request.forbidden'],
    ['the Administrator', administrator, 'accepted 0', 'accepted 0'],
  ])('%s', (_who, actor, patched, replaced) => {
    expect(toCode(patch(state, { title: 'x' }, actor))).toBe(patched);
    expect(toCode(put(state, valid({ title: 'x' }), actor))).toBe(replaced);
  });

  it('404 comes before 401', () => {
    expect(toCode(patch(undefined, {}, stranger))).toBe('object.not-found');
  });

  it.each<[TenderState['document']['status'], string, string]>([
    ['draft', 'tender.update-status', 'tender.update-status'],
    ['active.enquiries', 'accepted 1', 'accepted 1'],
    ['active.tendering', 'accepted 0', 'accepted 0'],
    ['active.auction', 'accepted 0', 'accepted 0'],
    ['active.qualification', 'accepted 0', 'accepted 0'],
    ['active.awarded', 'accepted 0', 'accepted 0'],
    ['complete', 'tender.update-status', 'tender.update-status'],
    ['cancelled', 'tender.update-status', 'tender.update-status'],
    ['unsuccessful', 'tender.update-status', 'tender.update-status'],
  ])('the owner in %s', (status, patched, replaced) => {
    expect(toCode(patch(inStatus(state, status), { title: 'x' }))).toBe(patched);
    expect(toCode(put(inStatus(state, status), valid({ title: 'x' })))).toBe(replaced);
    expect(toCode(patch(inStatus(state, status), { title: 5.5 }))).toBe('body.invalid');
  });

  it('the Administrator changes its own members in any status', () => {
    const ended = inStatus(created({ mode: 'test' }), 'complete');
    const document = changed(
      patch(ended, { status: 'active.tendering', title: 'x', procuringEntity: { kind: 'special' } }, administrator),
    );
    expect(document).toMatchObject({
      status: 'active.tendering',
      title: '[ТЕСТУВАННЯ] Фарба',
      procuringEntity: { kind: 'special' },
    });
  });

  it('the chronograph sets and removes the start of the auction', () => {
    const planned = changed(
      patch(inStatus(state, 'active.tendering'), { auctionPeriod: { startDate: '2026-05-21T11:00:00' } }, chronograph),
    );
    expect(planned.auctionPeriod).toEqual({ startDate: '2026-05-21T11:00:00+03:00' });
    const cleared = patch({ ...state, document: planned }, { auctionPeriod: { startDate: null } }, chronograph);
    expect(changed(cleared)).not.toHaveProperty('auctionPeriod');
    expect(toCode(patch(state, { id: state.id }, chronograph))).toBe('accepted 0');
    expect(toCode(patch(inStatus(state, 'complete'), { id: state.id }, chronograph))).toBe('tender.update-status');
  });
});

describe('PatchTender: merging (tenders.md 11.1)', () => {
  const state = created({
    items: [
      { id: 'a', description: 'a', quantity: 1, classification: { id: '44810000-1', description: 'x' } },
      { id: 'b', description: 'b', classification: { id: '44810000-1', description: 'x' } },
    ],
  });

  it('changes the sent members, also in nested objects', () => {
    const document = changed(patch(state, { value: { amount: 600 } }));
    expect(document).toEqual({ ...state.document, value: { ...state.document.value, amount: 600 } });
  });

  it.each<[string, Data]>([
    ['an empty body', {}],
    ['the id', { id: 'f'.repeat(32) }],
    ['a null at the top level', { title: null }],
    ['the stored values', { value: { amount: 500.0 }, title: 'Фарба' }],
    [
      'members that the owner cannot change',
      { status: 'cancelled', mode: 'test', procuringEntity: { kind: 'special' }, lots: [] },
    ],
    ['the whole tender as it was read', { ...state.document, dateModified: '2026-05-04', next_check: '2026-05-10' }],
  ])('stores nothing for %s', (_what, data) => {
    expect(patch(state, data)).toEqual([]);
  });

  it('merges lists by position, appends, and removes the rest', () => {
    const ids = (document: TenderState['document']) => document.items?.map(({ id, quantity }) => [id, quantity]);
    expect(ids(changed(patch(state, { items: [{ quantity: 6 }, {}] })))).toEqual([
      ['a', 6],
      ['b', undefined],
    ]);
    expect(ids(changed(patch(state, { items: [{}] })))).toEqual([['a', 1]]);
    const third = { description: 'c', classification: { id: '44810000-1', description: 'x' } };
    expect(ids(changed(patch(state, { items: [{}, {}, third] })))?.[2]?.[0]).toMatch(/^0{31}1$/);
    expect(toCode(patch(state, { items: [] }))).toBe('body.invalid');
  });

  it('removes a nested member by null, or resets it to its default', () => {
    const foreign = created({ value: { amount: 500, currency: 'USD' }, minimalStep: { amount: 1, currency: 'USD' } });
    const document = changed(patch(foreign, { value: { currency: null }, minimalStep: { currency: null } }));
    expect([document.value?.currency, document.minimalStep?.currency]).toEqual(['UAH', 'UAH']);
    expect(patch(state, { value: { amount: null } })).toMatchObject({
      errors: [['value', { amount: ['This field is required.'] }]],
    });
    expect(patch(state, { enquiryPeriod: { startDate: null } })).toMatchObject({
      errors: [['enquiryPeriod', { startDate: ['This field cannot be deleted'] }]],
    });
  });

  it('removes all features by an empty list', () => {
    const withFeatures = created({ features: [{ code: 'a', title: 'x', enum: [{ value: 0.1, title: 'x' }] }] });
    expect(changed(patch(withFeatures, { features: [] }))).not.toHaveProperty('features');
  });

  it('publishes a draft and changes nothing else', () => {
    const draft = created({ status: 'draft' });
    const document = changed(patch(draft, { status: 'active.enquiries', title: 'ignored' }));
    expect(document).toMatchObject({
      status: 'active.enquiries',
      title: 'Фарба',
      enquiryPeriod: draft.document.enquiryPeriod,
    });
    expect(toCode(patch(draft, {}))).toBe('accepted 0');
    expect(toCode(patch(draft, { status: 'complete' }))).toBe('tender.update-status');
  });
});

describe('PutTender (tenders.md 11.2)', () => {
  const state = created({
    description: 'x',
    features: [{ code: 'a', title: 'x', enum: [{ value: 0.1, title: 'x' }] }],
  });

  it('replaces the editable members and removes absent ones', () => {
    const document = changed(put(state, valid({ title: 'y' })));
    expect(document.title).toBe('y');
    expect(document).not.toHaveProperty('description');
    expect(document).not.toHaveProperty('features');
  });

  it('keeps members that the owner may not edit, and starts that were not sent', () => {
    const document = changed(
      put(
        state,
        valid({
          title: 'y',
          procuringEntity: { ...(valid()['procuringEntity'] as object), kind: 'special' },
          owner: 'me',
        }),
      ),
    );
    expect(document.procuringEntity?.kind).toBe('general');
    expect(document.owner).toBe('broker');
    expect(document.enquiryPeriod).toEqual(state.document.enquiryPeriod);
  });

  it('requires the same members as a creation', () => {
    expect(put(state, { title: 'y' })).toMatchObject({ code: 'body.invalid' });
  });

  it('stores nothing for the stored tender', () => {
    expect(put(state, { ...state.document })).toEqual([]);
  });
});

describe('a tender of segments 0 and 0.1 (generations.md 5.7)', () => {
  const entity = { name: 'КП', kind: 'general', identifier: { scheme: 'x' }, address: { countryName: 'Україна' } };
  const item = { description: 'x', classification: { id: '44810000-1', description: 'Фарби' }, unit: { name: 'шт' } };
  const early = { procuringEntity: entity, items: [item], awardPeriod: { startDate: '2026-05-21' } };

  it.each([
    ['2.5', 'body.invalid'],
    ['2.3', 'body.invalid'],
    ['0', 'accepted 1'],
    ['0.1', 'accepted 1'],
  ])('without contact point and unit code, on segment %s: %s', (segment, expected) => {
    expect(toCode(create(valid(early), { ...broker, segment }))).toBe(expected);
  });

  it('is changed on segment 2.5 without the members that it lacks', () => {
    const events = create(valid(early), { ...broker, segment: '0.1' });
    if (!Array.isArray(events)) throw new Error(JSON.stringify(events));
    const state = foldTender(undefined, events);
    expect(changed(patch(state, { description: 'y' })).procuringEntity).not.toHaveProperty('contactPoint');
  });

  it('has an awardPeriod of its owner on segment 0.1 only', () => {
    const state = (segment: string): TenderState => {
      const events = create(valid(early), { ...broker, segment });
      if (!Array.isArray(events)) throw new Error(JSON.stringify(events));
      return foldTender(undefined, events);
    };
    expect(state('0').document.awardPeriod).toBeUndefined();
    expect(state('0.1').document.awardPeriod).toEqual({ startDate: '2026-05-21T00:00:00+03:00' });
    const later = { awardPeriod: { startDate: '2026-05-22' } };
    const planned = changed(patch(state('0.1'), later, { ...owner, segment: '0.1' }));
    expect(planned.awardPeriod).toEqual({ startDate: '2026-05-22T00:00:00+03:00' });
    expect(patch(state('0.1'), later)).toEqual([]);
  });
});
