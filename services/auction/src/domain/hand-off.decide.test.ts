import type { AuctionResults } from '@procurement/contracts/events/auction.events';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ACTORS } from '@procurement/testing/actors';
import { FORBIDDEN, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  tenderInAuction,
  tenderInAuctionWithLots,
  BIDS,
  handOffMeta,
  LOT_1,
  LOT_2,
  LOT_BIDS,
  REPORTED_AT,
  BID_X,
  BID_Y,
  type MetaOptions,
  type JsonObject,
} from '../../test-support/hand-off-facts.ts';
import { decideHandOff, readCommand, type HandOffRequest } from './hand-off.decide.ts';
import type { Addresses, HandOffEvent, OfferedBid } from './hand-off.ts';

interface SentOptions extends MetaOptions {
  readonly tender?: TenderFacts;
  readonly bids?: readonly OfferedBid[];
  readonly lot?: string;
  readonly recorded?: AuctionResults;
  readonly addresses?: Addresses;
  readonly body?: HandOffRequest['body'];
}

const NONE: Addresses = { auctions: [], bids: [] };
const URL = 'https://auction.example.org/tenders/7e1b';
const link = (bid: string): string => `${URL}/login?bidder_id=${bid}`;

/** The events or the refusal of one request. */
function decide(
  method: 'PATCH' | 'POST',
  data: JsonObject,
  options: SentOptions = {},
): readonly HandOffEvent[] | Problem {
  const tender = options.tender ?? tenderInAuction();
  const bids = options.bids ?? ((tender.lots ?? []).length > 0 ? LOT_BIDS : BIDS);
  const meta = handOffMeta(options);
  const reading = readCommand(tender, { method, lot: options.lot, body: options.body ?? { kind: 'data', data } }, meta);
  if ('refused' in reading) return reading.refused;
  const { recorded, addresses = NONE } = options;
  const decision = decideHandOff({ tender, bids, recorded, addresses }, reading.command, meta);
  return 'refused' in decision ? decision.refused : decision.accepted;
}

const post = (data: JsonObject, options?: SentOptions) => decide('POST', data, options);
const patch = (data: JsonObject, options?: SentOptions) => decide('PATCH', data, options);

/** `accepted` with its events, or status, then name and description of each error. */
function outcomeForClient(outcome: ReturnType<typeof decide>): readonly unknown[] {
  if (!('status' in outcome)) return ['accepted', ...outcome];
  return [outcome.status, ...outcome.errors.flatMap(({ name, description }) => [name, description])];
}

const reported = (results: readonly JsonObject[], lot?: string) => [
  'accepted',
  {
    type: 'ResultsReported',
    results: { id: tenderInAuction().id, ...(lot === undefined ? {} : { lot }), results },
    at: REPORTED_AT,
  },
];

const value = (amount: number) => ({ value: { amount } });
const RESULTS = [
  { id: BID_X, amount: 390 },
  { id: BID_Y, amount: 400 },
];
const BOTH = { bids: [value(390), value(400)] };

