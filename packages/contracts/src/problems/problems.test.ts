import { describe, expect, it } from 'vitest';
import { problem, problems, type ProblemCode } from './problems.ts';

// Safe cast: the keys of the table are its codes.
const codes = Object.keys(problems) as ProblemCode[];

describe('problem', () => {
  it.each(codes.filter((code) => problems[code].status === 401))('gives %s the challenge of rulings R1', (code) => {
    expect(problem(code).headers).toEqual({ 'www-authenticate': 'Basic realm="tenders", charset="UTF-8"' });
  });

  it('adds no header to other problems', () => {
    for (const code of codes.filter((name) => problems[name].status !== 401)) {
      expect(problem(code).headers).toBeUndefined();
    }
  });
});
