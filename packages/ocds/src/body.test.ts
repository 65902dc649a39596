import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { describe, expect, it } from 'vitest';
import { exampleSettings, publicTender } from '../test-support/examples.ts';
import { mapBody } from './body.ts';
import type { OcdsSettings } from './settings.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const buyer = {
  name: 'Рада',
  identifier: { scheme: 'UA-EDR', id: ' 12345601 ' },
  contactPoint: { name: 'Відділ', email: 'a@b.example' },
};
const bidder = { name: 'ТОВ', identifier: { scheme: 'UA-EDR', id: 7 }, contactPoint: { name: 'Особа' } };
const tender = {
  id: 't1',
  tenderID: 'UA-2026-03-02-000001',
  dateModified: '2026-03-02T10:15:00+02:00',
  status: 'complete',
  procuringEntity: buyer,
};

/** `any`: the assertions below read members of many shapes. */
type Body = any;

function bodyWith(members: object, settings: Partial<OcdsSettings> = {}): Body {
  return mapBody(publicTender({ ...tender, ...members }), { ...exampleSettings, ...settings });
}

describe('parties', () => {
  it('have all their roles, the details and the name of the first occurrence', () => {
    const {
      parties,
      awards,
      tender: section,
    } = bodyWith({
      bids: [{ id: 'b', tenderers: [bidder] }],
      questions: [{ id: 'q', author: { ...bidder, name: 'ТОВ, нова назва' } }],
      awards: [{ id: 'a', suppliers: [{ ...bidder, name: 'ТОВ, ще одна' }] }],
    });
    expect(parties.map(({ id, name, roles }: JsonObject) => [id, name, roles])).toEqual([
      ['UA-EDR-12345601', 'Рада', ['buyer', 'procuringEntity']],
      ['UA-EDR-7', 'ТОВ', ['tenderer', 'supplier', 'enquirer']],
    ]);
    expect(section.enquiries[0].author).toEqual({ id: 'UA-EDR-7', name: 'ТОВ' });
    expect(awards[0].suppliers).toEqual([{ id: 'UA-EDR-7', name: 'ТОВ' }]);
  });

  it.each([
    ['procuringEntity', [true, false]],
    ['all', [true, true]],
    ['none', [false, false]],
  ] as const)('publish contact points: %s', (contactPoints, shown) => {
    const { parties } = bodyWith({ bids: [{ id: 'b', tenderers: [bidder] }] }, { contactPoints });
    expect(parties.map((party: JsonObject) => 'contactPoint' in party)).toEqual(shown);
  });
});

describe('items', () => {
  const item = (members: object): Body => bodyWith({ items: [{ id: 'i', ...members }] }).tender.items[0];

  it('of the national classification are CPV, with the original first', () => {
    const classification = { scheme: 'ДК021', id: '30197630-1', description: 'Папір' };
    const additional = [{ scheme: 'NONE', id: '1' }, { scheme: 'ДКПП', id: '30197630-1' }, classification];
    expect(item({ classification, additionalClassifications: additional })).toMatchObject({
      classification: { ...classification, scheme: 'CPV' },
      additionalClassifications: [classification, { scheme: 'ДКПП', id: '30197630-1' }],
    });
  });

  it('that nothing classifies have no classification', () => {
    expect(item({ classification: { scheme: 'ДК021', id: '99999999-9' } })).toEqual({ id: 'i' });
  });

  it.each([
    [
      { code: 'KGM', name: 'кг' },
      { scheme: 'UNCEFACT', id: 'KGM', name: 'кг' },
    ],
    [{ code: '44617100-9', name: 'шт' }, { name: 'шт' }],
  ])('with the unit %j: %j', (unit, published) => {
    expect(item({ unit }).unit).toEqual(published);
  });

  it.each([
    [{ latitude: '50.45', longitude: 30.52 }, [30.52, 50.45]],
    [{ latitude: 'n/a', longitude: 30 }, undefined],
    [{ latitude: 50 }, undefined],
    [{ latitude: '', longitude: '' }, undefined],
  ])('at %j', (deliveryLocation, coordinates) => {
    expect(item({ deliveryLocation }).deliveryLocation?.geometry.coordinates).toEqual(coordinates);
  });
});

