import { describe, expect, it } from 'vitest';
import { errorCatalogue } from './catalogue.ts';
import { problems } from './problems.ts';

const entries = errorCatalogue().flatMap(({ entries: ofStatus }) => ofStatus);

describe('errorCatalogue', () => {
  it('has every code once', () => {
    expect(entries.map(({ code }) => code).sort()).toEqual(Object.keys(problems).sort());
  });

  it.each(entries)('$code has a cause, a remedy and a whole example', ({ code, cause, remedy, example }) => {
    for (const text of [cause, remedy]) expect(text).toMatch(/^[A-Z`{].{10,}\.$/);
    expect(cause).not.toBe(remedy);
    expect(JSON.parse(example)).toMatchObject({ code, link: `/docs/errors#${code}` });
    expect(example).not.toMatch(/\{\w+\}/);
  });
});