describe('POST /tenders/{id}/auction: matching of entries (bids-awards-auction.md 2.3, 2.5)', () => {
  it.each<readonly [string, JsonObject, readonly JsonObject[]]>([
    ['by position', BOTH, RESULTS],
    [
      'by id',
      {
        bids: [
          { id: BID_Y, ...value(400) },
          { id: BID_X, ...value(390) },
        ],
      },
      RESULTS,
    ],
    ['by both', { bids: [{ id: BID_X, ...value(390) }, value(400)] }, RESULTS],
    ['an empty entry keeps the bid', { bids: [{}, value(400)] }, [{ id: BID_X }, { id: BID_Y, amount: 400 }]],
    ['without bids all are kept', {}, [{ id: BID_X }, { id: BID_Y }]],
    [
      'an entry with a date only',
      { bids: [{ date: '2017-02-16T11:29:50+02:00' }, {}] },
      [{ id: BID_X, date: '2017-02-16T11:29:50+02:00' }, { id: BID_Y }],
    ],
    [
      'the whole record is sent back',
      { bids: BIDS, tenderID: 'x', items: [], status: 'active.auction' },
      [
        { id: BID_X, amount: 469, date: BIDS[0]?.date },
        { id: BID_Y, amount: 479, date: BIDS[1]?.date },
      ],
    ],
  ])('%s', (_, data, results) => {
    expect(outcomeForClient(post(data))).toEqual(reported(results));
  });

  it('accepts an amount that is higher than the bid before the auction', () => {
    expect(outcomeForClient(post({ bids: [value(500), value(479)] }))).toEqual(
      reported([
        { id: BID_X, amount: 500 },
        { id: BID_Y, amount: 479 },
      ]),
    );
  });

  it.each<readonly [string, JsonObject]>([
    ['by position', { bids: [{ lotValues: [value(400), {}] }, { lotValues: [value(410), {}] }] }],
    [
      'by lot',
      {
        bids: [
          { lotValues: [{ relatedLot: LOT_2 }, { relatedLot: LOT_1, ...value(400) }] },
          { lotValues: [{ relatedLot: LOT_2 }, { relatedLot: LOT_1, ...value(410) }] },
        ],
      },
    ],
    [
      'ignoring other lots',
      { bids: [{ lotValues: [value(400), value(1)] }, { lotValues: [value(410), value(9_999)] }] },
    ],
  ])('of a lot %s', (_, data) => {
    const results = [
      { id: BID_X, amount: 400 },
      { id: BID_Y, amount: 410 },
    ];
    expect(outcomeForClient(post(data, { tender: tenderInAuctionWithLots(), lot: LOT_1 }))).toEqual(
      reported(results, LOT_1),
    );
  });

  it('leaves out bids without an offer for the lot', () => {
    const [x] = LOT_BIDS;
    const y: OfferedBid = { id: BID_Y, lotValues: [{ relatedLot: LOT_2 }] };
    const options = { tender: tenderInAuctionWithLots(), lot: LOT_1, bids: [...(x === undefined ? [] : [x]), y] };
    expect(outcomeForClient(post({}, options))).toEqual(reported([{ id: BID_X }], LOT_1));
  });

  it('has no effect without a lot on a tender with lots', () => {
    expect(outcomeForClient(post({ bids: [{}, {}] }, { tender: tenderInAuctionWithLots() }))).toEqual(['accepted']);
  });
});

const NUMBER = 'Number of auction results did not match the number of tender bids';
const IDS = 'Auction bids should be identical to the tender bids';
const buildTwoLotValues = (relatedLot: string) => ({ lotValues: [{ relatedLot }, { relatedLot }] });

