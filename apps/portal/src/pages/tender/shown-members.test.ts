import type { Tender as TenderData } from '@procurement/client';
import { LEFT_OUT_BY_OLDER_SEGMENTS } from '@procurement/contracts/resources/older-segments';
import { Tender } from '@procurement/contracts/resources/tender';
import type { Language } from '@procurement/page-style/time-left';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import {
  everyMember,
  put,
  sampleValue,
  withEvery,
  type Data,
  type Member,
  type Relations,
} from '../../../test-support/every-member.ts';
import { NOT_SHOWN, SHOWN_IN, type Part } from '../../domain/shown-members.table.ts';
import { withPage, type PageInfo } from '../../parts/page-context.ts';
import { TenderView } from './view.tsx';

// A member that the contracts add fails these tests until a part of the page shows it, or a row says why none does.

const members = everyMember(Tender);

const [LOT, OTHER_LOT, BID, OTHER_BID, AWARD] = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(32));
const ROOM = 'https://room.example';

/** Relations between parts, which a value of the schema alone would not have: the value, and another one. */
const RELATIONS: Relations = [
  [/^lots\[\]\.id$|relatedLot$|lotID$|relatedItem$/, LOT, OTHER_LOT],
  [/^bids\[\]\.id$|bid_id$/, BID, OTHER_BID],
  [/^awards\[\]\.id$|awardID$/, AWARD, OTHER_BID],
  [/^features\[\]\.code$|parameters\[\]\.code$/, 'CODE', 'OTHER'],
  [/^features\[\]\.enum\[\]\.value$|parameters\[\]\.value$/, 0.05, 0.07],
  [/auctionUrl$/, `${ROOM}/1`, `${ROOM}/2`],
  [/documents\[\]\.url$/, 'https://api.example/get/1', 'https://api.example/get/2'],
  [/^lots\[\]\.status$/, 'active', 'cancelled'],
  [/^bids\[\]\.status$/, 'active', 'draft'],
  [/^(?:status|contracts\[\]\.status)$/, 'complete', 'active.awarded'],
];

/** A tender with every member. */
function fullTender(): Data {
  const tender = withEvery(members, RELATIONS);
  tender.lots.push({ ...structuredClone(tender.lots[0]), id: OTHER_LOT, title: 'second', title_en: 'second' });
  return tender;
}

/**
 * Tenders between which every member has a place: with lots and without, whose prices and auctions are members of their own. Of a contract, what
 * followed its signature hides what was signed.
 */
const tenders = [
  fullTender(),
  (({ lots: _lots, ...tender }) => ({
    ...tender,
    bids: tender.bids.map(({ lotValues: _values, ...bid }: Data) => bid),
    contracts: tender.contracts.map(({ implementation: _implementation, ...contract }: Data) => contract),
  }))(fullTender()),
];

const page = (lang: Language): PageInfo => ({
  lang,
  path: '/',
  nowMs: Date.parse('2026-06-01T00:00:00Z'),
  onUnread: () => expect.unreachable('a member could not be read'),
  site: {
    name: { uk: '', en: '' },
    apiUrl: 'https://api.example',
    ownUrl: 'https://portal.example',
    auctionsUrl: ROOM,
    fileHosts: ['api.example'],
    contact: '',
    licence: '',
    indexing: true,
    isSandbox: false,
    canPlay: false,
  },
});

/** The markup of each part of the page by its id. */
function renderParts(tender: TenderData, lang: Language): ReadonlyMap<string, string> {
  const html = withPage(page(lang), () => renderToString(h(TenderView, { tender, revisions: [] })));
  const ids =
    'facts|now|life|what|lots|items|criteria|documents|questions|complaints|bids|auction|awards|contract|cancellations|history|data';
  const pieces = html.split(new RegExp(`(?= id="(?:${ids})")`));
  return new Map(pieces.map((piece, n) => [n === 0 ? 'head' : (/ id="(\w+)"/.exec(piece)?.[1] ?? ''), piece]));
}

