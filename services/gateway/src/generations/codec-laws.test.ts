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

// The laws of generations.md 8 by number. Values are compared as JSON: the order of members does not count.

const olderGenerations = ['0', '0.1-middle', '0.1-earliest'] as const;
const generations01 = ['0.1-middle', '0.1-earliest'] as const;
const HIDDEN_ON_0 = new Set(hiddenMembers('Tender', '0').map(({ name }) => name));
const RUNS = { numRuns: 100 };

/** One instant may have two spellings: a date sent again with another offset keeps the stored spelling. */
const normalizeOffsets = (one: Json): Json =>
  JSON.parse(JSON.stringify(one).replaceAll('2026-03-01T22:00:00+00:00', '2026-03-02T00:00:00+02:00'));

const readOnlyMembers = (c: Json): Json => {
  const writable = withoutReadOnly(c);
  return Object.fromEntries(Object.entries(c).filter(([name]) => !Object.hasOwn(writable, name)));
};
/** `put` of the laws: read-only members stay. On 0 the award period is read-only too. */
const put = (generation: string, c: Json, w: Json): Json => {
  const result = decodeRequest(generation, 'tender', 'PUT', w, { stored: c });
  if ('refused' in result) throw new Error(JSON.stringify(result.refused));
  const next = { ...withoutReadOnly(result.data), ...readOnlyMembers(c) };
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
/** `vis` of the laws: a wire tender cut to its shown and writable members. */
const vis = (generation: string, w: Json): Json => {
  if (generation === '0') {
    const { awardPeriod: _served, ...rest } = withoutReadOnly(w);
    return rest;
  }
  const names = shownNames(generation);
  return Object.fromEntries(Object.entries(w).filter(([name]) => names.has(name)));
};

/** The same value with the members of all objects in another order. */
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

/** Document URLs with `bids`, which are `bidders` on 0.1. */
const withBidsInUrls = (one: Json): Json =>
  JSON.parse(JSON.stringify(one).replaceAll(/(tenders\/[0-9a-f]+\/)bidders/g, '$1bids'));

describe('law 1: get is total', () => {
  it.each(olderGenerations)('on %s adds no null and no empty object or list', (generation) => {
    fc.assert(
      fc.property(tender, (c) => {
        const text = JSON.stringify(get(generation, 'tender', c));
        expect(text).not.toMatch(/null|\{\}|\[\]/);
      }),
      RUNS,
    );
  });

  it.each(['2.3', ...olderGenerations])('on %s accepts any JSON', (generation) => {
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

  it.each(generations01)('on %s writes only names of its column', (generation) => {
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

describe('laws 2 and 3: sending back what was read, or nothing, changes nothing', () => {
  it.each(olderGenerations)('for PUT and PATCH on %s', (generation) => {
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

  it.each(['2.3', ...olderGenerations])('for PATCH of a bid on %s', (generation) => {
    fc.assert(
      fc.property(bid, (c) => {
        const { id: _id, date: _date, documents: _documents, participationUrl: _url, ...w } = get(generation, 'bid', c);
        expect(patch(generation, 'bid', c, w)).toEqual(c);
      }),
      RUNS,
    );
  });
});

describe('law 4: a GET shows what a PUT sent', () => {
  it.each(olderGenerations)('on %s', (generation) => {
    fc.assert(
      fc.property(tender, fullTender, (given, other) => {
        const { awardPeriod: _begun, ...c } = given;
        const w = vis(generation, get(generation, 'tender', other));
        const encoded = vis(generation, get(generation, 'tender', put(generation, c, w)));
        expect(normalizeOffsets(encoded)).toEqual(normalizeOffsets(w));
      }),
      RUNS,
    );
  });
});

describe('law 5: a GET shows what a POST sent', () => {
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

describe('law 6: the last PUT wins', () => {
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

describe('law 7: hidden members are kept', () => {
  it.each(generations01)('by a PATCH on %s', (generation) => {
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

  it.each(['2.3', '0'] as const)('by a PUT on %s', (segment) => {
    const hidden = hiddenMembers('Tender', segment).map(({ name }) => name);
    fc.assert(
      fc.property(tender, fullTender, (c, other) => {
        const next = put(segment, c, vis('0', get(segment, 'tender', other)));
        for (const name of hidden) expect([name, next[name]]).toEqual([name, c[name]]);
      }),
      RUNS,
    );
  });
});

describe('law 8: a PATCH changes only the canonical members of the names sent', () => {
  const CHANGED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
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
        const changed = CHANGED_MEMBERS[name] ?? [name];
        const rest = (one: Json): Json =>
          Object.fromEntries(Object.entries(one).filter(([member]) => !changed.includes(member)));
        expect(rest(next)).toEqual(rest(c));
      }),
      RUNS,
    );
  });
});

describe('laws 10 and 11: generations compared', () => {
  it('0 shows a subset of 2.3', () => {
    fc.assert(
      fc.property(tender, (c) => {
        const cut = Object.entries(get('2.3', 'tender', c)).filter(([name]) => !HIDDEN_ON_0.has(name));
        const on0 = (one: Json): Json => JSON.parse(JSON.stringify(one).replaceAll('/api/2.3/', '/api/0/'));
        expect(get('0', 'tender', c)).toEqual(on0(Object.fromEntries(cut)));
      }),
      RUNS,
    );
  });

  it('earliest and middle differ only in the members that the law names', () => {
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

describe('law 12: ids of the earliest generation', () => {
  it('convert back to the canonical id, so no two are equal', () => {
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

describe('law 13: any known name of a member gives the same result', () => {
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
  const withOtherPeriodName = (w: Json): Json => {
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
        for (const variant of [canonical(w), withOtherPeriodName(w)]) {
          expect(patch(generation, 'tender', c, variant)).toEqual(patch(generation, 'tender', c, w));
          expect(put(generation, c, variant)).toEqual(put(generation, c, w));
          expect(create(generation, 'tender', variant)).toEqual(create(generation, 'tender', w));
        }
      }),
      RUNS,
    );
  });
});

describe('law 14: a PUT that reorders items reorders them with their hidden members', () => {
  it.each(generations01)('on %s', (generation) => {
    fc.assert(
      fc.property(fullTender, (c) => {
        const w = get(generation, 'tender', c);
        const next = put(generation, c, { ...w, itemsToBeProcured: w.itemsToBeProcured.toReversed() });
        // Items with equal images keep their order among themselves.
        const images = new Set(w.itemsToBeProcured.map((item: Json) => JSON.stringify(item)));
        fc.pre(images.size === w.itemsToBeProcured.length);
        expect(next).toEqual({ ...c, items: c.items.toReversed() });
      }),
      RUNS,
    );
  });
});

describe('law 15: error names', () => {
  it.each(generations01)('on %s are names of its column, or data', (generation) => {
    const column = generation === '0.1-middle' ? 'middle' : 'earliest';
    for (const [resource, type] of [
      ['tender', 'Tender'],
      ['bid', 'Bid'],
      ['award', 'Award'],
    ] as const) {
      const names = new Set(['data', ...typeMappingOf(type).members.map((member) => member[column])]);
      for (const { name } of typeMappingOf(type).members) {
        const errors = [{ location: 'body', name, description: ['x'] }];
        const context = { route: routeOf(resource, 'PATCH'), status: 422, query: '' };
        const text = codecOf(generation).encodeResponse(context, JSON.stringify({ status: 'error', errors }));
        expect(names).toContain(JSON.parse(text).errors[0].name);
      }
    }
  });
});

describe('encoding on the text', () => {
  it('keeps a text without rewritten members', () => {
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
    'on %s gives the same tender, read as Latin-1 bytes, as the reference mapping on objects',
    (generation) => {
      const context = { route: routeOf('tender'), status: 200, query: '' };
      fc.assert(
        fc.property(tender.chain(inAnyMemberOrder), (c) => {
          const bytes = Buffer.from(toJsonText({ data: c }));
          const encoded = Buffer.from(codecOf(generation).encodeResponse(context, bytes.toString('latin1')), 'latin1');
          const localDocuments = JSON.parse(
            JSON.stringify(referenceTender(generation, c)).replaceAll('/api/2.5/', `/api/${generation.slice(0, 3)}/`),
          );
          expect(withBidsInUrls(JSON.parse(encoded.toString('utf8')).data)).toEqual(localDocuments);
        }),
        RUNS,
      );
    },
  );

  it.each(['2.3', ...olderGenerations])('on %s keeps a truncated text unchanged', (generation) => {
    const context = { route: routeOf('tender'), status: 200, query: '' };
    fc.assert(
      fc.property(tender, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (c, share) => {
        const whole = JSON.stringify({ data: { ...c, documents: [] } }).replaceAll('/api/2.5/', '/api/x/');
        const text = whole.slice(0, Math.ceil(whole.length * share));
        expect(codecOf(generation).encodeResponse(context, text)).toBe(text);
      }),
      RUNS,
    );
  });
});

describe('mergeDiff', () => {
  it('gives a PATCH that turns one document into the other', () => {
    const document = fc.dictionary(
      fc.string({ maxLength: 2 }),
      fc.jsonValue({ maxDepth: 3 }).filter((one) => !JSON.stringify(one).includes('null')),
    );
    fc.assert(
      fc.property(document, document, (stored, changes) => {
        const next = { ...stored, ...changes };
        expect(mergePatch(stored, mergeDiff(stored, next))).toEqual(next);
      }),
      { numRuns: 1_000 },
    );
  });
});
