import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      engines: z.looseObject({ node: z.string().optional() }).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** Optional dependencies that a lock file names without an entry of their own. */
function missingPlatformPackages(lock: z.infer<typeof Lock>): readonly string[] {
  const found: string[] = [];
  for (const [path, { version, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      const present = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
        (location) => location in lock.packages,
      );
      if (!present) found.push(`${name}, of ${path.replace('node_modules/', '')}@${version}`);
    }
  }
  return found;
}

/** Entries that a release of Node refuses by their `engines`, with the range that they ask for. */
function refusing(lock: z.infer<typeof Lock>, node: string): readonly string[] {
  return Object.entries(lock.packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(node, engines.node))
    .map(([path, { version, engines }]) => `${path}@${version} needs Node ${engines?.node}`);
}

const lock = Lock.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')));

/** Versions under which a package is installed anywhere in the tree. */
function listVersions(name: string): readonly string[] {
  const entries = Object.entries(lock.packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  return [...new Set(entries.map(([, { version = '' }]) => version))];
}

describe('package-lock.json', () => {
  // `npm install` silently leaves out a platform package that it cannot resolve; `npm ci` then refuses the lock file on every
  // machine. Pin the parent to its newest version that has all platform packages (platform.md 1.2).
  it('has every platform package, so that npm ci accepts it', () => {
    expect(missingPlatformPackages(lock)).toEqual([]);
  });

  // npm prints EBADENGINE for each. `overrides` of package.json holds back what a package asks for by a range; @prisma/dev, which only
  // `prisma dev` loads, asks for a package that no release of it offers for Node 20: an empty one stands for it.
  it.each(['20.19.0', '20.20.2', '24.0.0'])('has no package that refuses Node %s', (node) => {
    expect(refusing(lock, node)).toEqual([]);
  });

  // Client, adapter and generator share internal types and the query compiler; they are published together.
  it('has one version of all Prisma packages that services use', () => {
    const names = ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/driver-adapter-utils'];
    const versions = names.map((name) => [name, listVersions(name)]);
    const [pinned] = listVersions('prisma');
    expect(versions).toEqual(names.map((name) => [name, [pinned]]));
  });
});

describe('refusing', () => {
  it('names a package whose range the release is not in', () => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', engines: { node: '>=22' } },
      'node_modules/b': { version: '2.0.0', engines: { node: '^20.19.0 || >=22.12.0' } },
    };
    expect(refusing({ packages }, '20.19.0')).toEqual(['node_modules/a@1.0.0 needs Node >=22']);
  });
});

describe('missingPlatformPackages', () => {
  it('names a platform package without an entry, and its parent', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', optionalDependencies: { '@a/linux': '1', '@a/mac': '1' } },
    };
    const incomplete = { packages: { ...packages, 'node_modules/@a/linux': { version: '1.0.0' } } };
    expect(missingPlatformPackages(incomplete)).toEqual(['@a/mac, of a@1.0.0']);
  });
});
