import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
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

const lock = Lock.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')));

/** Versions under which a package is installed anywhere in the tree. */
function versionsOf(name: string): readonly string[] {
  const entries = Object.entries(lock.packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  return [...new Set(entries.map(([, { version = '' }]) => version))];
}

describe('package-lock.json', () => {
  // `npm install` silently leaves out a platform package that it cannot resolve; `npm ci` then refuses the lock file on every
  // machine. Pin the parent to its newest version that has all platform packages (platform.md 1.2).
  it('has every platform package, so that npm ci accepts it', () => {
    expect(missingPlatformPackages(lock)).toEqual([]);
  });

  // Client, adapter and generator share internal types and the query compiler; they are published together.
  it('has one version of all Prisma packages that services use', () => {
    const names = ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/driver-adapter-utils'];
    const versions = names.map((name) => [name, versionsOf(name)]);
    const [pinned] = versionsOf('prisma');
    expect(versions).toEqual(names.map((name) => [name, [pinned]]));
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
