import type { Actor } from '@procurement/contracts/actor';
import { instantOf } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { describe, expect, it } from 'vitest';
import { decideBid } from './bid.decide.ts';
import { visibilityOf } from './bid.visibility.ts';

type Data = Readonly<Record<string, unknown>>;

const bidder: Actor = { broker: 'broker2', group: 'brokers', levels: '12', segment: '2.5' };
const LOTS = ['a', 'b'].map((letter) => letter.repeat(32));

function facts(overrides: Partial<TenderFacts> = {}): TenderFacts {
  return {
    id: 'f'.repeat(32),
    version: 1,
    tenderID: 'UA-2026-05-04-000001',
    status: 'active.tendering',
    owner: 'broker1',
    ownerTokenHash: 'c'.repeat(64),
    value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
    tenderPeriod: { startDate: '2026-05-10T00:00:00+03:00', endDate: '2026-05-20T18:00:00+03:00' },
    ...overrides,
  };
}

function organization(overrides: Data = {}): Data {
  return {
    name: 'ДУС',
    identifier: { scheme: 'UA-EDR', id: '00037256' },
    address: { countryName: 'Україна' },
    contactPoint: { name: 'ДУС', telephone: '0440000000' },
    ...overrides,
  };
}

interface Wish {
  readonly tender?: TenderFacts | undefined;
  readonly actor?: Actor;
  readonly now?: string;
  readonly open?: boolean;
}

function register(data: Data, { tender = facts(), actor = bidder, now = '2026-05-11', open = false }: Wish = {}) {
  const decision = decideBid(
    { tender },
    {
      type: 'RegisterBid',
      body: { kind: 'data', data },
      meta: {
        now: instantOf(now),
        actor,
        settings: { legacyGuardsOpen: open },
        id: '1'.repeat(32),
        ownerTokenHash: 'd'.repeat(64),
        transferHash: 'e'.repeat(64),
      },
    },
  );
  if ('refused' in decision) {
    const { code, errors } = decision.refused;
    return { code, errors: errors.map(({ name, description }) => [name, description]) };
  }
  return { code: 'accepted', bid: decision.accepted[0]?.bid };
}

const valid = (overrides: Data = {}): Data => ({ tenderers: [organization()], value: { amount: 489 }, ...overrides });

describe('RegisterBid (bids-awards-auction.md 1.2)', () => {
  it('assigns id and date, is active unless a draft is asked for, and keeps nothing it should not', () => {
    const { bid } = register(valid({ id: 'mine', date: '2020-01-01', participationUrl: 'http://example.org/' }));
    expect(bid?.document).toEqual({
      id: '1'.repeat(32),
      date: '2026-05-11T00:00:00.000000+03:00',
      status: 'active',
      tenderers: [organization()],
      value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true },
    });
    expect(register(valid({ status: 'draft' })).bid?.document.status).toBe('draft');
  });

  it.each<[string, Wish, string]>([
    [
      'without credentials',
      { actor: { group: 'anonymous', credentials: 'missing', levels: '', segment: '2.5' } },
      'request.key-missing',
    ],
    ['by the auction', { actor: { ...bidder, group: 'auction' } }, 'request.forbidden'],
    ['without level 2', { actor: { ...bidder, levels: '1' } }, 'request.level'],
    ['by a test-only broker on a real tender', { actor: { ...bidder, levels: '2t' } }, 'request.test-only'],
    [
      'by a test-only broker on a test tender',
      { actor: { ...bidder, levels: '2t' }, tender: facts({ mode: 'test' }) },
      'accepted',
    ],
    ['before tendering', { tender: facts({ status: 'active.enquiries' }) }, 'bid.add-status'],
    ['after tendering', { tender: facts({ status: 'active.auction' }) }, 'bid.add-status'],
    ['before the period, though the status says otherwise', { now: '2026-05-09T23:59:59' }, 'bid.add-period'],
    ['in the last instant', { now: '2026-05-20T18:00:00' }, 'accepted'],
    ['a microsecond late', { now: '2026-05-20T18:00:00.000001' }, 'bid.add-period'],
    [
      'early in segment 2.3 with open guards',
      { tender: facts({ status: 'active.enquiries' }), actor: { ...bidder, segment: '2.3' }, open: true },
      'accepted',
    ],
    [
      'early in segment 2.5 with open guards',
      { tender: facts({ status: 'active.enquiries' }), open: true },
      'bid.add-status',
    ],
    [
      'in a final status with open guards',
      { tender: facts({ status: 'complete' }), actor: { ...bidder, segment: '2.3' }, open: true },
      'bid.add-status',
    ],
  ])('%s', (_how, wish, code) => {
    expect(register(valid(), wish).code).toBe(code);
  });

  it('tells the period as it is stored', () => {
    expect(register(valid(), { now: '2026-05-21' })).toMatchObject({
      errors: [
        [
          'data',
          'Bid can be added only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
        ],
      ],
    });
  });

  it('lets a bad body in a wrong status be a bad body', () => {
    expect(register({}, { tender: facts({ status: 'complete' }) }).code).toBe('body.invalid');
  });
});

