import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BidInput } from '../resources/bid.ts';
import { TenderInput } from '../resources/tender.ts';
import { parseWith } from './parse-with.ts';

/** The smallest valid tender. */
function validTender(): Record<string, unknown> {
  return {
    title: 'Папір',
    procuringEntity: {
      name: 'Ліцей',
      kind: 'general',
      identifier: { scheme: 'UA-EDR', id: 25733061 },
      address: { countryName: 'Україна' },
      contactPoint: { name: 'Олена', telephone: '+380560000001' },
    },
    value: { amount: 500 },
    minimalStep: { amount: '35.5' },
    enquiryPeriod: { endDate: '2031-05-10' },
    tenderPeriod: { endDate: '2031-05-20T18:00:00' },
    items: [{ description: 'папір', classification: { id: '44617100-9', description: 'Cartons' } }],
  };
}

function errorsWith(overrides: Record<string, unknown>): unknown {
  const reading = parseWith(TenderInput, { ...validTender(), ...overrides });
  return reading.ok ? [] : reading.errors.map(({ name, description }) => [name, description]);
}

const REQUIRED = ['This field is required.'];

describe('parseWith: accepted data', () => {
  it('converts scalars, fills defaults and gives dates their offset', () => {
    const reading = parseWith(TenderInput, { ...validTender(), hasEnquiries: 'True', numberOfBidders: 3.9 });
    expect(reading).toMatchObject({
      ok: true,
      value: {
        hasEnquiries: true,
        numberOfBidders: 3,
        value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
        minimalStep: { amount: 35.5 },
        procuringEntity: { identifier: { id: '25733061' } },
        enquiryPeriod: { endDate: '2031-05-10T00:00:00+03:00' },
        items: [{ classification: { scheme: 'CPV' } }],
      },
    });
  });

  it.each([5, 2.5, 0.001, 0, 1e-7, 9_007_199_254_740_991, '2.5'])(
    'keeps the quantity %s as it was sent (rulings R41)',
    (quantity) => {
      const [item] = validTender()['items'] as readonly [object];
      const reading = parseWith(TenderInput, { ...validTender(), items: [{ ...item, quantity }] });
      expect(reading).toMatchObject({ ok: true, value: { items: [{ quantity: Number(quantity) }] } });
    },
  );

  it('ignores nulls and collections with their own endpoints', () => {
    expect(errorsWith({ description: null, guarantee: null, bids: [{ anything: 1 }], awards: 'x' })).toEqual([]);
  });
});

