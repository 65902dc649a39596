import type { Actor } from '@procurement/contracts/api/actor';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import {
  bidder,
  tenderFacts,
  LOTS,
  bidMeta,
  organizationBody,
  bidBody,
  type JsonObject,
} from '../../test-support/bidding-facts.ts';
import { decideBid } from './bid.decide.ts';
import type { BiddingPhase } from './bid.ts';

interface RegisterOptions {
  readonly tender?: TenderFacts | undefined;
  readonly actor?: Actor;
  readonly now?: string;
  readonly open?: boolean;
  readonly phase?: BiddingPhase;
}

function register(
  data: JsonObject,
  { tender = tenderFacts(), actor = bidder, now = '2026-05-11', open = false, phase }: RegisterOptions = {},
) {
  const decision = decideBid(
    { tender, phase: phase ?? 'open' },
    {
      type: 'RegisterBid',
      body: { kind: 'data', data },
      meta: {
        ...bidMeta({ now, actor, open }),
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
  const [event] = decision.accepted;
  return { code: 'accepted', bid: event?.type === 'BidRegistered' ? event.bid : undefined };
}

describe('RegisterBid (bids-awards-auction.md 1.2)', () => {
  it('assigns id and date, is active unless a draft is requested, and stores no member that only the service assigns', () => {
    const { bid } = register(bidBody({ id: 'mine', date: '2020-01-01', participationUrl: 'http://example.org/' }));
    expect(bid?.document).toEqual({
      id: '1'.repeat(32),
      date: '2026-05-11T00:00:00.000000+03:00',
      status: 'active',
      tenderers: [organizationBody()],
      value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true },
    });
    expect(register(bidBody({ status: 'draft' })).bid?.document.status).toBe('draft');
  });

  it.each<[string, RegisterOptions, string]>([
    ['without credentials', { actor: ACTORS.anonymous }, 'request.key-missing'],
    ['by the auction', { actor: { ...bidder, group: 'auction' } }, 'request.forbidden'],
    ['without level 2', { actor: { ...bidder, levels: '1' } }, 'request.level'],
    ['by a test-only broker on a real tender', { actor: { ...bidder, levels: '2t' } }, 'request.test-only'],
    [
      'by a test-only broker on a test tender',
      { actor: { ...bidder, levels: '2t' }, tender: tenderFacts({ mode: 'test' }) },
      'accepted',
    ],
    ['before tendering', { tender: tenderFacts({ status: 'active.enquiries' }) }, 'bid.add-status'],
    ['after tendering', { tender: tenderFacts({ status: 'active.auction' }) }, 'bid.add-status'],
    ['before the period, in the status active.tendering', { now: '2026-05-09T23:58:59' }, 'bid.add-period'],
    ['by a clock that is a second behind', { now: '2026-05-09T23:59:59' }, 'accepted'],
    ['at the last instant of the period', { now: '2026-05-20T18:00:00' }, 'accepted'],
    ['a microsecond after the period', { now: '2026-05-20T18:00:00.000001' }, 'bid.add-period'],
    ['inside the period, after the bids were sealed', { phase: 'sealed' }, 'bid.add-period'],
    [
      'before tendering in segment 2.3 with open guards',
      { tender: tenderFacts({ status: 'active.enquiries' }), actor: { ...bidder, segment: '2.3' }, open: true },
      'accepted',
    ],
    [
      'before tendering in segment 2.5 with open guards',
      { tender: tenderFacts({ status: 'active.enquiries' }), open: true },
      'bid.add-status',
    ],
    [
      'in a final status with open guards',
      { tender: tenderFacts({ status: 'complete' }), actor: { ...bidder, segment: '2.3' }, open: true },
      'bid.add-status',
    ],
  ])('%s', (_case, options, code) => {
    expect(register(bidBody(), options).code).toBe(code);
  });

  it('reports the period as it is stored', () => {
    expect(register(bidBody(), { now: '2026-05-21' })).toMatchObject({
      errors: [
        [
          'data',
          'Bid can be added only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
        ],
      ],
    });
  });

  it('stores no empty lists', () => {
    const document = register(bidBody({ parameters: [], lotValues: [] })).bid?.document;
    expect(Object.keys(document ?? {}).sort()).toEqual(['date', 'id', 'status', 'tenderers', 'value']);
  });

  it('reports an invalid body before a wrong status', () => {
    expect(register({}, { tender: tenderFacts({ status: 'complete' }) }).code).toBe('body.invalid');
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
  const plain = tenderFacts();
  const lotted = tenderFacts({ lots });
  const featured = tenderFacts({ features: features?.slice(0, 1) });
  const inLots = tenderFacts({
    lots,
    features,
    items: [{ id: 'i', ...(LOTS[1] === undefined ? {} : { relatedLot: LOTS[1] }) }],
  });
  const lotValue = (lot: number, amount = 5, more: JsonObject = {}): JsonObject => ({
    relatedLot: LOTS[lot],
    value: { amount, ...more },
  });

  it.each<[string, JsonObject, TenderFacts, string, unknown]>([
    ['no tenderers', { tenderers: undefined }, plain, 'tenderers', required],
    [
      'two tenderers',
      { tenderers: [organizationBody(), organizationBody()] },
      plain,
      'tenderers',
      ['Please provide no more than 1 item.'],
    ],
    [
      'an organization without required members',
      { tenderers: [{ name: 'x', identifier: {} }] },
      plain,
      'tenderers',
      [{ identifier: { scheme: required, id: required }, address: required, contactPoint: required }],
    ],
    ['an unknown status', { status: 'pending' }, plain, 'status', ["Value must be one of ['active', 'draft']."]],
    ['an empty list of tenderers', { tenderers: [] }, plain, 'tenderers', ['Please provide at least 1 item.']],
    [
      'a contact point without telephone and email',
      { tenderers: [organizationBody({ contactPoint: { name: 'x' } })] },
      plain,
      'tenderers',
      [{ contactPoint: { email: ['telephone or email should be present'] } }],
    ],
    [
      'an identifier with a malformed uri',
      { tenderers: [organizationBody({ identifier: { scheme: 'UA-EDR', id: '1', uri: 'x' } })] },
      plain,
      'tenderers',
      [{ identifier: { uri: ['Not a well formed URL.'] } }],
    ],
    ['an unknown member', { price: 1 }, plain, 'price', 'Rogue field'],
    ['no value', { value: undefined }, plain, 'value', required],
    [
      'a negative amount',
      { value: { amount: -1 } },
      plain,
      'value',
      { amount: ['Float value should be greater than 0.'] },
    ],
    [
      'a currency of two letters',
      { value: { amount: 1, currency: 'UA' } },
      plain,
      'value',
      { currency: ['String value is too short.'] },
    ],
    [
      'a currency of four letters',
      { value: { amount: 1, currency: 'UAHH' } },
      plain,
      'value',
      { currency: ['String value is too long.'] },
    ],
    [
      'another currency',
      { value: { amount: 1, currency: 'USD' } },
      plain,
      'value',
      ['currency of bid should be identical to currency of value of tender'],
    ],
    [
      'several errors in the value: reports the amount',
      { value: { amount: 501, currency: 'USD', valueAddedTaxIncluded: false } },
      plain,
      'value',
      ['value of bid should be less than value of tender'],
    ],
    [
      'a lot value for a tender without lots',
      { lotValues: [lotValue(0)] },
      plain,
      'lotValues',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ],
    [
      'an amount above the limit',
      { value: { amount: 500.01 } },
      plain,
      'value',
      ['value of bid should be less than value of tender'],
    ],
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
    ['an empty list of lot values', { value: undefined, lotValues: [] }, lotted, 'lotValues', required],
    [
      'a lot value without relatedLot',
      { value: undefined, lotValues: [{ value: { amount: 1 } }] },
      lotted,
      'lotValues',
      [{ relatedLot: required }],
    ],
    [
      'another VAT for a lot',
      { value: undefined, lotValues: [lotValue(0, 1, { valueAddedTaxIncluded: false })] },
      lotted,
      'lotValues',
      [{ value: ['valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of lot'] }],
    ],
    [
      'errors in some lots: reports these and no others',
      {
        value: undefined,
        lotValues: [lotValue(0, 11), lotValue(1), { relatedLot: 'c'.repeat(32), value: { amount: 1 } }],
      },
      lotted,
      'lotValues',
      [
        { value: ['value of bid should be less than value of lot'] },
        { relatedLot: ['relatedLot should be one of lots'] },
      ],
    ],
    [
      'the same lot twice and an amount above the limit: reports the amount',
      { value: undefined, lotValues: [lotValue(0), lotValue(0, 11)] },
      lotted,
      'lotValues',
      [{ value: ['value of bid should be less than value of lot'] }],
    ],
    ['an empty list of parameters', { parameters: [] }, featured, 'parameters', required],
    [
      'parameters for a tender without features',
      { parameters: [{ code: 'x', value: 1 }] },
      plain,
      'parameters',
      [{ code: ['code should be one of feature code.'] }],
    ],
    [
      'a draft, checked as an active bid',
      { status: 'draft', value: { amount: 501 } },
      plain,
      'value',
      ['value of bid should be less than value of tender'],
    ],
    [
      'an unknown lot',
      { value: undefined, lotValues: [{ relatedLot: 'c'.repeat(32), value: { amount: 1 } }] },
      lotted,
      'lotValues',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ],
    [
      'an amount above the limit of a lot',
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
      'the same lot twice',
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
      'the same code twice',
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
      'no parameters in a tender with lots',
      { value: undefined, lotValues: [lotValue(0)] },
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
    expect(register(bidBody(overrides), { tender })).toMatchObject({
      code: expect.stringMatching(/^(?:body\.invalid|bid\.terms)$/),
      errors: [[name, description]],
    });
  });

  it.each<[string, JsonObject, TenderFacts]>([
    ['an amount equal to the limit', { value: { amount: 500 } }, plain],
    ['both lots', { value: undefined, lotValues: [lotValue(0), lotValue(1)] }, lotted],
    [
      'parameters for the features of its lots',
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
    expect(register(bidBody(overrides), { tender }).code).toBe('accepted');
  });

  it('requires fewer members of a tenderer in an older segment (rulings R13)', () => {
    const early = bidBody({ tenderers: [{ name: 'x', identifier: { scheme: 'anything' } }] });
    expect(register(early, { actor: { ...bidder, segment: '2.3' } }).code).toBe('accepted');
    expect(register(early).code).toBe('body.invalid');
  });
});

describe('RegisterBid without parameters for features (rulings R13, generations.md 5.6)', () => {
  const features = [{ code: 'a', featureOf: 'tenderer', enum: [{ value: 0.1 }] }];

  it.each([
    ['2.5', 'bid.terms'],
    ['2.3', 'accepted'],
    ['0', 'accepted'],
    ['0.1', 'bid.terms'],
  ])('by segment %s: %s', (segment, code) => {
    expect(register(bidBody(), { tender: tenderFacts({ features }), actor: { ...bidder, segment } }).code).toBe(code);
  });

  it('checks parameters that are sent in every segment', () => {
    const parameters = [{ code: 'b', value: 0.1 }];
    const tender = tenderFacts({ features });
    expect(register(bidBody({ parameters }), { tender, actor: { ...bidder, segment: '2.3' } }).code).toBe('bid.terms');
  });
});