const rendered = tenders.map((tender) => ({ uk: renderParts(tender, 'uk'), en: renderParts(tender, 'en') }));

/** Whether another value of a member makes another part of the page of one of the tenders, in the language of the member. */
function isShownIn(part: Part, member: Member): boolean {
  const lang = member.name.endsWith('_en') ? 'en' : 'uk';
  return tenders.some((tender, n) => {
    if (tender[member.path[0]!] === undefined) return false;
    if (member.name.includes('.implementation.') && n > 0) return false;
    const other = structuredClone(tender);
    put(other, member.path, sampleValue(member, RELATIONS, 1));
    return renderParts(other, lang).get(part) !== rendered[n]![lang].get(part);
  });
}

const findReason = ({ name }: Member): string | undefined => NOT_SHOWN.find(([pattern]) => pattern.test(name))?.[1];

/** The row of a member, or of the object that has it. Texts in another language have the row of the main one. */
function findRow({ name }: Member): string | undefined {
  const main = name.replace(/_en$/, '');
  return Object.keys(SHOWN_IN)
    .filter((row) => main === row || main.startsWith(`${row}.`) || main.startsWith(`${row}[`))
    .toSorted((one, other) => other.length - one.length)[0];
}

const shown = members.filter((member) => findReason(member) === undefined);

describe('the page of a tender that has every member of the schemas (P3)', () => {
  it('has each of them in the part that the table names, or the table says why not', () => {
    expect(members.length).toBeGreaterThan(600);
    expect(shown.length).toBeGreaterThan(250);
    const missing = shown.flatMap((member) => {
      const row = findRow(member);
      return row !== undefined && isShownIn(SHOWN_IN[row]!, member) ? [] : [`${member.name} in ${SHOWN_IN[row ?? '']}`];
    });
    expect(missing).toEqual([]);
  });

  it('shows no text of a member that the table leaves out', () => {
    const html = rendered.flatMap(({ uk, en }) => [...uk.values(), ...en.values()]).join('');
    const texts = members.flatMap((member) => {
      const value = sampleValue(member, RELATIONS, 0);
      return findReason(member) !== undefined && typeof value === 'string' && value.includes(member.name)
        ? [value]
        : [];
    });
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => html.includes(text))).toEqual([]);
  });

  it('names what an API newer than the page says besides', () => {
    const parts = renderParts({ ...tenders[0], newMember: 1 }, 'en');
    expect(parts.get('data')).toContain('newMember');
    expect(rendered[0]!.en.get('data')).not.toContain('Not shown here');
  });

  it('has no row for what the schemas do not have', () => {
    expect(NOT_SHOWN.filter(([pattern]) => !members.some(({ name }) => pattern.test(name)))).toEqual([]);
    const rows = new Set(shown.map(findRow));
    expect(Object.keys(SHOWN_IN).filter((row) => !rows.has(row))).toEqual([]);
  });
});

describe('the page of a tender of an older segment', () => {
  const withoutParts = (tender: Data): Data =>
    Object.fromEntries(
      Object.entries(tender).filter(
        ([name]) => !LEFT_OUT_BY_OLDER_SEGMENTS['Tender']!.includes(name.replace(/_(?:en|ru)$/, '')),
      ),
    );
  const withoutMembersOfParts = (tender: Data): Data =>
    JSON.parse(
      JSON.stringify(tender, (name, value) => {
        if (name === 'address' || name === 'contactPoint') return undefined;
        if (name === 'identifier') return { ...value, id: undefined };
        return name === 'unit' ? { ...value, code: undefined } : value;
      }),
    );

  it.each([
    ['its parts', withoutParts],
    ['members of its parts', withoutMembersOfParts],
  ])('is whole without %s', (_, take) => {
    for (const tender of tenders)
      for (const lang of ['uk', 'en'] as const) {
        const html = [...renderParts(take(tender), lang).values()].join('');
        expect(html).not.toMatch(/undefined|NaN|Invalid|<h1><\/h1>/);
        expect(html).toContain('bids[].tenderers[].name');
      }
  });
});
