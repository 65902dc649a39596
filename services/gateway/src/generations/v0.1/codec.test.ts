import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import {
  codecOf,
  create,
  fixture,
  get,
  patch,
  decodeRequest,
  routeOf,
  type Json,
} from '../../../test-support/generations.ts';

const stored = fixture('tender.canonical.json');
const generations01 = ['0.1-middle', '0.1-earliest'] as const;
const refused = (generation: string, data: Json, method: 'POST' | 'PATCH' = 'PATCH', resource = 'tender'): Json =>
  decodeRequest(generation, resource, method, data, resource === 'tender' ? { stored } : {}).refused.errors;

describe('decoding of names (generations.md 5.3)', () => {
  it('accepts names of earlier releases, and ignores those without a member', () => {
    const sent = { methodJustification: 'a', selectionDetails: 'b', submissionDetails: 'c', clarifications: true };
    expect(
      create('0.1-earliest', 'tender', { ...sent, notice: {}, method: 'x', revisions: [], attachments: [] }),
    ).toEqual({
      procurementMethodRationale: 'a',
      awardCriteriaDetails: 'b',
      submissionMethodDetails: 'c',
      hasEnquiries: true,
    });
    expect(create('0.1-middle', 'award', { itemsAwarded: [{ unitOfMeasure: 'x' }], notice: 1 })).toEqual({
      items: [{ unit: { name: 'x' } }],
    });
  });

  it('takes the one of two names that does not repeat the stored value', () => {
    const twice = { totalValue: { amount: 185000 }, value: { amount: 1 } };
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', twice, { stored }).data).toEqual({ value: { amount: 1 } });
    expect(refused('0.1-middle', twice, 'POST')).toEqual([
      { location: 'body', name: 'totalValue', description: ['Conflicting values'] },
    ]);
  });

  it('refuses a member named __proto__ as unknown', () => {
    const rogue = JSON.parse('{"__proto__": "Rogue field"}');
    expect(refused('0.1-middle', JSON.parse('{"__proto__": {"title": "x"}}'), 'POST')).toEqual([
      { location: 'body', name: '__proto__', description: 'Rogue field' },
    ]);
    expect(refused('0.1-middle', JSON.parse('{"totalValue": {"__proto__": 1}}'), 'POST')).toEqual([
      { location: 'body', name: 'totalValue', description: rogue },
    ]);
  });

  it('ignores read-only members under any name', () => {
    const echo = {
      modified: 'x',
      dateModified: 'y',
      tenderID: 'z',
      id: '1',
      bidders: [],
      bids: [1],
      awards: {},
      owner: 'me',
    };
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', echo, { stored }).data).toEqual({});
  });

  it.each([
    [
      { itemsToBeProcured: [{ unitOfMeasure: 5 }] },
      'itemsToBeProcured',
      { unitOfMeasure: ["Couldn't interpret '5' as string."] },
    ],
    [
      { deliveryDate: 'soon' },
      'deliveryDate',
      ['Please use a mapping for this field or Period instance instead of unicode.'],
    ],
    [
      { procuringEntity: { id: '1' } },
      'procuringEntity',
      { id: ['Please use a mapping for this field or Identifier instance instead of unicode.'] },
    ],
    [{ totalValue: { amount: 1, vat: true } }, 'totalValue', { vat: 'Rogue field' }],
  ])('refuses %j', (data, name, description) => {
    expect(refused('0.1-middle', data)).toEqual([{ location: 'body', name, description }]);
  });

  it('passes values of a wrong type to the service', () => {
    const data = { itemsToBeProcured: 'x', totalValue: 5, procuringEntity: [] };
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', data, { stored }).data).toEqual({
      items: 'x',
      value: 5,
      procuringEntity: [],
    });
  });
});