describe('refusals (bids-awards-auction.md 2.4)', () => {
  const lotted = { tender: tenderInAuctionWithLots() };
  it.each<readonly [string, 'PATCH' | 'POST', JsonObject, SentOptions, readonly unknown[]]>([
    ['no credentials', 'POST', {}, { actor: ACTORS.anonymous }, UNAUTHORIZED],
    ['no auction role', 'POST', {}, { actor: ACTORS.otherBroker }, FORBIDDEN],
    ['no auction role', 'PATCH', {}, { actor: ACTORS.otherBroker, ownsTender: true }, FORBIDDEN],
    [
      'status',
      'PATCH',
      { auctionUrl: URL },
      { tender: tenderInAuction({ status: 'active.tendering' }) },
      [403, 'data', "Can't update auction urls in current (active.tendering) tender status"],
    ],
    [
      'status',
      'POST',
      BOTH,
      { tender: tenderInAuction({ status: 'active.awarded' }) },
      [403, 'data', "Can't report auction results in current (active.awarded) tender status"],
    ],
    [
      'cancelled',
      'POST',
      BOTH,
      { tender: tenderInAuction({ status: 'cancelled' }), bids: [] },
      [403, 'data', "Can't report auction results in current (cancelled) tender status"],
    ],
    [
      'lot',
      'PATCH',
      {},
      { tender: tenderInAuctionWithLots({ status: 'cancelled' }), lot: LOT_2 },
      [403, 'data', 'Can update auction urls only in active lot status'],
    ],
    [
      'lot',
      'POST',
      {},
      { tender: tenderInAuctionWithLots({ status: 'cancelled' }), lot: LOT_2 },
      [403, 'data', 'Can report auction results only in active lot status'],
    ],
    ['unknown member', 'POST', { bids: [{ invalid_field: 1 }] }, {}, [422, 'bids', { invalid_field: 'Rogue field' }]],
    ['unknown member of the body', 'POST', { surprise: 1 }, {}, [422, 'surprise', 'Rogue field']],
    [
      'id of a wrong length',
      'POST',
      { bids: [{ id: 'x' }] },
      {},
      [422, 'bids', { id: ['Hash value is wrong length.'] }],
    ],
    [
      'amount below zero',
      'POST',
      { bids: [value(-1), {}] },
      {},
      [422, 'bids', [{ value: { amount: ['Float value should be greater than 0.'] } }]],
    ],
    ['fewer entries', 'POST', { bids: [{}] }, {}, [422, 'bids', NUMBER]],
    ['more entries', 'PATCH', { bids: [{}, {}, {}] }, {}, [422, 'bids', NUMBER]],
    ['a foreign id', 'POST', { bids: [{ id: BID_X }, { id: 'f'.repeat(32) }] }, {}, [422, 'bids', IDS]],
    ['one id twice', 'POST', { bids: [{ id: BID_X }, { id: BID_X }] }, {}, [422, 'bids', IDS]],
    ['an id and a position for one bid', 'POST', { bids: [{ id: BID_Y }, {}] }, {}, [422, 'bids', IDS]],
    [
      'number of lots',
      'PATCH',
      { lots: [{}] },
      { ...lotted, lot: LOT_1 },
      [422, 'lots', 'Number of lots did not match the number of tender lots'],
    ],
    [
      'lots of a tender without any',
      'PATCH',
      { lots: [{}] },
      {},
      [422, 'lots', 'Number of lots did not match the number of tender lots'],
    ],
    [
      'foreign lots',
      'PATCH',
      { lots: [{ id: LOT_1 }, { id: 'f'.repeat(32) }] },
      { ...lotted, lot: LOT_1 },
      [422, 'lots', 'Auction lots should be identical to the tender lots'],
    ],
    [
      'number of lot values',
      'POST',
      { bids: [{ lotValues: [{}] }, {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ lotValues: ['Number of lots of auction results did not match the number of tender lots'] }]],
    ],
    [
      'a lot not bid for',
      'POST',
      { bids: [{ lotValues: [{}, { relatedLot: 'f'.repeat(32) }] }, {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ lotValues: [{ relatedLot: ['relatedLot should be one of lots of bid'] }] }]],
    ],
    [
      'auctionUrl with lots',
      'PATCH',
      { auctionUrl: URL },
      lotted,
      [422, 'auctionUrl', ['url should be posted for each lot']],
    ],
    [
      'participationUrl with lots',
      'PATCH',
      { bids: [{ participationUrl: URL }, {}] },
      lotted,
      [422, 'bids', [{ participationUrl: ['url should be posted for each lot of bid'] }]],
    ],
    [
      'amount above the tender',
      'POST',
      { bids: [value(501), {}] },
      {},
      [422, 'bids', [{ value: ['value of bid should be less than value of tender'] }]],
    ],
    [
      'another currency',
      'POST',
      { bids: [{ value: { currency: 'USD' } }, {}] },
      {},
      [422, 'bids', [{ value: ['currency of bid should be identical to currency of value of tender'] }]],
    ],
    [
      'other VAT',
      'POST',
      { bids: [{ value: { valueAddedTaxIncluded: false } }, {}] },
      {},
      [
        422,
        'bids',
        [{ value: ['valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of tender'] }],
      ],
    ],
    [
      'amount above the lot',
      'POST',
      { bids: [{ lotValues: [value(501), {}] }, {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ lotValues: [{ value: ['value of bid should be less than value of lot'] }] }]],
    ],
    [
      'a value for all lots',
      'POST',
      { bids: [value(1), {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ value: ['value should be posted for each lot of bid'] }]],
    ],
    [
      'two results for a lot',
      'POST',
      { bids: [buildTwoLotValues(LOT_1), {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ lotValues: ["bids don't allow duplicated proposals"] }]],
    ],
    [
      'two results for a lot, one of them by its place',
      'POST',
      { bids: [{ lotValues: [{}, { relatedLot: LOT_1 }] }, {}] },
      { ...lotted, lot: LOT_1 },
      [422, 'bids', [{ lotValues: ["bids don't allow duplicated proposals"] }]],
    ],
    ['an unknown lot', 'POST', {}, { ...lotted, lot: 'f'.repeat(32) }, [404, 'auction_lot_id', 'Not Found']],
    ['a lot of a tender without any', 'PATCH', {}, { lot: LOT_1 }, [404, 'auction_lot_id', 'Not Found']],
  ])('%s: %s', (_, method, data, options, refusal) => {
    expect(outcomeForClient(decide(method, data, options))).toEqual(refusal);
  });

  const early = tenderInAuction({ status: 'active.tendering' });
  const unreadable = { kind: 'refused', problem: problem('body.unreadable') } as const;
  const wrongType = { kind: 'refused', problem: problem('request.content-type') } as const;
  it.each<readonly [string, SentOptions, JsonObject, number]>([
    ['404 of the lot before 415', { lot: LOT_1, body: wrongType }, {}, 404],
    ['415 before 401', { actor: ACTORS.anonymous, body: wrongType }, {}, 415],
    ['401 before an unreadable body', { actor: ACTORS.anonymous, body: unreadable }, {}, 401],
    ['403 of the role before an unreadable body', { actor: ACTORS.otherBroker, body: unreadable }, {}, 403],
    ['422 of a member before the status', { tender: early }, { bids: [{ id: 'x' }] }, 422],
    ['422 of the terms before the status', { tender: early }, { bids: [value(501), {}] }, 422],
    ['the status before the number of entries', { tender: early }, { bids: [{}] }, 403],
  ])('order: %s', (_, options, data, status) => {
    expect(outcomeForClient(post(data, options))[0]).toBe(status);
  });
});

