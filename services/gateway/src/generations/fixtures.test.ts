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
  routeAt,
  routeOf,
  type Json,
} from '../../test-support/generations.ts';
import { toCanonicalId, encodeTenderId } from './v0.1/tender-id.ts';
import { withoutReadOnly } from './v0.1/apply-tender-change.ts';

// Runs every row of the fixtures (generations.md 10) in every generation that the row names.

const METHODS: Readonly<Record<string, Method>> = { create: 'POST', patch: 'PATCH', put: 'PUT' };

/** One row for each generation that a row names. */
function rowsPerGeneration(name: string): readonly Json[] {
  return fixture(name).flatMap((row: Json) => row.generations.map((generation: string) => ({ ...row, generation })));
}

function decodeRow(row: Json, data: Json): Json {
  const now = (parseDateTime(row.now ?? '')?.instant ?? 0) as Instant;
  const context = row.stored === undefined ? { now } : { now, stored: fixture(row.stored) };
  return decodeRequest(row.generation, row.resource, METHODS[row.op] ?? 'GET', data, context);
}

/** `stored` with the changes of `set` and `remove` of a row (JSON Pointers). */
function expectedNext(row: Json): Json {
  const next = structuredClone(fixture(row.stored));
  const at = (pointer: string): [Json, string] => {
    const steps = pointer.slice(1).split('/');
    const last = steps.pop() ?? '';
    let parent = next;
    for (const step of steps) parent = parent[step];
    return [parent, last];
  };
  for (const [pointer, value] of Object.entries(row.set ?? {})) {
    const [parent, name] = at(pointer);
    parent[name] = value;
  }
  for (const pointer of row.remove ?? []) {
    const [parent, name] = at(pointer);
    delete parent[name];
  }
  return next;
}

/** The members of a PUT that count: the service ignores the others. */
function writableMembers(row: Json, document: Json): Json {
  const { awardPeriod, ...rest } = withoutReadOnly(document);
  // Only clients of 0.1 can set an award period.
  return row.generation === '0' ? rest : { ...rest, awardPeriod };
}

describe('encodeResponse', () => {
  const rows = ['tender', 'bid', 'award', 'auction'].flatMap((resource) =>
    generations.map((generation) => ({ resource, generation })),
  );

  it.each(rows)('encodes $resource on $generation', ({ resource, generation }) => {
    const encoded = get(generation, resource, fixture(`${resource}.canonical.json`));
    expect(encoded).toEqual(fixture(`${resource}.${generation}.json`));
  });

  const reportPaths = ['/tenders/:tender_id/auction', '/tenders/:tender_id/auction/:auction_lot_id'];
  it.each(generations.flatMap((generation) => reportPaths.map((path) => ({ generation, path }))))(
    'encodes the tender that answers POST $path on $generation',
    ({ generation, path }) => {
      const text = codecOf(generation).encodeResponse(
        { route: routeAt(path, 'POST'), status: 200, query: '' },
        toJsonText({ data: fixture('tender.canonical.json') }),
      );
      expect(JSON.parse(text).data).toEqual(fixture(`tender.${generation}.json`));
    },
  );

  it.each(rows.filter(({ resource }) => resource === 'bid' || resource === 'award'))(
    'encodes a list of $resource on $generation',
    ({ resource, generation }) => {
      const one = fixture(`${resource}.canonical.json`);
      const route = { ...routeOf(resource), path: `/tenders/:tender_id/${resource}s` };
      const text = codecOf(generation).encodeResponse(
        { route, status: 200, query: '' },
        toJsonText({ data: [one, one] }),
      );
      const encoded = fixture(`${resource}.${generation}.json`);
      expect(JSON.parse(text).data).toEqual([encoded, encoded]);
    },
  );

  it.each(generations)('encodes the feed on %s', (generation) => {
    const context = { route: routeOf('feed'), status: 200, query: '' };
    const text = codecOf(generation).encodeResponse(context, JSON.stringify(fixture('feed.canonical.json')));
    expect(JSON.parse(text)).toEqual(fixture(`feed.${generation}.json`));
  });
});

describe('decodeRequest, cases.json', () => {
  it.each(rowsPerGeneration('cases.json'))('decodes $op $resource on $generation: $request', (row) => {
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

describe('decodeRequest, refusals.json', () => {
  it.each(rowsPerGeneration('refusals.json'))('refuses $op $resource on $generation: $body.data', (row) => {
    const result = decodeRow(row, row.body.data);
    if ('refused' in result) {
      expect(result.refused).toMatchObject({ status: row.status, errors: row.errors });
      return;
    }
    // The codec passes this body, and the schema of the service refuses it with the same errors.
    const stored = row.stored === undefined ? {} : fixture(row.stored);
    const schema = row.resource === 'tender' ? SandboxTenderInput : EarlyBidInput;
    const parsed = parseWith(schema as typeof SandboxTenderInput, mergePatch(stored, result.data));
    expect(parsed.ok ? [] : parsed.errors).toEqual(row.errors);
  });
});

describe('encodeResponse, errors.json', () => {
  it.each(rowsPerGeneration('errors.json'))('encodes an error of $resource on $generation: $canonical', (row) => {
    const sent = Object.fromEntries((row.sent ?? []).map((name: string) => [name, {}]));
    const context = { route: routeOf(row.resource, 'PATCH'), status: 422, query: '', sent };
    const text = JSON.stringify({ status: 'error', errors: [row.canonical] });
    expect(JSON.parse(codecOf(row.generation).encodeResponse(context, text)).errors).toEqual([row.wire]);
  });
});

describe('encodeTenderId, tender-ids.json', () => {
  it.each<Json>(fixture('tender-ids.json'))('encodes $canonical', ({ id, canonical, middle, earliest }) => {
    expect(encodeTenderId('middle', { id, tenderID: canonical })).toBe(middle);
    expect(encodeTenderId('earliest', { id, tenderID: canonical })).toBe(earliest);
    expect(toCanonicalId(earliest)).toBe(canonical);
  });
});