describe('decoding of unitOfMeasure', () => {
  const unitAfter = (item: Json): Json =>
    patch('0.1-middle', 'tender', stored, { itemsToBeProcured: [item, {}] }).items[0].unit;

  it.each([
    ['the same text', { unitOfMeasure: 'пачка' }, { code: 'PK', name: 'пачка' }],
    ['another text', { unitOfMeasure: 'ящик' }, { name: 'ящик' }],
    ['a removal', { unitOfMeasure: null }, undefined],
    ['a canonical unit', { unit: { code: 'BX', name: 'ящик' } }, { code: 'BX', name: 'ящик' }],
    [
      'text and unit that agree',
      { unitOfMeasure: 'ящик', unit: { code: 'BX', name: 'ящик' } },
      { code: 'BX', name: 'ящик' },
    ],
    ['a price', { valuePerUnit: { amount: 3 } }, { code: 'PK', name: 'пачка', value: { amount: 3 } }],
    ['a price in the unit', { unit: { value: { amount: 3 } } }, { code: 'PK', name: 'пачка', value: { amount: 3 } }],
  ])('applies %s', (_change, item, expected) => {
    expect(unitAfter(item)).toEqual(expected);
  });

  it('refuses a text and a unit that differ', () => {
    expect(refused('0.1-middle', { itemsToBeProcured: [{ unitOfMeasure: 'a', unit: { name: 'b' } }] })).toEqual([
      { location: 'body', name: 'itemsToBeProcured', description: { unitOfMeasure: ['Conflicting values'] } },
    ]);
  });

  it('encodes a unit without name as its code', () => {
    expect(get('0.1-middle', 'tender', { items: [{ unit: { code: 'PK' } }] }).itemsToBeProcured).toEqual([
      { unitOfMeasure: 'PK' },
    ]);
  });
});

describe('decoding of deliveryDate', () => {
  const endsAfter = (endDate: string | null, tender: Json = stored): readonly unknown[] =>
    patch('0.1-middle', 'tender', tender, { deliveryDate: { endDate } }).items.map(
      (item: Json) => item.deliveryDate?.endDate,
    );

  it.each([
    [
      'the same instant in another offset',
      '2026-03-20T16:00:00Z',
      ['2026-03-20T18:00:00+02:00', '2026-03-13T18:00:00+02:00'],
    ],
    ['a later date', '2026-03-25T18:00:00+02:00', ['2026-03-25T18:00:00+02:00', '2026-03-13T18:00:00+02:00']],
    ['an earlier date', '2026-03-14T18:00:00+02:00', ['2026-03-14T18:00:00+02:00', '2026-03-13T18:00:00+02:00']],
    ['a removal', null, [undefined, undefined]],
  ])('applies %s', (_change, endDate, expected) => {
    expect(endsAfter(endDate)).toEqual(expected);
  });

  it('gives the date to every item when none has one, and keeps hidden start dates', () => {
    const items = stored.items.map(({ deliveryDate: _date, ...item }: Json) => item);
    expect(endsAfter('2026-04-01', { ...stored, items })).toEqual(['2026-04-01', '2026-04-01']);
    expect(patch('0.1-middle', 'tender', stored, { deliveryDate: { endDate: null } }).items[0].deliveryDate).toEqual({
      startDate: '2026-03-02T00:00:00+02:00',
    });
  });
});

describe('follow rules (generations.md 5.4)', () => {
  const canonicalPatch = (generation: string, data: Json): Json =>
    decodeRequest(generation, 'tender', 'PATCH', data, { stored }).data;
  const currency = { totalValue: { currency: 'EUR' } };
  const end = '2026-02-11T12:00:00+02:00';

  it('do not apply on middle, which shows the members', () => {
    expect(canonicalPatch('0.1-middle', currency)).toEqual({ value: { currency: 'EUR' } });
    expect(canonicalPatch('0.1-middle', { enquiryPeriod: { endDate: end } })).toEqual({
      enquiryPeriod: { endDate: end },
    });
  });

  it('keep a member of minimalStep that the request sends', () => {
    expect(canonicalPatch('0.1-earliest', { ...currency, minimalStep: { amount: 5 } })).toEqual({
      value: { currency: 'EUR' },
      minimalStep: { amount: 5 },
    });
  });

  it('do not copy an invalid date, so the service reports it once', () => {
    const sent = { clarificationPeriod: { endDate: 'soon' } };
    expect(canonicalPatch('0.1-earliest', sent)).toEqual({ enquiryPeriod: { endDate: 'soon' } });
  });

  it('keep a start date that the request sends', () => {
    const startDate = '2026-02-12T12:00:00+02:00';
    expect(
      canonicalPatch('0.1-earliest', { clarificationPeriod: { endDate: end }, tenderPeriod: { startDate } }),
    ).toEqual({
      enquiryPeriod: { endDate: end },
      tenderPeriod: { startDate },
    });
  });
});

