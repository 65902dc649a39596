import { mergePatch } from '@procurement/domain/merge';
import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import type { Method } from '@procurement/contracts/api/route';
import { toJsonText } from '@procurement/domain/json-text';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { EarlyBidInput } from '@procurement/contracts/resources/bid';
import { SandboxTenderInput } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import {
  codecOf,
  fixture,
  generations,
  get,
  decodeRequest,
  routeOf,
  type Json,
} from '../../test-support/generations.ts';
import { toCanonicalId, encodeTenderId } from './v0.1/tender-id.ts';
import { withoutReadOnly } from './v0.1/apply-tender-change.ts';

// The fixtures of the specification (generations.md 10), every row of them, in every generation that the row names.

const METHODS: Readonly<Record<string, Method>> = { create: 'POST', patch: 'PATCH', put: 'PUT' };

/** One row a generation that it names. */
function rowsPerGeneration(name: string): readonly Json[] {
  return fixture(name).flatMap((row: Json) => row.generations.map((generation: string) => ({ ...row, generation })));
}

function decodeRow(row: Json, data: Json): Json {
  const now = (parseDateTime(row.now ?? '')?.instant ?? 0) as Instant;
  const context = row.stored === undefined ? { now } : { now, stored: fixture(row.stored) };
  return decodeRequest(row.generation, row.resource, METHODS[row.op] ?? 'GET', data, context);
}

/** `stored` with the changes that a row tells by JSON pointers. */
function expectedNext(row: Json): Json {
  const next = structuredClone(fixture(row.stored));
  const at = (pointer: string): [Json, string] => {
    const steps = pointer.slice(1).split('/');
    const last = steps.pop() ?? '';
    let home = next;
    for (const step of steps) home = home[step];
    return [home, last];
  };
  for (const [pointer, value] of Object.entries(row.set ?? {})) {
    const [home, name] = at(pointer);
    home[name] = value;
  }
  for (const pointer of row.remove ?? []) {
    const [home, name] = at(pointer);
    delete home[name];
  }
  return next;
}

/** What counts of a PUT, which is sent whole: what the service sets may be in it, and is passed over there. */
function writableMembers(row: Json, document: Json): Json {
  const { awardPeriod, ...rest } = withoutReadOnly(document);
  // A planned award period exists on 0.1 only; elsewhere it is the service's.
  return row.generation === '0' ? rest : { ...rest, awardPeriod };
}

describe('get', () => {
  const rows = ['tender', 'bid', 'award', 'auction'].flatMap((resource) =>
    generations.map((generation) => ({ resource, generation })),
  );

  it.each(rows)('$resource on $generation', ({ resource, generation }) => {
    const shown = get(generation, resource, fixture(`${resource}.canonical.json`));
    expect(shown).toEqual(fixture(`${resource}.${generation}.json`));
  });

  it.each(rows.filter(({ resource }) => resource === 'bid' || resource === 'award'))(
    'a list of $resource on $generation',
    ({ resource, generation }) => {
      const one = fixture(`${resource}.canonical.json`);
      const route = { ...routeOf(resource), path: `/tenders/:tender_id/${resource}s` };
      const answer = codecOf(generation).encodeResponse(
        { route, status: 200, query: '' },
        toJsonText({ data: [one, one] }),
      );
      const shown = fixture(`${resource}.${generation}.json`);
      expect(JSON.parse(answer).data).toEqual([shown, shown]);
    },
  );

  it.each(generations)('feed on %s', (generation) => {
    const answer = { route: routeOf('feed'), status: 200, query: '' };
    const text = codecOf(generation).encodeResponse(answer, JSON.stringify(fixture('feed.canonical.json')));
    expect(JSON.parse(text)).toEqual(fixture(`feed.${generation}.json`));
  });
});

describe('cases.json', () => {
  it.each(rowsPerGeneration('cases.json'))('$op $resource on $generation: $request', (row) => {
    const { data } = decodeRow(row, fixture(row.request).data);
    if (row.stored === undefined) {
      expect(data).toEqual(row.canonicalInline ?? fixture(row.canonical));
      return;
    }
    const expected = expectedNext(row);
    if (row.op === 'patch') expect(mergePatch(fixture(row.stored), data)).toEqual(expected);
    else expect(writableMembers(row, data)).toEqual(writableMembers(row, expected));
  });
});

describe('refusals.json', () => {
  it.each(rowsPerGeneration('refusals.json'))('$op $resource on $generation: $body.data', (row) => {
    const reading = decodeRow(row, row.body.data);
    if ('refused' in reading) {
      expect(reading.refused).toMatchObject({ status: row.status, errors: row.errors });
      return;
    }
    // What a codec lets pass the service refuses, in the same words.
    const stored = row.stored === undefined ? {} : fixture(row.stored);
    const schema = row.resource === 'tender' ? SandboxTenderInput : EarlyBidInput;
    const judged = parseWith(schema as typeof SandboxTenderInput, mergePatch(stored, reading.data));
    expect(judged.ok ? [] : judged.errors).toEqual(row.errors);
  });
});

describe('errors.json', () => {
  it.each(rowsPerGeneration('errors.json'))('$resource on $generation: $canonical', (row) => {
    const sent = Object.fromEntries((row.sent ?? []).map((name: string) => [name, {}]));
    const answer = { route: routeOf(row.resource, 'PATCH'), status: 422, query: '', sent };
    const text = JSON.stringify({ status: 'error', errors: [row.canonical] });
    expect(JSON.parse(codecOf(row.generation).encodeResponse(answer, text)).errors).toEqual([row.wire]);
  });
});

describe('tender-ids.json', () => {
  it.each<Json>(fixture('tender-ids.json'))('$canonical', ({ id, canonical, middle, earliest }) => {
    expect(encodeTenderId('middle', { id, tenderID: canonical })).toBe(middle);
    expect(encodeTenderId('earliest', { id, tenderID: canonical })).toBe(earliest);
    expect(toCanonicalId(earliest)).toBe(canonical);
  });
});
