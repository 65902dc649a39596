import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceTender } from '../../test-support/reference-mapping.ts';
import { codecOf, create, get, patch, decodeRequest, routeOf, type Json } from '../../test-support/generations.ts';
import { tender, fullTender, bid } from '../../test-support/canonical-arbitraries.ts';
import { rewriteJson, keepMember, rewriteObject } from '../json/json-rewriter.ts';
import { mergeDiff } from './merge-diff.ts';
import { toJsonText } from '@procurement/domain/json-text';
import { mergePatch } from '@procurement/domain/merge';
import { hiddenMembers } from './member-table-for-2.3-and-0.ts';
import { toCanonicalId, toEarliestId } from './v0.1/tender-id.ts';
import { withoutReadOnly } from './v0.1/apply-tender-change.ts';
import { typeMappingOf } from './v0.1/member-table.ts';

// The laws of generations.md 8, by their numbers. Equality is that of JSON values: order of members is free.

const olderGenerations = ['0', '0.1-middle', '0.1-earliest'] as const;
const generations01 = ['0.1-middle', '0.1-earliest'] as const;
const HIDDEN_ON_0 = new Set(hiddenMembers('Tender', '0').map(({ name }) => name));
const RUNS = { numRuns: 100 };

/** Two spellings of one instant are equal: a date that is repeated in another offset stays as it was written. */
const normalizeOffsets = (one: Json): Json =>
  JSON.parse(JSON.stringify(one).replaceAll('2026-03-01T22:00:00+00:00', '2026-03-02T00:00:00+02:00'));

const readOnlyMembers = (c: Json): Json => {
  const writable = withoutReadOnly(c);
  return Object.fromEntries(Object.entries(c).filter(([name]) => !Object.hasOwn(writable, name)));
};
/** `put` of the laws: what the service sets itself stays. On 0 it sets the award period, too. */
const put = (generation: string, c: Json, w: Json): Json => {
  const reading = decodeRequest(generation, 'tender', 'PUT', w, { stored: c });
  if ('refused' in reading) throw new Error(JSON.stringify(reading.refused));
  const next = { ...withoutReadOnly(reading.data), ...readOnlyMembers(c) };
  if (generation !== '0') return next;
  const { awardPeriod: _ignored, ...rest } = next;
  return c.awardPeriod === undefined ? rest : { ...rest, awardPeriod: c.awardPeriod };
};
const shownNames = (generation: string): ReadonlySet<string> => {
  const column = generation === '0.1-middle' ? 'middle' : 'earliest';
  return new Set(
    typeMappingOf('Tender').members.flatMap((member) =>
      member.readOnly || member[column] === undefined ? [] : [member[column]],
    ),
  );
};
/** A wire tender cut to what is shown and writable. */
const vis = (generation: string, w: Json): Json => {
  if (generation === '0') {
    const { awardPeriod: _served, ...rest } = withoutReadOnly(w);
    return rest;
  }
  const names = shownNames(generation);
  return Object.fromEntries(Object.entries(w).filter(([name]) => names.has(name)));
};

/** The same object with its members, and those of the objects in it, in another order. */
function inAnyMemberOrder(value: Json): fc.Arbitrary<Json> {
  if (Array.isArray(value)) return value.length === 0 ? fc.constant(value) : fc.tuple(...value.map(inAnyMemberOrder));
  if (typeof value !== 'object' || value === null) return fc.constant(value);
  const names = Object.keys(value);
  return fc
    .tuple(
      fc.shuffledSubarray(names, { minLength: names.length }),
      fc.tuple(...names.map((name) => inAnyMemberOrder(value[name]))),
    )
    .map(([order, values]) => Object.fromEntries(order.map((name) => [name, values[names.indexOf(name)]])));
}

/** Documents of bids with the path that 2.5 has, which 0.1 calls otherwise. */
const withBidsInUrls = (one: Json): Json =>
  JSON.parse(JSON.stringify(one).replaceAll(/(tenders\/[0-9a-f]+\/)bidders/g, '$1bids'));