describe('POST /tenders/{id}/auction: a second report (bids-awards-auction.md 2.5)', () => {
  const recorded: AuctionResults = { id: tenderInAuction().id, results: RESULTS };
  const refused = (status: string) => [
    403,
    'data',
    `Can't report auction results in current (${status}) tender status`,
  ];

  it.each(['active.auction', 'active.qualification', 'active.awarded'])(
    'accepts the same results in %s without an event',
    (status) => {
      expect(outcomeForClient(post(BOTH, { recorded, tender: tenderInAuction({ status }) }))).toEqual(['accepted']);
    },
  );

  it.each(['complete', 'unsuccessful', 'cancelled'])('refuses the same results in %s', (status) => {
    expect(outcomeForClient(post(BOTH, { recorded, tender: tenderInAuction({ status }) }))).toEqual(refused(status));
  });

  it.each<readonly [string, JsonObject]>([
    ['another amount', { bids: [value(389), value(400)] }],
    ['an amount left out', { bids: [{}, value(400)] }],
    ['a date added', { bids: [{ ...value(390), date: '2017-02-16' }, value(400)] }],
    ['another number of bids', { bids: [value(390)] }],
  ])('refuses %s', (_, data) => {
    const tender = tenderInAuction({ status: 'active.qualification' });
    expect(outcomeForClient(post(data, { recorded, tender }))).toEqual(refused('active.qualification'));
  });

  it('refuses other results before the first ones have taken effect', () => {
    expect(outcomeForClient(post({ bids: [value(389), value(400)] }, { recorded }))).toEqual(refused('active.auction'));
  });

  it('compares results independent of the order of bids and the format of dates', () => {
    const first = { ...recorded, results: RESULTS.map((one) => ({ ...one, date: '2017-02-16T11:29:50+02:00' })) };
    const date = '2017-02-16T09:29:50.000Z';
    const repeated = {
      bids: [
        { id: BID_Y, date, ...value(400) },
        { id: BID_X, date, ...value(390.0) },
      ],
    };
    expect(outcomeForClient(post(repeated, { recorded: first }))).toEqual(['accepted']);
  });

  it('refuses the same results of a cancelled lot', () => {
    const ofLot = { id: tenderInAuction().id, lot: LOT_2, results: [{ id: BID_X }, { id: BID_Y }] };
    const tender = tenderInAuctionWithLots({ status: 'cancelled' }, { status: 'active.qualification' });
    expect(outcomeForClient(post({}, { recorded: ofLot, tender, lot: LOT_2 }))).toEqual(
      refused('active.qualification'),
    );
  });
});