describe('parseWith: first pass (tenders.md 4, 5.1, 5.2)', () => {
  it.each<[string, Record<string, unknown>, string, unknown]>([
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
    [
      'an unknown nested member',
      { guarantee: { amount: 1, valueAddedTaxIncluded: true } },
      'guarantee',
      { valueAddedTaxIncluded: 'Rogue field' },
    ],
    [
      'text for an object',
      { value: 'x' },
      'value',
      ['Please use a mapping for this field or Value instance instead of unicode.'],
    ],
    [
      'a whole number for an object',
      { value: 1 },
      'value',
      ['Please use a mapping for this field or Value instance instead of int.'],
    ],
    [
      'a fraction for an object',
      { value: 1.5 },
      'value',
      ['Please use a mapping for this field or Value instance instead of float.'],
    ],
    [
      'a boolean for an object',
      { enquiryPeriod: true },
      'enquiryPeriod',
      ['Please use a mapping for this field or PeriodEndRequired instance instead of bool.'],
    ],
    [
      'a list for an object',
      { procuringEntity: [] },
      'procuringEntity',
      ['Please use a mapping for this field or ProcuringEntity instance instead of list.'],
    ],
    ['an object for a list', { items: {} }, 'items', ['Please use a list for this field.']],
    [
      'a single scalar for a list of objects',
      { items: 'x' },
      'items',
      ['Please use a mapping for this field or Item instance instead of unicode.'],
    ],
    [
      'a date that cannot be parsed',
      { enquiryPeriod: { endDate: 'soon' } },
      'enquiryPeriod',
      { endDate: ['Could not parse soon. Should be ISO8601.'] },
    ],
    [
      'a date that is a number',
      { tenderPeriod: { endDate: 5 } },
      'tenderPeriod',
      { endDate: ['Could not parse 5. Should be ISO8601.'] },
    ],
    [
      'a date out of range',
      { tenderPeriod: { endDate: '0001-01-01T00:00:00+03:00' } },
      'tenderPeriod',
      { endDate: ['date value out of range'] },
    ],
    [
      'a date in the year 10000 of the service zone',
      { tenderPeriod: { endDate: '9999-12-31T23:30:00+00:00' } },
      'tenderPeriod',
      { endDate: ['date value out of range'] },
    ],
    ['an amount that is not a number', { value: { amount: 'x' } }, 'value', { amount: ["Value 'x' is not float."] }],
    [
      'an amount too large to be written without an exponent',
      { value: { amount: 1e21 } },
      'value',
      { amount: ["Value '1e+21' is not float."] },
    ],
    [
      'a quantity that is not a number',
      { items: [{ quantity: 'x' }] },
      'items',
      { quantity: ["Value 'x' is not float."] },
    ],
    ['a count that is not a number', { numberOfBidders: 'x' }, 'numberOfBidders', ["Value 'x' is not int."]],
    ['a text that is not a boolean', { hasEnquiries: 'maybe' }, 'hasEnquiries', ['Must be either true or false.']],
    ['an object for text', { title: {} }, 'title', ["Couldn't interpret '{}' as string."]],
    ['NUL in text', { title: 'a\u0000b' }, 'title', ["Couldn't interpret 'ab' as string."]],
    ['half a surrogate pair', { title: 'a\ud800b' }, 'title', ["Couldn't interpret 'ab' as string."]],
    [
      'an id of the wrong length',
      { items: [{ relatedLot: 'ab' }] },
      'items',
      { relatedLot: ['Hash value is wrong length.'] },
    ],
    [
      'an id that is not hexadecimal',
      { items: [{ relatedLot: 'x'.repeat(32) }] },
      'items',
      { relatedLot: ['Hash value is not hexadecimal.'] },
    ],
  ])('%s', (_what, overrides, name, description) => {
    expect(errorsWith(overrides)).toEqual([[name, description]]);
  });

  it('describes the first invalid element of a list, without a list around it', () => {
    expect(errorsWith({ items: [validTender()['items'], { foo: 1 }, { bar: 1 }].flat() })).toEqual([
      ['items', { foo: 'Rogue field' }],
    ]);
  });

  it('reports all errors of the first pass and none of the second', () => {
    expect(errorsWith({ foo: 1, title: undefined, value: 'x' })).toEqual([
      ['value', ['Please use a mapping for this field or Value instance instead of unicode.']],
      ['foo', 'Rogue field'],
    ]);
  });
});

