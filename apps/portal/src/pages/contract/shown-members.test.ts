import { StandaloneContract } from '@procurement/contracts/resources/contract';
import type { Language } from '@procurement/page-style/time-left';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import {
  everyMember,
  put,
  sampleValue,
  withEvery,
  type Data,
  type Member,
  type Relations,
} from '../../../test-support/every-member.ts';
import { doubleDeps } from '../../../test-support/api-double.ts';
import { CONTRACT_NOT_SHOWN, CONTRACT_SHOWN_IN, type ContractPart } from '../../domain/shown-contract-members.table.ts';
import { withPage, type PageInfo } from '../../parts/page-context.ts';
import { ContractView } from './view.tsx';

// A member that the contracts add fails this test until a part of the page shows it, or a row says why none does.

const CHANGE = '1'.repeat(32);
const RELATIONS: Relations = [
  [/^changes\[\]\.id$/, CHANGE, '2'.repeat(32)],
  [/documents\[\]\.url$/, 'https://api.example/get/1', 'https://api.example/get/2'],
  [/documents\[\]\.relatedItem$/, 'x', CHANGE],
  [/^status$/, 'terminated', 'cancelled'],
  [/transactions\[\]\.status$/, 'successful', 'canceled'],
];
const members = everyMember(StandaloneContract).filter(({ name }) => !name.endsWith('relatedLot'));

const page = (lang: Language): PageInfo => ({
  lang,
  path: '/',
  nowMs: Date.parse('2026-06-01T00:00:00Z'),
  onUnread: () => expect.unreachable('a member could not be read'),
  site: {
    ...doubleDeps(() => undefined).siteOf({ own: 'https://portal.example', api: 'https://api.example' }, false),
    fileHosts: ['api.example'],
  },
});

function renderParts(contract: Data, lang: Language): ReadonlyMap<string, string> {
  const html = withPage(page(lang), () => renderToString(h(ContractView, { contract, tender: undefined })));
  const pieces = html.split(/(?= id="(?:facts|now|amendments|payments|items|documents|data)")/);
  return new Map(pieces.map((piece, n) => [n === 0 ? 'head' : (/ id="(\w+)"/.exec(piece)?.[1] ?? ''), piece]));
}

const whole = withEvery(members, RELATIONS);
const rendered = { uk: renderParts(whole, 'uk'), en: renderParts(whole, 'en') };
const isLeftOut = ({ name }: Member): boolean => CONTRACT_NOT_SHOWN.some(([pattern]) => pattern.test(name));

function findRow({ name }: Member): string | undefined {
  const main = name.replace(/_en$/, '');
  return Object.keys(CONTRACT_SHOWN_IN)
    .filter((row) => main === row || main.startsWith(`${row}.`) || main.startsWith(`${row}[`))
    .toSorted((one, other) => other.length - one.length)[0];
}

function isShownIn(part: ContractPart, member: Member): boolean {
  const lang = member.name.endsWith('_en') ? 'en' : 'uk';
  const other = structuredClone(whole);
  put(other, member.path, sampleValue(member, RELATIONS, 1));
  return renderParts(other, lang).get(part) !== rendered[lang].get(part);
}

const shown = members.filter((member) => !isLeftOut(member));

it('shows every member of a contract in the part that the table names, or the table says why not (P3)', () => {
  expect(shown.length).toBeGreaterThan(60);
  const missing = shown.flatMap((member) => {
    const row = findRow(member);
    return row !== undefined && isShownIn(CONTRACT_SHOWN_IN[row]!, member)
      ? []
      : [`${member.name} in ${CONTRACT_SHOWN_IN[row ?? '']}`];
  });
  expect(missing).toEqual([]);
});

it('shows no text of a member that the table leaves out', () => {
  const html = [...rendered.uk.values(), ...rendered.en.values()].join('');
  const texts = members.filter(isLeftOut).flatMap((member) => {
    const value = sampleValue(member, RELATIONS, 0);
    return typeof value === 'string' && value.includes(member.name) ? [value] : [];
  });
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => html.includes(text))).toEqual([]);
});

it('names what an API newer than the page says besides, and has no row for what the schemas do not have', () => {
  expect(renderParts({ ...whole, newMember: 1 }, 'en').get('data')).toContain('newMember');
  expect(rendered.en.get('data')).not.toContain('Not shown here');
  expect(CONTRACT_NOT_SHOWN.filter(([pattern]) => !members.some(({ name }) => pattern.test(name)))).toEqual([]);
  const rows = new Set(shown.map(findRow));
  expect(Object.keys(CONTRACT_SHOWN_IN).filter((row) => !rows.has(row))).toEqual([]);
});