describe('PATCH /tenders/{id}/auction: addresses (bids-awards-auction.md 2.3)', () => {
  const published = (bids: readonly JsonObject[], auctionUrl: string | undefined = URL, lot?: string) => [
    'accepted',
    {
      type: 'AddressesPublished',
      ...(lot === undefined ? {} : { lot }),
      ...(auctionUrl === undefined ? {} : { auctionUrl }),
      bids,
    },
  ];
  const links = [BID_X, BID_Y].map((id) => ({ id, participationUrl: link(id) }));

  it.each<readonly [string, JsonObject, readonly JsonObject[]]>([
    ['by id', { auctionUrl: URL, bids: [...links].reverse() }, links],
    ['by position', { auctionUrl: URL, bids: links.map(({ participationUrl }) => ({ participationUrl })) }, links],
    ['of the auction alone', { auctionUrl: URL }, []],
    ['with values that have no effect', { auctionUrl: URL, bids: [{ ...value(9_999) }, {}] }, []],
  ])('%s', (_, data, bids) => {
    expect(outcomeForClient(patch(data))).toEqual(published(bids));
  });

  it.each<readonly [string, JsonObject]>([
    [
      'with the whole record',
      {
        lots: [{ id: LOT_2 }, { id: LOT_1, auctionUrl: URL }],
        bids: LOT_BIDS.map(({ id, lotValues = [] }) => ({
          id,
          lotValues: lotValues.map((one) => (one.relatedLot === LOT_1 ? { ...one, participationUrl: link(id) } : one)),
        })),
      },
    ],
    [
      'by position',
      {
        lots: [{ auctionUrl: URL }, {}],
        bids: [BID_X, BID_Y].map((id) => ({ lotValues: [{ participationUrl: link(id) }, {}] })),
      },
    ],
    [
      'ignoring other lots',
      {
        lots: [{ auctionUrl: URL }, { auctionUrl: `${URL}/2` }],
        bids: [BID_X, BID_Y].map((id) => ({ lotValues: [{ participationUrl: link(id) }, { participationUrl: URL }] })),
      },
    ],
  ])('of a lot %s', (_, data) => {
    const ofLot = links.map((one) => ({ ...one, lot: LOT_1 }));
    expect(outcomeForClient(patch(data, { tender: tenderInAuctionWithLots(), lot: LOT_1 }))).toEqual(
      published(ofLot, URL, LOT_1),
    );
  });

  it('emits only new addresses, which replace earlier ones', () => {
    const addresses: Addresses = { auctions: [{ auctionUrl: URL }], bids: links };
    expect(outcomeForClient(patch({ auctionUrl: URL, bids: links }, { addresses }))).toEqual(['accepted']);
    const moved = { id: BID_Y, participationUrl: `${link(BID_Y)}&moved` };
    const data = { auctionUrl: URL, bids: [{}, { participationUrl: moved.participationUrl }] };
    expect(patch(data, { addresses })).toEqual([{ type: 'AddressesPublished', bids: [moved] }]);
  });

  it('has no effect without a lot on a tender with lots', () => {
    expect(outcomeForClient(patch({ lots: [{ auctionUrl: URL }, {}] }, { tender: tenderInAuctionWithLots() }))).toEqual(
      ['accepted'],
    );
  });
});

