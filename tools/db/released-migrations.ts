import { execFileSync } from 'node:child_process';

/** What a repository has released: the commits of its tags `v<version>`. */
export interface Release {
  /** The newest tag before the present commit. */
  readonly tag: string;
  /** Paths of its migrations, from the root of the repository on. */
  readonly migrations: ReadonlySet<string>;
  /** Those of them that are not any more what they were. */
  readonly edited: readonly string[];
}

const MIGRATION = /^[^/]+\/[^/]+\/prisma\/[^/]*migrations\/.+\.sql$/;

/**
 * The newest release of the repository at `root`; undefined before the first. Throws where tags may be missing: in a clone without history, and where
 * there is no git.
 */
export function newestRelease(root: string): Release | undefined {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  if (git('rev-parse', '--is-shallow-repository')[0] === 'true') throw new Error('the clone has no history');
  const [tag] = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname');
  if (tag === undefined) return undefined;
  const released = git('ls-tree', '-r', '--name-only', '--full-tree', tag);
  const migrations = new Set(released.filter((path) => MIGRATION.test(path)));
  // The files as they are, committed or not.
  const changed = git('diff', '--name-only', '--no-renames', tag);
  return { tag, migrations, edited: changed.filter((path) => migrations.has(path)) };
}
