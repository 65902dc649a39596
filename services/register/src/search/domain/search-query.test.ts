import { describe, expect, it } from 'vitest';
import { candidatesMax, parseQuery, tsqueryText } from './search-query.ts';

const read = (text: string): string | undefined => tsqueryText(parseQuery(text) ?? []);

describe('parseQuery', () => {
  it.each([
    ['папір', "((('папір' | '~пап*р')))"],
    ['a4 paper', "((('a4'))) & ((('paper')))"],
    ['"офісний папір"', "((('офісний' | '~оф*сн') <-> ('папір' | '~пап*р')))"],
    ['paper -toner', "((('paper'))) & !((('toner')))"],
    ['paper -"a toner"', "((('paper'))) & !((('toner')))"],
    ['paper OR toner ink', "((('paper')) | (('toner'))) & ((('ink')))"],
    ['комп*', "((('комп':*)))"],
    ['30190000-7', "((('30190000-7' | '=cpv:3019' | '30190000')))"],
    ['UA-2026-03-02-000001', "((('ua-2026-03-02-000001')))"],
    ["комп'ютер", "((('компютер' | '~компют*р')))"],
    ['the', undefined],
    ["paper' | !('x", "((('paper'))) & ((('x')))"],
    ['=cpv:30 ~x <-> & \u0000 ! \\', "((('cpv') <-> ('30'))) & ((('x')))"],
  ])('gives %j as quoted lexemes only', (text, tsquery) => {
    expect(read(text)).toBe(tsquery);
  });

  it.each([
    '"open',
    'OR a1',
    'a1 OR',
    'a1 OR OR b1',
    '-a1 OR b1',
    'a1 OR -b1',
    'ab*',
    '*',
    'abc-def*',
    'w1 '.repeat(11),
  ])('refuses %j', (text) => {
    expect(parseQuery(text)).toBeUndefined();
  });
});

describe('candidatesMax', () => {
  const counts = new Map([
    ['папір', 5],
    ['~пап*р', 9],
    ['paper', 3],
    ['toner', 4],
    ['ton*', Number.POSITIVE_INFINITY],
  ]);

  it.each([
    ['папір', 9],
    ['папір paper', 3],
    ['paper OR toner', 7],
    ['ton*', Number.POSITIVE_INFINITY],
    ['ton* paper', 3],
    ['"paper toner"', 3],
    ['unknown', 0],
    ['-paper', Number.POSITIVE_INFINITY],
  ])('bounds %j by %d tenders', (text, max) => {
    expect(candidatesMax(parseQuery(text) ?? [], counts)).toBe(max);
  });
});