describe('decoding of awardPeriod', () => {
  const awardPeriod = { endDate: '2026-04-01T00:00:00+03:00' };

  it('accepts a planned period until the service sets the start', () => {
    const { awardPeriod: _begun, ...fresh } = stored;
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', { awardPeriod }, { stored: fresh }).data).toEqual({
      awardPeriod,
    });
    expect(decodeRequest('0.1-middle', 'tender', 'PATCH', { awardPeriod }, { stored }).data).toEqual({});
  });
});

describe('defaults (generations.md 5.6)', () => {
  const now = parseDateTime('2026-03-02T09:30:00+02:00')?.instant ?? (0 as Instant);
  const created = (data: Json): Json => decodeRequest('0.1-middle', 'tender', 'POST', data, { now }).data;

  it.each([
    [1234.5, 12.35],
    [0.5, 0.01],
    [0.005, 0.005],
    ['1000', 10],
  ])('give for amount %j a minimalStep of %j', (amount, step) => {
    expect(created({ totalValue: { amount } }).minimalStep).toEqual({ amount: step });
  });

  it('give no minimalStep for an invalid amount', () => {
    expect(created({ totalValue: { amount: 'x' } })).toEqual({ value: { amount: 'x' } });
  });

  it('end the enquiry period at the start of tendering, when it is sent', () => {
    const tenderPeriod = { startDate: '2026-03-10', endDate: '2026-03-20' };
    expect(created({ tenderPeriod }).enquiryPeriod).toEqual({ endDate: '2026-03-10' });
    expect(created({ tenderPeriod: { endDate: 'never' } }).enquiryPeriod).toBeUndefined();
  });
});

describe('matching of items (generations.md 5.2.8)', () => {
  const [paper, book] = stored.items;

  it('uses an id that the client sends, although the segment hides it', () => {
    const next = patch('0.1-middle', 'tender', stored, {
      itemsToBeProcured: [{ id: book.id, quantity: 7 }, { id: paper.id }],
    });
    expect(next.items).toEqual([{ ...book, quantity: 7 }, paper]);
  });

  it('removes stored items without a match, and adds sent ones', () => {
    const shown = get('0.1-middle', 'tender', stored).itemsToBeProcured;
    const next = patch('0.1-middle', 'tender', stored, { itemsToBeProcured: [...shown, { description: 'new' }] });
    expect(next.items).toEqual([paper, book, { description: 'new' }]);
    expect(patch('0.1-middle', 'tender', stored, { itemsToBeProcured: [shown[1]] }).items).toEqual([book]);
  });
});

describe('error names (generations.md 7)', () => {
  const encodedErrors = (generation: string, errors: Json, sent: Json = {}): Json => {
    const context = { route: routeOf('tender', 'PATCH'), status: 422, query: '', sent };
    return JSON.parse(codecOf(generation).encodeResponse(context, JSON.stringify({ status: 'error', errors }))).errors;
  };
  const body = (name: string, description: Json): Json => ({ location: 'body', name, description });

  it('report on earliest a fault in a start that was not sent as a fault of the period', () => {
    const text = 'period should begin before its end';
    const errors = [body('tenderPeriod', { startDate: [text] })];
    expect(encodedErrors('0.1-earliest', errors, { clarificationPeriod: {} })).toEqual([body('tenderPeriod', [text])]);
    expect(encodedErrors('0.1-earliest', errors, { tenderPeriod: { startDate: 'x' } })).toEqual(errors);
    expect(encodedErrors('0.1-middle', errors, { tenderPeriod: {} })).toEqual(errors);
  });

  it.each(generations01)('on %s blame the organization for a hidden member of it', (generation) => {
    expect(encodedErrors(generation, [body('procuringEntity', { identifier: { legalName: ['Too long.'] } })])).toEqual([
      body('procuringEntity', { id: ['Too long.'] }),
    ]);
  });

  it('merge several messages under one name, in order', () => {
    const errors = [body('items', [{ quantity: ['a'] }]), body('features', [{ relatedItem: ['b'] }])];
    expect(encodedErrors('0.1-middle', errors)).toEqual([body('itemsToBeProcured', [{ quantity: ['a'] }, 'b'])]);
    expect(encodedErrors('0', errors)).toEqual([body('items', [{ quantity: ['a'] }, 'b'])]);
  });

  it('keep the name of a hidden member that the request sent', () => {
    const errors = [body('guarantee', { amount: ['x'] })];
    expect(encodedErrors('0.1-middle', errors, { guarantee: {} })).toEqual(errors);
    expect(encodedErrors('0', errors, { guarantee: {} })).toEqual(errors);
    expect(
      encodedErrors('0.1-middle', [body('items', [{ relatedLot: ['x'] }])], { items: [{ relatedLot: '1' }] }),
    ).toEqual([body('itemsToBeProcured', [{ relatedLot: ['x'] }])]);
  });

  it('flatten faults that are blamed on the items', () => {
    expect(encodedErrors('0.1-middle', [body('items', [{ id: ['x'] }, { relatedLot: ['y'] }])])).toEqual([
      body('itemsToBeProcured', ['x', 'y']),
    ]);
  });
});

