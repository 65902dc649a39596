import { describe, expect, it } from 'vitest';
import { OPT_FIELDS_CHARACTERS_MAX, readFeedQuery, type FeedQuery } from '@procurement/kit/feed/feed-query';
import { pageLinks } from '@procurement/kit/feed/page-links';
import { changesToken } from './changes-token.ts';
import { feedOffsets } from './feed-offsets.ts';
import { FAST_FIELDS } from './list-tenders.ts';

const SECRETS = { epoch: 1, secret: 'feed' };
const OFFSETS = feedOffsets(SECRETS);
const ADDRESS = { path: '/tenders', publicBaseUrl: 'http://api', offsets: OFFSETS };
const STAMP = 1_779_360_000_396_982n;
const TOKEN = changesToken(STAMP, SECRETS.epoch, SECRETS.secret);

function readerOn(segment: string, isSandbox = false) {
  return { segment, isSandbox, fastFields: FAST_FIELDS, offsets: OFFSETS };
}

function readQuery(segment: string, query: string, isSandbox = false): FeedQuery | number {
  const reading = readFeedQuery(new URLSearchParams(query), readerOn(segment, isSandbox));
  return 'refused' in reading ? reading.refused.status : reading.query;
}

function readPosition(segment: string, query: string): bigint | number | undefined {
  const result = readQuery(segment, query);
  return typeof result === 'number' ? result : result.after;
}

describe('offsets of the feed (http.md 1.3)', () => {
  it.each([
    ['0', 0n],
    ['0.0', 0n],
    ['1', 1_000_000n],
    ['100.5', 100_500_000n],
    ['1779360000.396982', STAMP],
    ['1779360000.396982.7.a1b2', STAMP],
  ])('accepts %s in both feeds of 2.5 (rulings R24)', (offset, stamp) => {
    expect(readPosition('2.5', `offset=${offset}`)).toBe(stamp);
    expect(readPosition('2.5', `feed=changes&offset=${offset}`)).toBe(stamp);
  });

  it.each(['2.5', '2.3'])('accepts on %s a signed offset, as older segments get', (segment) => {
    expect(readPosition(segment, `feed=changes&offset=${TOKEN}`)).toBe(STAMP);
  });

  it.each([
    ['2.3', 'offset=0'],
    ['2.3', 'feed=changes&offset=0'],
    ['2.3', 'feed=changes&offset=1779360000.396982'],
    ['2.5', 'offset=-1'],
    ['2.5', 'offset=yesterday'],
    ['2.5', `feed=changes&offset=${TOKEN.slice(0, -2)}zz`],
  ])('refuses on %s the query %s with 404', (segment, query) => {
    expect(readPosition(segment, query)).toBe(404);
  });

  it.each([
    ['2.5', '', '1779360000.396982'],
    ['2.5', 'feed=changes', '1779360000.396982'],
    ['2.3', '', '1779360000.396982'],
    ['2.3', 'feed=changes', TOKEN],
  ])('issues on %s with the query "%s" the offset %s', (segment, text, offset) => {
    const query = readQuery(segment, text);
    if (typeof query === 'number') throw new Error(`refused with ${query}`);
    expect(pageLinks(query, { first: STAMP, last: STAMP }, ADDRESS).next_page.offset).toBe(offset);
  });
});

describe('limit (http.md 1.2)', () => {
  it.each(['-1', '0', '1.5', 'ten', '1e2', '+5', ' 5', '٣'])(
    'refuses %s on every segment, and names the range',
    (limit) => {
      for (const segment of ['2.5', '2.3', '0', '0.1']) {
        const query = new URLSearchParams({ limit });
        expect(readFeedQuery(query, readerOn(segment))).toMatchObject({
          refused: {
            code: 'feed.limit',
            status: 400,
            errors: [
              { location: 'params', name: 'limit', description: 'limit should be a whole number from 1 to 1000' },
            ],
          },
        });
      }
    },
  );

  it.each([
    ['', 100],
    ['limit=', 100],
    ['limit=1', 1],
    ['limit=007', 7],
    ['limit=1001', 1_000],
    [`limit=${'9'.repeat(400)}`, 1_000],
    ['limit=500&opt_fields=items', 100],
  ])('takes %s as %i rows', (query, rows) => {
    expect(readQuery('2.3', query)).toMatchObject({ limit: rows });
  });
});

describe('opt_expand (register.md 8.6)', () => {
  const expanded = readQuery('2.5', 'opt_expand=1&opt_fields=title&limit=1000&mode=_all_');

  it('limits a page to 100 tenders and ignores opt_fields', () => {
    expect(expanded).toMatchObject({ expand: true, limit: 100, fields: [] });
  });

  it('is repeated in links, in alphabetical order', () => {
    if (typeof expanded === 'number') throw new Error('refused');
    expect(pageLinks(expanded, { first: STAMP, last: STAMP }, ADDRESS).next_page.path).toBe(
      '/api/2.5/tenders?limit=1000&mode=_all_&offset=1779360000.396982&opt_expand=1&opt_fields=title',
    );
  });

  it.each([
    ['2.3', 'opt_expand=1'],
    ['0', 'opt_expand=1'],
    ['2.5', 'opt_expand='],
    ['2.5', 'opt_expand=yes'],
  ])('is ignored on %s as %s', (segment, query) => {
    const reading = readQuery(segment, query);
    expect(reading).toMatchObject({ expand: false, limit: 100 });
    expect(typeof reading === 'number' ? reading : [...reading.linkParameters]).toEqual([]);
  });
});

describe('opt_fields (http.md 1.4)', () => {
  it('refuses more characters than all names together need', () => {
    expect(readQuery('2.5', `opt_fields=${'x'.repeat(OPT_FIELDS_CHARACTERS_MAX)}`)).toMatchObject({ limit: 100 });
    expect(readQuery('2.5', `opt_fields=${'x'.repeat(OPT_FIELDS_CHARACTERS_MAX + 1)}`)).toBe(422);
  });
});

describe('mode (http.md 1.2)', () => {
  it.each([
    ['2.5', '', false, 'real'],
    ['2.5', '', true, 'real'],
    ['2.3', '', false, 'real'],
    ['2.3', '', true, 'all'],
    ['0', 'mode=', true, 'all'],
    ['0.1', 'mode=toString', true, 'all'],
    ['0.1', 'mode=test', true, 'test'],
    ['0', 'mode=_all_', false, 'all'],
  ])('on %s with the query "%s" in a sandbox or not (%s) lists %s (rulings R38)', (segment, query, isSandbox, mode) => {
    expect(readQuery(segment, query, isSandbox)).toMatchObject({ mode });
  });
});
