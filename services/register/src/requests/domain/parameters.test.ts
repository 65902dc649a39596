import { describe, expect, it } from 'vitest';
import { anyText, flag, isLongerThan, listOf, oneOf, position, readParameters, wholeNumber } from './parameters.ts';

const TABLE = {
  limit: wholeNumber(1, 100),
  ids: listOf(anyText(3)),
  expand: flag,
  at_least: position,
} as const;

function read(query: string) {
  return readParameters(query, TABLE, { conflicts: [['limit', 'expand']] });
}

function refusal(query: string): string {
  const reading = read(query);
  if (!('refused' in reading)) return 'accepted';
  const [{ location, name, description }] = JSON.parse(JSON.stringify(reading.refused.errors));
  return `${reading.refused.status} ${location}/${name} ${description}`;
}

describe('readParameters', () => {
  it('reads the values that were sent', () => {
    expect(read('limit=7&ids=b,a,b&at_least=1779360000.396982&opt_pretty=1&expand=')).toEqual({
      parameters: { limit: 7, ids: ['b', 'a'], at_least: 1_779_360_000_396_982n },
    });
  });

  it.each([
    ['page=1', '400 params/page Unknown parameter'],
    ['Limit=1', '400 params/Limit Unknown parameter'],
    ['__proto__=1', '400 params/__proto__ Unknown parameter'],
    ['constructor=1', '400 params/constructor Unknown parameter'],
    ['page=', '400 params/page Unknown parameter'],
    ['limit=0', '400 params/limit Invalid value'],
    ['limit=101', '400 params/limit Invalid value'],
    ['limit=1e1', '400 params/limit Invalid value'],
    ['limit=1&limit=2', '400 params/limit Invalid value'],
    ['ids=a,,b', 'accepted'],
    [`ids=${'a,'.repeat(50)}`, '400 params/ids Invalid value'],
    ['ids=abcd', '400 params/ids Invalid value'],
    ['expand=yes', '400 params/expand Invalid value'],
    ['at_least=yesterday', '400 params/at_least Invalid value'],
    ['limit=5&expand=1', '400 params/expand Conflicts with limit'],
    ['at_least=2026-05-21', 'accepted'],
    ['limit=&expand=1', 'accepted'],
  ])('answers %s with %s', (query, answer) => {
    expect(refusal(query)).toBe(answer);
  });

  it.each([
    ['limit=0', ['1 to 100']],
    ['expand=yes', ['1']],
    ['page=1', Object.keys(TABLE)],
  ])('names what is allowed, for %s', (query, allowed) => {
    const reading = readParameters(query, TABLE);
    expect('refused' in reading && reading.refused.errors[0]?.allowedValues).toEqual(allowed);
  });
});

describe('anyText', () => {
  it('refuses the character 0, which no statement of PostgreSQL takes', () => {
    expect([anyText(3)('a\0'), anyText(3)('a')]).toEqual([undefined, 'a']);
  });
});

describe('isLongerThan', () => {
  it('counts a character beyond the basic plane once, as JSON Schema does', () => {
    expect([isLongerThan('😀'.repeat(3), 3), isLongerThan('😀'.repeat(4), 3), isLongerThan('abcd', 3)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a list', () => {
  it('names the words that it may have', () => {
    const read = listOf(oneOf(['a', 'b']), 3);
    expect([read('a,b'), read('a,c'), read.allowed]).toEqual([
      ['a', 'b'],
      undefined,
      ['a', 'b', 'up to 3 values, separated by commas'],
    ]);
  });
});