describe('encoding and decoding of the feed', () => {
  const path = '/api/2.5/tenders?limit=2&offset=1&opt_fields=value%2CtenderID%2Citems';
  const page = (rows: Json): string =>
    JSON.stringify({ data: rows, next_page: { offset: '1', path, uri: `https://api.example.org${path}` } });
  const feed = (generation: string, query: string, rows: Json): Json =>
    JSON.parse(codecOf(generation).encodeResponse({ route: routeOf('feed'), status: 200, query }, page(rows)));

  it.each([
    ['limit=2&opt_fields=totalValue,value,tenderID', 'limit=2&opt_fields=value%2CtenderID'],
    ['opt_fields=deliveryDate%2CitemsToBeProcured', 'opt_fields=items'],
    ['opt_fields=mode&limit=1', 'limit=1'],
    ['limit=1', 'limit=1'],
  ])('decodes the query %s to %s', (query, canonical) => {
    expect(codecOf('0.1-middle').decodeQuery(routeOf('feed'), query)).toBe(canonical);
  });

  it('has the requested members under wire names, in rows and links', () => {
    const row = {
      id: 'a',
      dateModified: 'x',
      tenderID: 'UA-2026-02-03-000042',
      value: { amount: 5 },
      items: stored.items,
    };
    const { data, next_page: link } = feed(
      '0.1-middle',
      'generation=middle&opt_fields=totalValue,tenderID,deliveryDate',
      [row],
    );
    expect(data).toEqual([
      {
        id: 'a',
        modified: 'x',
        tenderID: 'UA-a',
        totalValue: { amount: 5 },
        deliveryDate: { endDate: '2026-03-20T18:00:00+02:00' },
      },
    ]);
    expect(link.path).toBe(
      '/api/0.1/tenders?generation=middle&limit=2&offset=1&opt_fields=totalValue%2CtenderID%2CdeliveryDate',
    );
  });

  it('leaves out hidden members on segment 0', () => {
    expect(feed('0', 'opt_fields=mode,title', [{ id: 'a', dateModified: 'x', mode: 'test', title: 'b' }]).data).toEqual(
      [{ id: 'a', dateModified: 'x', title: 'b' }],
    );
  });
});

describe('codecs of segments without drafts', () => {
  it.each(['0', ...generations01])('encode a draft as registration on %s, and refuse to create one', (generation) => {
    expect(get(generation, 'bid', { id: 'a', status: 'draft' }).status).toBe('registration');
    expect(refused(generation, { status: 'draft' }, 'POST', 'bid')).toEqual([
      {
        location: 'body',
        name: 'status',
        description: ["Value must be one of ['registration', 'validBid', 'invalidBid']."],
      },
    ]);
  });
});

describe('parties in a change of a bid', () => {
  const bid = fixture('bid.canonical.json');

  it.each(['2.3', '0'])('lose on %s the hidden members of another register entry, and nothing else', (generation) => {
    const { tenderers } = patch(generation, 'bid', bid, { tenderers: [{ id: { uid: '1' } }] });
    const { name_en: _en, identifier, ...rest } = bid.tenderers[0];
    const { legalName: _legal, ...register } = identifier;
    expect(tenderers).toEqual([{ ...rest, identifier: { ...register, id: '1' } }]);
    expect(patch(generation, 'bid', bid, { tenderers: [{ id: { name: 'x' } }] }).tenderers[0]).toEqual({
      ...bid.tenderers[0],
      name: 'x',
    });
  });
});