describe('law 1: get is total', () => {
  it.each(olderGenerations)('on %s shows nothing empty that is not there', (generation) => {
    fc.assert(
      fc.property(tender, (c) => {
        const text = JSON.stringify(get(generation, 'tender', c));
        expect(text).not.toMatch(/null|\{\}|\[\]/);
      }),
      RUNS,
    );
  });

  it.each(['2.3', ...olderGenerations])('on %s takes any JSON', (generation) => {
    const any = fc.dictionary(
      fc.constantFrom(
        'id',
        'tenderID',
        'items',
        'value',
        'procuringEntity',
        'bids',
        'awards',
        'tenderPeriod',
        'minimalStep',
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(any, fc.constantFrom('tender', 'bid', 'award', 'auction'), (c, resource) => {
        get(generation, resource, c);
      }),
      RUNS,
    );
  });

  it.each(generations01)('on %s shows no name outside its column', (generation) => {
    const column = generation === '0.1-middle' ? 'middle' : 'earliest';
    const names = new Set(typeMappingOf('Tender').members.map((member) => member[column]));
    fc.assert(
      fc.property(tender, (c) => {
        for (const name of Object.keys(get(generation, 'tender', c))) expect(names).toContain(name);
      }),
      RUNS,
    );
  });
});

describe('laws 2 and 3: what was shown, or nothing, changes nothing', () => {
  it.each(olderGenerations)('PUT and PATCH on %s', (generation) => {
    fc.assert(
      fc.property(tender, (c) => {
        const w = get(generation, 'tender', c);
        expect(put(generation, c, w)).toEqual(c);
        expect(patch(generation, 'tender', c, generation === '0' ? vis('0', w) : w)).toEqual(c);
        expect(patch(generation, 'tender', c, {})).toEqual(c);
      }),
      RUNS,
    );
  });

  it.each(['2.3', ...olderGenerations])('PATCH of a bid on %s', (generation) => {
    fc.assert(
      fc.property(bid, (c) => {
        const { id: _id, date: _date, documents: _documents, participationUrl: _url, ...w } = get(generation, 'bid', c);
        expect(patch(generation, 'bid', c, w)).toEqual(c);
      }),
      RUNS,
    );
  });
});

describe('law 4: what was put is shown', () => {
  it.each(olderGenerations)('on %s', (generation) => {
    fc.assert(
      fc.property(tender, fullTender, (given, other) => {
        const { awardPeriod: _begun, ...c } = given;
        const w = vis(generation, get(generation, 'tender', other));
        const shown = vis(generation, get(generation, 'tender', put(generation, c, w)));
        expect(normalizeOffsets(shown)).toEqual(normalizeOffsets(w));
      }),
      RUNS,
    );
  });
});

describe('law 5: what was created is shown', () => {
  it.each(olderGenerations)('on %s', (generation) => {
    fc.assert(
      fc.property(fullTender, (other) => {
        const w = vis(generation, get(generation, 'tender', other));
        expect(get(generation, 'tender', create(generation, 'tender', w))).toMatchObject(w);
      }),
      RUNS,
    );
  });
});

describe('law 6: the last PUT counts', () => {
  it.each(olderGenerations)('on %s', (generation) => {
    fc.assert(
      fc.property(fullTender, fc.float({ min: 1, max: 1000, noNaN: true }), (given, amount) => {
        const { awardPeriod: _begun, ...c } = given;
        const { deliveryDate: _date, ...w2 } = vis(generation, get(generation, 'tender', c));
        const value = generation === '0' ? 'value' : 'totalValue';
        const w1 = { ...w2, [value]: { ...w2[value], amount } };
        expect(put(generation, put(generation, c, w1), w2)).toEqual(put(generation, c, w2));
      }),
      RUNS,
    );
  });
});

describe('law 7: what is hidden survives', () => {
  it.each(generations01)('a PATCH on %s', (generation) => {
    const hidden = typeMappingOf('Tender').members.filter(
      ({ middle, earliest }) => middle === undefined && earliest === undefined,
    );
    fc.assert(
      fc.property(tender, fullTender, (c, other) => {
        const next = patch(generation, 'tender', c, vis(generation, get(generation, 'tender', other)));
        for (const { name } of hidden) {
          if (name === 'title' && c.items === undefined) continue;
          expect([name, next[name]]).toEqual([name, c[name]]);
        }
        for (const name of ['kind', 'contactPoint']) {
          if (c.procuringEntity !== undefined) expect(next.procuringEntity[name]).toEqual(c.procuringEntity[name]);
        }
        for (const [at, item] of (c.items ?? []).entries()) {
          const ids = next.items.map((one: Json) => one.id);
          if (at < next.items.length) expect(ids).toContain(item.id);
        }
      }),
      RUNS,
    );
  });

  it('a PUT on 0', () => {
    fc.assert(
      fc.property(tender, fullTender, (c, other) => {
        const next = put('0', c, vis('0', get('0', 'tender', other)));
        for (const name of HIDDEN_ON_0) expect([name, next[name]]).toEqual([name, c[name]]);
      }),
      RUNS,
    );
  });
});

describe('law 8: a PATCH is local', () => {
  const PLACES: Readonly<Record<string, readonly string[]>> = {
    totalValue: ['value', 'minimalStep'],
    itemsToBeProcured: ['items', 'title'],
    deliveryDate: ['items'],
    clarificationPeriod: ['enquiryPeriod', 'tenderPeriod'],
    tenderPeriod: ['tenderPeriod', 'enquiryPeriod'],
  };

  it.each(generations01)('on %s', (generation) => {
    fc.assert(
      fc.property(tender, fullTender, fc.constantFrom(...shownNames(generation)), (c, other, name) => {
        const w = get(generation, 'tender', other);
        fc.pre(w[name] !== undefined);
        const next = patch(generation, 'tender', c, { [name]: w[name] });
        const places = PLACES[name] ?? [name];
        const rest = (one: Json): Json =>
          Object.fromEntries(Object.entries(one).filter(([member]) => !places.includes(member)));
        expect(rest(next)).toEqual(rest(c));
      }),
      RUNS,
    );
  });
});

describe('laws 10 and 11: generations beside each other', () => {
  it('0 is a cut of 2.3', () => {
    fc.assert(
      fc.property(tender, (c) => {
        const cut = Object.entries(get('2.3', 'tender', c)).filter(([name]) => !HIDDEN_ON_0.has(name));
        const apart = (one: Json): Json => JSON.parse(JSON.stringify(one).replaceAll('/api/2.3/', '/api/0/'));
        expect(get('0', 'tender', c)).toEqual(apart(Object.fromEntries(cut)));
      }),
      RUNS,
    );
  });

  it('earliest and middle differ in what the law names', () => {
    const NAMED = [
      'tenderID',
      'enquiryPeriod',
      'clarificationPeriod',
      'tenderPeriod',
      'deliveryDate',
      'minimalStep',
      'bidders',
    ];
    const rest = (one: Json): Json => Object.fromEntries(Object.entries(one).filter(([name]) => !NAMED.includes(name)));
    fc.assert(
      fc.property(tender, (c) => {
        expect(rest(get('0.1-middle', 'tender', c))).toEqual(rest(get('0.1-earliest', 'tender', c)));
      }),
      RUNS,
    );
  });
});

describe('law 12: ids', () => {
  it('the earliest form gives the canonical one back, and no two share it', () => {
    const id = fc
      .record({
        day: fc.date({ min: new Date('2014-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        number: fc.integer({ min: 0, max: 999_999 }),
        server: fc.constantFrom('', '-a', '-7'),
      })
      .map(
        ({ day, number, server }) => `UA-${day.toISOString().slice(0, 10)}-${String(number).padStart(6, '0')}${server}`,
      );
    fc.assert(
      fc.property(id, (one) => {
        expect(toCanonicalId(toEarliestId(one))).toBe(one);
      }),
      RUNS,
    );
  });
});

describe('law 13: the spelling of a request is free', () => {
  const NAMES: Readonly<Record<string, string>> = {
    totalValue: 'value',
    itemsToBeProcured: 'items',
    primaryClassification: 'classification',
    additionalClassification: 'additionalClassifications',
    clarificationPeriod: 'enquiryPeriod',
    unitOfMeasure: 'unit',
  };
  const canonical = (w: Json): Json => {
    if (Array.isArray(w)) return w.map(canonical);
    if (typeof w !== 'object' || w === null) return w;
    const { id, ...rest } = w;
    const named = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [NAMES[name] ?? name, canonical(value)]),
    );
    if (typeof id !== 'object' || id === null) return id === undefined ? named : { ...named, id };
    const { name, uid, ...more } = id;
    const identifier = uid === undefined ? more : { ...more, id: uid };
    return {
      ...named,
      ...(name === undefined ? {} : { name }),
      ...(Object.keys(identifier).length > 0 ? { identifier } : {}),
    };
  };
  const crossed = (w: Json): Json => {
    const { enquiryPeriod, clarificationPeriod, ...rest } = w;
    return {
      ...rest,
      ...(enquiryPeriod === undefined ? {} : { clarificationPeriod: enquiryPeriod }),
      ...(clarificationPeriod === undefined ? {} : { enquiryPeriod: clarificationPeriod }),
    };
  };

  it.each(generations01)('on %s', (generation) => {
    fc.assert(
      fc.property(tender, fullTender, (c, other) => {
        const w = vis(generation, get(generation, 'tender', other));
        for (const spelling of [canonical(w), crossed(w)]) {
          expect(patch(generation, 'tender', c, spelling)).toEqual(patch(generation, 'tender', c, w));
          expect(put(generation, c, spelling)).toEqual(put(generation, c, w));
          expect(create(generation, 'tender', spelling)).toEqual(create(generation, 'tender', w));
        }
      }),
      RUNS,
    );
  });
});

describe('law 14: items move whole', () => {
  it.each(generations01)('on %s', (generation) => {
    fc.assert(
      fc.property(fullTender, (c) => {
        const w = get(generation, 'tender', c);
        const next = put(generation, c, { ...w, itemsToBeProcured: w.itemsToBeProcured.toReversed() });
        // Items that look alike cannot be told apart: they stay among themselves in their order.
        const images = new Set(w.itemsToBeProcured.map((item: Json) => JSON.stringify(item)));
        fc.pre(images.size === w.itemsToBeProcured.length);
        expect(next).toEqual({ ...c, items: c.items.toReversed() });
      }),
      RUNS,
    );
  });
});

describe('law 15: names of errors', () => {
  it.each(generations01)('on %s are those of its column, or data', (generation) => {
    const column = generation === '0.1-middle' ? 'middle' : 'earliest';
    for (const [resource, type] of [
      ['tender', 'Tender'],
      ['bid', 'Bid'],
      ['award', 'Award'],
    ] as const) {
      const names = new Set(['data', ...typeMappingOf(type).members.map((member) => member[column])]);
      for (const { name } of typeMappingOf(type).members) {
        const errors = [{ location: 'body', name, description: ['x'] }];
        const answer = { route: routeOf(resource, 'PATCH'), status: 422, query: '' };
        const text = codecOf(generation).encodeResponse(answer, JSON.stringify({ status: 'error', errors }));
        expect(names).toContain(JSON.parse(text).errors[0].name);
      }
    }
  });
});

describe('what codecs stand on', () => {
  it('a text in which nothing has another form is the same text', () => {
    const any = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(any, (data) => {
        const text = JSON.stringify({ access: { token: 'a"\\' }, data });
        expect(rewriteJson(text, rewriteObject({}, keepMember))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['2.3', ...olderGenerations])(
    'the text of a tender on %s, as its bytes, is that of the tables',
    (generation) => {
      const answer = { route: routeOf('tender'), status: 200, query: '' };
      fc.assert(
        fc.property(tender.chain(inAnyMemberOrder), (c) => {
          const bytes = Buffer.from(toJsonText({ data: c }));
          const shown = Buffer.from(codecOf(generation).encodeResponse(answer, bytes.toString('latin1')), 'latin1');
          const localDocuments = JSON.parse(
            JSON.stringify(referenceTender(generation, c)).replaceAll('/api/2.5/', `/api/${generation.slice(0, 3)}/`),
          );
          expect(withBidsInUrls(JSON.parse(shown.toString('utf8')).data)).toEqual(localDocuments);
        }),
        RUNS,
      );
    },
  );

  it.each(['2.3', ...olderGenerations])('on %s a text that breaks off is left alone', (generation) => {
    const answer = { route: routeOf('tender'), status: 200, query: '' };
    fc.assert(
      fc.property(tender, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (c, share) => {
        const whole = JSON.stringify({ data: { ...c, documents: [] } }).replaceAll('/api/2.5/', '/api/x/');
        const text = whole.slice(0, Math.ceil(whole.length * share));
        expect(codecOf(generation).encodeResponse(answer, text)).toBe(text);
      }),
      RUNS,
    );
  });

  it('the PATCH that is made of two documents makes one of the other', () => {
    const document = fc.dictionary(
      fc.string({ maxLength: 2 }),
      fc.jsonValue({ maxDepth: 3 }).filter((one) => !JSON.stringify(one).includes('null')),
    );
    fc.assert(
      fc.property(document, document, (stored, wish) => {
        const next = { ...stored, ...wish };
        expect(mergePatch(stored, mergeDiff(stored, next))).toEqual(next);
      }),
      { numRuns: 1_000 },
    );
  });
});