describe('parseWith: second pass (tenders.md 5.1 to 5.3)', () => {
  it('names every required member of an empty tender, in the order of the model', () => {
    const reading = parseWith(TenderInput, {});
    const names = reading.ok ? [] : reading.errors.map((error) => error.name);
    expect(names).toEqual([
      'title',
      'procuringEntity',
      'value',
      'minimalStep',
      'enquiryPeriod',
      'tenderPeriod',
      'items',
    ]);
    if (!reading.ok) for (const error of reading.errors) expect(error.description).toEqual(REQUIRED);
  });

  const item = { description: 'x', classification: { id: '44617100-9', description: 'x' } };
  const option = { value: 0.1, title: 'x' };
  const lot = { title: 'x', value: { amount: 10 }, minimalStep: { amount: 1 } };
  const ids = ['a', 'b'].map((letter) => letter.repeat(32));

  it.each<[string, Record<string, unknown>, string, unknown]>([
    ['no items', { items: [] }, 'items', ['Please provide at least 1 item.']],
    ['too many items', { items: Array(1_001).fill(item) }, 'items', ['Please provide no more than 1000 items.']],
    [
      'an item without description',
      { items: [{ ...item, description: undefined }] },
      'items',
      [{ description: REQUIRED }],
    ],
    [
      'only the invalid elements',
      { items: [item, { ...item, description: undefined }] },
      'items',
      [{ description: REQUIRED }],
    ],
    ['a negative amount', { value: { amount: -1 } }, 'value', { amount: ['Float value should be greater than 0.'] }],
    [
      'a short currency',
      { value: { amount: 1, currency: 'UA' } },
      'value',
      { currency: ['String value is too short.'] },
    ],
    [
      'a long currency',
      { value: { amount: 1, currency: 'UAHH' } },
      'value',
      { currency: ['String value is too long.'] },
    ],
    ['an unknown mode', { mode: 'real' }, 'mode', ["Value must be one of ['test']."]],
    [
      'a period that ends before it begins',
      { enquiryPeriod: { startDate: '2031-05-11', endDate: '2031-05-10' } },
      'enquiryPeriod',
      { startDate: ['period should begin before its end'] },
    ],
    [
      'an unknown classification scheme',
      { items: [{ ...item, classification: { scheme: 'X', id: '44617100-9', description: 'x' } }] },
      'items',
      [{ classification: { scheme: ["Value must be one of ['CPV', 'ДК021']."] } }],
    ],
    [
      'a code in a wrong format',
      { items: [{ ...item, classification: { scheme: 'ДК021', id: '4', description: 'x' } }] },
      'items',
      [{ classification: { id: ['Value must be one of ДК021 codes.'] } }],
    ],
    [
      '99999999-9 without additional classifications',
      { items: [{ ...item, classification: { id: '99999999-9', description: 'x' } }] },
      'items',
      [{ additionalClassifications: REQUIRED }],
    ],
    [
      '99999999-9 without a national code',
      {
        items: [
          {
            ...item,
            classification: { id: '99999999-9', description: 'x' },
            additionalClassifications: [{ scheme: 'X', id: '1', description: 'x' }],
          },
        ],
      },
      'items',
      [
        {
          additionalClassifications: [
            'One of additional classifications should be one of [ДК003, ДК015, ДК018, specialNorms].',
          ],
        },
      ],
    ],
    [
      'coordinates that are no numbers',
      { items: [{ ...item, deliveryLocation: { latitude: 'північ', longitude: true } }] },
      'items',
      [
        {
          deliveryLocation: {
            latitude: ['Invalid value. Required latitude format 12.0123456789'],
            longitude: ['Invalid value. Required longitude format 12.0123456789'],
          },
        },
      ],
    ],
    [
      'objects and lists for coordinates',
      { items: [{ ...item, deliveryLocation: { latitude: {}, longitude: ['1'] } }] },
      'items',
      [
        {
          deliveryLocation: {
            latitude: ['Invalid value. Required latitude format 12.0123456789'],
            longitude: ['Invalid value. Required longitude format 12.0123456789'],
          },
        },
      ],
    ],
    [
      'coordinates out of range',
      { items: [{ ...item, deliveryLocation: { latitude: 90.1, longitude: '-180.0001' } }] },
      'items',
      [
        {
          deliveryLocation: {
            latitude: ['Invalid value. Latitude must be between -90 and 90 degree.'],
            longitude: ['Invalid value. Longitude must be between -180 and 180 degree.'],
          },
        },
      ],
    ],
    [
      'an unknown lot',
      { items: [{ ...item, relatedLot: ids[0] }] },
      'items',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ],
    [
      'the same item id twice',
      {
        items: [
          { ...item, id: 'a' },
          { ...item, id: 'a' },
        ],
      },
      'items',
      ['Item id should be uniq for all items'],
    ],
    [
      'a negative quantity',
      { items: [{ ...item, quantity: -0.001 }] },
      'items',
      [{ quantity: ['Float value should be greater than 0.'] }],
    ],
    [
      'a feature of an item without its id',
      { features: [{ title: 'x', featureOf: 'item', enum: [option] }] },
      'features',
      [{ relatedItem: REQUIRED }],
    ],
    [
      'a feature of an unknown item',
      { features: [{ title: 'x', featureOf: 'item', relatedItem: 'z', enum: [option] }] },
      'features',
      [{ relatedItem: ['relatedItem should be one of items'] }],
    ],
    [
      'a feature of an unknown lot',
      { features: [{ title: 'x', featureOf: 'lot', relatedItem: 'z', enum: [option] }] },
      'features',
      [{ relatedItem: ['relatedItem should be one of lots'] }],
    ],
    [
      'the same option twice',
      { features: [{ title: 'x', enum: [option, option] }] },
      'features',
      [{ enum: ['Feature value should be uniq for feature'] }],
    ],
    [
      'an option above 30 %',
      { features: [{ title: 'x', enum: [{ value: 0.31, title: 'x' }] }] },
      'features',
      [{ enum: [{ value: ['Float value should be less than 0.3.'] }] }],
    ],
    [
      'an option below 0',
      { features: [{ title: 'x', enum: [{ value: -0.1, title: 'x' }] }] },
      'features',
      [{ enum: [{ value: ['Float value should be greater than 0.0.'] }] }],
    ],
    [
      'a feature without options',
      { features: [{ title: 'x', enum: [] }] },
      'features',
      [{ enum: ['Please provide at least 1 item.'] }],
    ],
    [
      'an empty title of a feature',
      { features: [{ title: '', enum: [option] }] },
      'features',
      [{ title: ['String value is too short.'] }],
    ],
    [
      'the same feature code twice',
      {
        features: [
          { code: 'a', title: 'x', enum: [option] },
          { code: 'a', title: 'x', enum: [option] },
        ],
      },
      'features',
      ['Feature code should be uniq for all features'],
    ],
    [
      'a lot step above its value',
      { lots: [{ ...lot, minimalStep: { amount: 11 } }] },
      'lots',
      [{ minimalStep: ['value should be less than value of lot'] }],
    ],
    [
      'the same lot id twice',
      {
        lots: [
          { ...lot, id: ids[0] },
          { ...lot, id: ids[0] },
        ],
      },
      'lots',
      ['Lot id should be uniq for all lots'],
    ],
    [
      'an unknown identifier scheme',
      { procuringEntity: { ...(validTender()['procuringEntity'] as object), identifier: { scheme: 'X', id: '1' } } },
      'procuringEntity',
      { identifier: { scheme: [expect.stringMatching(/^Value must be one of \['AE-ACCI', /)] } },
    ],
  ])('%s', (_what, overrides, name, description) => {
    expect(errorsWith(overrides)).toEqual([[name, description]]);
  });

  it('reports every error of an organization at once', () => {
    expect(errorsWith({ procuringEntity: { name: 'n', identifier: { uri: 'x' } } })).toEqual([
      [
        'procuringEntity',
        {
          identifier: { scheme: REQUIRED, id: REQUIRED, uri: ['Not a well formed URL.'] },
          address: REQUIRED,
          contactPoint: REQUIRED,
        },
      ],
    ]);
    expect(
      errorsWith({ procuringEntity: { ...(validTender()['procuringEntity'] as object), contactPoint: { name: 'n' } } }),
    ).toEqual([['procuringEntity', { contactPoint: { email: ['telephone or email should be present'] } }]]);
  });
});

describe('parseWith: coordinates (tenders.md 4)', () => {
  const located = (location: object): Record<string, unknown> => ({
    ...validTender(),
    items: [{ description: 'x', classification: { id: '44617100-9', description: 'x' }, deliveryLocation: location }],
  });

  it.each([
    { latitude: 90, longitude: -180 },
    { latitude: '-90.0', longitude: '180' },
    { latitude: '50.4501', longitude: 30.5234, elevation: 'рівень моря' },
  ])('%o are kept as they were sent', (location) => {
    const reading = parseWith(TenderInput, located(location));
    expect(reading).toMatchObject({ ok: true, value: { items: [{ deliveryLocation: location }] } });
  });

  it.each([
    [{ latitude: 'північ', longitude: 1 }, 'latitude', 'Invalid value. Required latitude format 12.0123456789'],
    [{ latitude: 1, longitude: '1,5' }, 'longitude', 'Invalid value. Required longitude format 12.0123456789'],
    [{ latitude: true, longitude: 1 }, 'latitude', 'Invalid value. Required latitude format 12.0123456789'],
    [
      { latitude: 1, longitude: '-180.1' },
      'longitude',
      'Invalid value. Longitude must be between -180 and 180 degree.',
    ],
    [{ latitude: '1'.repeat(65), longitude: 1 }, 'latitude', 'String value is too long.'],
  ])('%o are refused', (location, name, message) => {
    expect(errorsWith(located(location))).toEqual([['items', [{ deliveryLocation: { [name]: [message] } }]]]);
  });
});

describe('parseWith: any data', () => {
  it('returns a value or errors and never throws', () => {
    const mutated = fc.tuple(fc.constantFrom(...Object.keys(validTender())), fc.anything({ withNullPrototype: true }));
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 4 }), fc.jsonValue(), (changes, junk) => {
        const reading = parseWith(TenderInput, { ...validTender(), ...Object.fromEntries(changes), junk: [junk] });
        expect(reading.ok).toBe(false);
        expect(typeof parseWith(BidInput, Object.fromEntries(changes)).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['zeros before and after the point', `${'0'.repeat(400_000)}.${'0'.repeat(400_000)}x`],
    ['zeros without a point', `${'0'.repeat(800_000)}x`],
    ['blanks', `1${' '.repeat(800_000)}x`],
  ])('reads a text of 800 KB that is nearly a number in linear time: %s', (_what, amount) => {
    const startedMs = performance.now();
    expect(errorsWith({ value: { amount } })).toEqual([
      ['value', { amount: [`Value '${amount.slice(0, 100)}' is not float.`] }],
    ]);
    // Some milliseconds. It took 17 s for these lengths, and takes four times as long for each doubling.
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('treats members called __proto__ or constructor as unknown', () => {
    const hostile = JSON.parse('{"__proto__": {"title": "x"}, "constructor": 1, "value": {"__proto__": 1}}');
    const reading = parseWith(TenderInput, hostile);
    expect(reading.ok ? [] : reading.errors.map((error) => [error.name, error.description])).toEqual([
      ['value', JSON.parse('{"__proto__": "Rogue field"}')],
      ['__proto__', 'Rogue field'],
      ['constructor', 'Rogue field'],
    ]);
    expect(({} as { title?: unknown }).title).toBeUndefined();
  });
});