describe('RegisterBid: fields and terms (bids-awards-auction.md 1.3)', () => {
  const required = ['This field is required.'];
  const lots = LOTS.map((id) => ({
    id,
    status: 'active',
    value: { amount: 10, currency: 'UAH', valueAddedTaxIncluded: true },
  }));
  const features = [
    { code: 'all', featureOf: 'tenderer', enum: [{ value: 0.1 }, { value: 0.2 }] },
    { code: 'lot', featureOf: 'lot', relatedItem: LOTS[0], enum: [{ value: 0.1 }] },
    { code: 'item', featureOf: 'item', relatedItem: 'i', enum: [{ value: 0.1 }] },
  ] as TenderFacts['features'];
  const plain = facts();
  const lotted = facts({ lots });
  const featured = facts({ features: features?.slice(0, 1) });
  const inLots = facts({
    lots,
    features,
    items: [{ id: 'i', ...(LOTS[1] === undefined ? {} : { relatedLot: LOTS[1] }) }],
  });
  const lotValue = (lot: number, amount = 5, more: Data = {}): Data => ({
    relatedLot: LOTS[lot],
    value: { amount, ...more },
  });

  it.each<[string, Data, TenderFacts, string, unknown]>([
    ['nobody', { tenderers: undefined }, plain, 'tenderers', required],
    [
      'two bidders',
      { tenderers: [organization(), organization()] },
      plain,
      'tenderers',
      ['Please provide no more than 1 item.'],
    ],
    [
      'an organization of nothing',
      { tenderers: [{ name: 'x', identifier: {} }] },
      plain,
      'tenderers',
      [{ identifier: { scheme: required, id: required }, address: required, contactPoint: required }],
    ],
    ['an unknown status', { status: 'pending' }, plain, 'status', ["Value must be one of ['active', 'draft']."]],
    ['no value', { value: undefined }, plain, 'value', required],
    ['too much', { value: { amount: 500.01 } }, plain, 'value', ['value of bid should be less than value of tender']],
    [
      'another VAT',
      { value: { amount: 1, valueAddedTaxIncluded: false } },
      plain,
      'value',
      ['valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of tender'],
    ],
    [
      'a value for a tender with lots',
      { lotValues: [lotValue(0)] },
      lotted,
      'value',
      ['value should be posted for each lot of bid'],
    ],
    ['no lot values', { value: undefined }, lotted, 'lotValues', required],
    [
      'an unknown lot',
      { value: undefined, lotValues: [{ relatedLot: 'c'.repeat(32), value: { amount: 1 } }] },
      lotted,
      'lotValues',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ],
    [
      'too much for a lot',
      { value: undefined, lotValues: [lotValue(0, 11)] },
      lotted,
      'lotValues',
      [{ value: ['value of bid should be less than value of lot'] }],
    ],
    [
      'another currency for a lot',
      { value: undefined, lotValues: [lotValue(0, 1, { currency: 'USD' })] },
      lotted,
      'lotValues',
      [{ value: ['currency of bid should be identical to currency of value of lot'] }],
    ],
    [
      'one lot twice',
      { value: undefined, lotValues: [lotValue(0), lotValue(0)] },
      lotted,
      'lotValues',
      ["bids don't allow duplicated proposals"],
    ],
    ['no parameters', {}, featured, 'parameters', required],
    [
      'an unknown code',
      { parameters: [{ code: 'x', value: 0.1 }] },
      featured,
      'parameters',
      [{ code: ['code should be one of feature code.'] }],
    ],
    [
      'an unknown option',
      { parameters: [{ code: 'all', value: 0.15 }] },
      featured,
      'parameters',
      [{ value: ['value should be one of feature value.'] }],
    ],
    [
      'one code twice',
      {
        parameters: [
          { code: 'all', value: 0.1 },
          { code: 'all', value: 0.2 },
        ],
      },
      featured,
      'parameters',
      ['Parameter code should be uniq for all parameters'],
    ],
    [
      'a code of another lot',
      {
        value: undefined,
        lotValues: [lotValue(0)],
        parameters: [
          { code: 'all', value: 0.1 },
          { code: 'lot', value: 0.1 },
          { code: 'item', value: 0.1 },
        ],
      },
      inLots,
      'parameters',
      ['All features parameters is required.'],
    ],
    [
      'a code missing',
      { value: undefined, lotValues: [lotValue(0)], parameters: [{ code: 'all', value: 0.1 }] },
      inLots,
      'parameters',
      ['All features parameters is required.'],
    ],
  ])('%s', (_what, overrides, tender, name, description) => {
    expect(register(valid(overrides), { tender })).toMatchObject({
      code: 'body.invalid',
      errors: [[name, description]],
    });
  });

  it.each<[string, Data, TenderFacts]>([
    ['the whole value', { value: { amount: 500 } }, plain],
    ['both lots', { value: undefined, lotValues: [lotValue(0), lotValue(1)] }, lotted],
    [
      'the criteria of its lots',
      {
        value: undefined,
        lotValues: [lotValue(1)],
        parameters: [
          { code: 'all', value: 0.2 },
          { code: 'item', value: 0.1 },
        ],
      },
      inLots,
    ],
  ])('accepts %s', (_what, overrides, tender) => {
    expect(register(valid(overrides), { tender }).code).toBe('accepted');
  });

  it('asks less of a bidder in an older segment (rulings R13)', () => {
    const early = valid({ tenderers: [{ name: 'x', identifier: { scheme: 'anything' } }] });
    expect(register(early, { actor: { ...bidder, segment: '2.3' } }).code).toBe('accepted');
    expect(register(early).code).toBe('body.invalid');
  });
});

describe('visibility (bids-awards-auction.md 1.5, rulings R3)', () => {
  it.each([
    ['draft', 'early'],
    ['active.enquiries', 'early'],
    ['active.tendering', 'sealed'],
    ['active.auction', 'sealed'],
    ['active.qualification', 'open'],
    ['active.awarded', 'open'],
    ['complete', 'open'],
    ['unsuccessful', 'open'],
    ['cancelled', 'open'],
    ['a status of next year', 'sealed'],
  ])('%s is %s', (status, visibility) => {
    expect(visibilityOf(status, bidder, false)).toBe(visibility);
    expect(visibilityOf(status, bidder, true)).toBe(visibility);
    expect(visibilityOf(status, { ...bidder, segment: '2.3' }, true)).toBe('open');
    expect(visibilityOf(status, { ...bidder, segment: '2.3' }, false)).toBe(visibility);
  });
});