describe('PATCH /tenders/{id}/auction: values only (bids-awards-auction.md 2.7)', () => {
  const test = tenderInAuction({ mode: 'test' });
  const owner = { actor: ACTORS.otherBroker, ownsTender: true, segment: '2.3' } as const;
  const sandbox = { settings: { sandbox: true } } as const;
  const open = { settings: { sandbox: true, legacyGuardsOpen: true } } as const;
  const forbidden = FORBIDDEN;

  it.each(['2.3', '0', '0.1'])('reports results in segment %s', (segment) => {
    expect(outcomeForClient(patch(BOTH, { segment }))).toEqual(reported(RESULTS));
    expect(
      outcomeForClient(patch(BOTH, { segment, tender: tenderInAuction({ status: 'active.qualification' }) })),
    ).toEqual([403, 'data', "Can't report auction results in current (active.qualification) tender status"]);
  });

  it('has no effect in segment 2.5', () => {
    expect(outcomeForClient(patch(BOTH))).toEqual(['accepted']);
  });

  it.each<readonly [string, JsonObject, SentOptions, readonly unknown[]]>([
    ['of a test tender in the sandbox may report', BOTH, { ...owner, ...sandbox, tender: test }, reported(RESULTS)],
    ['of a test tender outside the sandbox may not report', BOTH, { ...owner, tender: test }, forbidden],
    ['of a real tender may not report', BOTH, { ...owner, ...sandbox }, forbidden],
    ['may not publish addresses', { auctionUrl: URL }, { ...owner, ...sandbox, tender: test }, forbidden],
    ['may not report in segment 2.5', BOTH, { ...owner, ...sandbox, tender: test, segment: '2.5' }, forbidden],
    ['may not report without the token', BOTH, { ...owner, ...sandbox, tender: test, ownsTender: false }, forbidden],
  ])('the tender owner %s', (_, data, options, outcome) => {
    expect(outcomeForClient(patch(data, options))).toEqual(outcome);
  });

  it('refuses POST of the tender owner', () => {
    expect(outcomeForClient(post(BOTH, { ...owner, ...sandbox, tender: test }))).toEqual(forbidden);
  });

  it.each(['draft', 'active.enquiries', 'active.tendering', 'active.qualification', 'active.awarded'])(
    'is accepted without effect under open guards in %s',
    (status) => {
      const tender = tenderInAuction({ status });
      expect(outcomeForClient(patch(BOTH, { ...open, segment: '2.3', tender }))).toEqual(['accepted']);
      expect(outcomeForClient(patch(BOTH, { ...owner, ...open, tender }))).toEqual(['accepted']);
      expect(outcomeForClient(patch({ bids: [value(1)] }, { ...open, segment: '2.3', tender }))).toEqual(['accepted']);
      expect(outcomeForClient(patch({ bids: [value(501)] }, { ...open, segment: '2.3', tender }))[0]).toBe(422);
      expect(outcomeForClient(post(BOTH, { ...open, segment: '2.3', tender }))[0]).toBe(403);
      expect(outcomeForClient(patch({ auctionUrl: URL }, { ...open, segment: '2.3', tender }))[0]).toBe(403);
    },
  );

  it.each<readonly [string, readonly JsonObject[]]>([
    [
      'the id of no bid',
      [
        { id: BID_X, ...value(390) },
        { id: 'f'.repeat(32), ...value(400) },
      ],
    ],
    ['the id of no bid, alone', [{ id: 'f'.repeat(32), ...value(400) }]],
    [
      'one id twice',
      [
        { id: BID_X, ...value(390) },
        { id: BID_X, ...value(400) },
      ],
    ],
  ])('refuses %s under open guards too (bids-awards-auction.md 2.4)', (_, bids) => {
    const tender = tenderInAuction({ status: 'active.tendering' });
    expect(outcomeForClient(patch({ bids }, { ...open, segment: '2.3', tender }))).toEqual([422, 'bids', IDS]);
    expect(outcomeForClient(patch({ bids }, { ...open, segment: '2.3', tender, bids: [] }))).toEqual([
      422,
      'bids',
      IDS,
    ]);
    const own = { bids: [{ id: BID_Y, ...value(400) }] };
    expect(outcomeForClient(patch(own, { ...open, segment: '2.3', tender }))).toEqual(['accepted']);
  });

  it.each(['complete', 'unsuccessful', 'cancelled'])('is refused under open guards in %s', (status) => {
    expect(outcomeForClient(patch(BOTH, { ...open, segment: '2.3', tender: tenderInAuction({ status }) }))[0]).toBe(
      403,
    );
  });
});