describe('documents', () => {
  const url = (shown: string, where: object = {}): unknown =>
    bodyWith({ documents: [{ id: 'd', url: shown, ...where }] }).tender.documents[0].url;

  it.each([
    [
      `https://docs.example/get/${KEY}?KeyID=1&Signature=x`,
      `https://procurement.example/api/2.5/tenders/t1/documents/d?download=${KEY}`,
    ],
    [
      `https://api.example/api/2.5/tenders/t1/documents/d?download=${KEY}`,
      `https://procurement.example/api/2.5/tenders/t1/documents/d?download=${KEY}`,
    ],
    ['https://files.example/звіт.pdf', 'https://files.example/%D0%B7%D0%B2%D1%96%D1%82.pdf'],
    ['not an address', undefined],
  ])('%s has the address %s', (shown, published) => {
    expect(url(shown)).toBe(published);
  });

  it('have the dates of their oldest and newest versions, whatever the order', () => {
    const version = (n: number): object => ({
      id: 'd',
      title: `v${n}`,
      datePublished: `2026-03-0${n}T00:00:00+02:00`,
      dateModified: `2026-03-0${n}T00:00:00+02:00`,
    });
    const [document] = bodyWith({ documents: [version(2), version(3), version(1)] }).tender.documents;
    expect(document).toMatchObject({
      title: 'v3',
      datePublished: '2026-03-01T00:00:00+02:00',
      dateModified: '2026-03-03T00:00:00+02:00',
    });
  });
});

describe('with lots', () => {
  const lots = [{ id: 'l1' }, { id: 'l2' }];
  const features = [
    { code: 'T', featureOf: 'tenderer', enum: [{ value: 0 }] },
    { code: 'L', featureOf: 'lot', relatedItem: 'l1' },
    { code: 'I', featureOf: 'item', relatedItem: 'i2' },
  ];
  const items = [
    { id: 'i1', relatedLot: 'l1' },
    { id: 'i2', relatedLot: 'l2' },
  ];
  const parameters = ['T', 'L', 'I', 'unknown'].map((code) => ({ code, value: 0 }));
  const lotValues = [
    { relatedLot: 'l1', value: { amount: 2 } },
    { relatedLot: 'l2', value: { amount: 1 } },
    { relatedLot: 'l3' },
  ];
  const body = bodyWith({
    lots,
    features,
    items,
    bids: [{ id: 'b', status: 'active', tenderers: [bidder], parameters, lotValues }],
  });

  it('a bid is one entry for each lot, with the parameters that apply to it', () => {
    const responses = body.bids.details.map((entry: Body) => [
      entry.id,
      entry.requirementResponses.map((one: Body) => one.requirement.id),
    ]);
    expect(responses).toEqual([
      ['b-l1', ['T-0', 'L-0']],
      ['b-l2', ['T-0', 'I-0']],
    ]);
  });

  it('statistics are of each lot', () => {
    const lowest = body.bids.statistics.filter(({ measure }: JsonObject) => measure === 'lowestValidBidValue');
    expect(lowest).toEqual([
      { id: 'lowestValidBidValue-l1', measure: 'lowestValidBidValue', value: 2, relatedLot: 'l1' },
      { id: 'lowestValidBidValue-l2', measure: 'lowestValidBidValue', value: 1, relatedLot: 'l2' },
    ]);
  });

  it('an award without items has those of its lot', () => {
    const { awards } = bodyWith({ lots, items, awards: [{ id: 'a', lotID: 'l2', bid_id: 'b' }] });
    expect(awards[0]).toMatchObject({
      items: [{ id: 'i2', relatedLot: 'l2' }],
      relatedBid: 'b-l2',
      relatedLots: ['l2'],
    });
  });
});

describe('an opened tender without bids', () => {
  it('has zero tenderers and statistics', () => {
    const body = bodyWith({ status: 'unsuccessful' });
    expect(body.tender.numberOfTenderers).toBe(0);
    expect(body.bids).toEqual({
      statistics: ['bids', 'validBids', 'bidders'].map((measure) => ({ id: measure, measure, value: 0 })),
    });
  });
});

it('a pending cancellation is not published, an active one of a lot is', () => {
  const cancellations = [
    { id: 'c1', status: 'pending', cancellationOf: 'tender', reason: 'a' },
    { id: 'c2', status: 'active', cancellationOf: 'lot', relatedLot: 'l1', reason: 'б', reason_en: 'b' },
  ];
  expect(bodyWith({ cancellations }).tender.amendments).toEqual([
    { id: 'c2', rationale: 'б', rationale_en: 'b', description: 'Cancellation of lot l1' },
  ]);
});

it('a contract shows its number, else its id in the system; without an award it is not published', () => {
  const contracts = [
    { id: '1', awardID: 'a', contractNumber: '17/26', contractID: 'UA-1-a1' },
    { id: '2', awardID: 'a', contractID: 'UA-1-a2' },
    { id: '3' },
  ];
  expect(bodyWith({ contracts }).contracts).toEqual([
    { id: '1', awardID: 'a', contractNumber: '17/26' },
    { id: '2', awardID: 'a', contractNumber: 'UA-1-a2' },
  ]);
});
