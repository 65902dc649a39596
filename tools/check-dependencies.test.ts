import { describe, expect, it } from 'vitest';
import { dependencyProblems } from './check-dependencies.ts';

const integrity = `sha512-${'A'.repeat(86)}==`;

function findProblems(
  entry: Readonly<Record<string, unknown>>,
  allowScripts: Readonly<Record<string, boolean>> = {},
): readonly string[] {
  return dependencyProblems({ packages: { '': {}, 'node_modules/x/node_modules/@a/b': entry } }, { allowScripts });
}

describe('dependencyProblems', () => {
  it('accepts a package with a SHA-512, a folder of this repository, and a script that is decided', () => {
    expect(findProblems({ integrity })).toEqual([]);
    expect(findProblems({ link: true, resolved: 'packages/kit' })).toEqual([]);
    expect(findProblems({ integrity, hasInstallScript: true }, { '@a/b': false })).toEqual([]);
  });

  it.each([
    ['no hash', {}, {}, 'has no SHA-512'],
    ['a weak hash', { integrity: 'sha1-x' }, {}, 'has no SHA-512'],
    ['a repository', { integrity, resolved: 'git+ssh://git@host/a/b.git#1' }, {}, 'is not from a registry'],
    ['an address without TLS', { integrity, resolved: 'http://host/b.tgz' }, {}, 'is not from a registry'],
    ['a script that nobody decided about', { integrity, hasInstallScript: true }, {}, 'has an install script'],
    ['a decision about nothing', { integrity }, { gone: true }, 'allowScripts names gone'],
  ])('names %s', (_what, entry, allowScripts, problem) => {
    expect(findProblems(entry, allowScripts)).toEqual([expect.stringContaining(problem)]);
  });
});
