import { describe, expect, it } from 'vitest';
import { ProblemError } from './problem.ts';

const REQUEST = { method: 'POST', path: '/x', attempts: 1, isAfterLostAnswer: false };

describe('faults of a ProblemError', () => {
  const formatFaults = (error: object): readonly string[] => {
    const errors = [{ location: 'body', name: 'items', description: '', ...error }];
    return new ProblemError(REQUEST, { status: 422, errors }).faults.map(({ path, text }) => `${path}: ${text}`);
  };

  it.each([
    ['one', { description: 'No', pointer: '/data/items' }, ['/data/items: No']],
    [
      'one inside',
      { description: [{ unit: { code: ['No'] } }], pointer: '/data/items/2/unit/code' },
      ['/data/items/2/unit/code: No'],
    ],
    [
      'two of a member',
      { description: ['No', 'Never'], pointer: '/data/items' },
      ['/data/items: No', '/data/items: Never'],
    ],
    [
      'two inside',
      { description: { period: { a: ['No'], b: ['Never'] } }, pointer: '/data/items/period' },
      ['/data/items/period/a: No', '/data/items/period/b: Never'],
    ],
    [
      'two of the only faulty element',
      { description: [{ a: ['No'], b: ['Never'] }], pointer: '/data/items/4' },
      ['/data/items/4/a: No', '/data/items/4/b: Never'],
    ],
    [
      'two of the first faulty element',
      { description: { a: ['No'], b: ['Never'] }, pointer: '/data/items/4' },
      ['/data/items/4/a: No', '/data/items/4/b: Never'],
    ],
    [
      'two elements',
      { description: [{ a: ['No'] }, { a: ['Never'] }], pointer: '/data/items' },
      ['/data/items/*/a: No', '/data/items/*/a: Never'],
    ],
    [
      'without a pointer',
      { location: 'url', name: 'permission', description: 'Forbidden' },
      ['url.permission: Forbidden'],
    ],
    ['without any text', { description: [] }, []],
  ])('have the path of each: %s', (_what, error, paths) => {
    expect(formatFaults(error)).toEqual(paths);
  });

  it('have the code and the link of their error', () => {
    const errors = [{ location: 'body', name: 'x', description: { a: 'No', b: 'No' }, code: 'c', link: '/l' }];
    const { faults } = new ProblemError(REQUEST, { status: 422, errors });
    expect(faults.map(({ code, link }) => [code, link])).toEqual([
      ['c', '/l'],
      ['c', '/l'],
    ]);
  });
});
