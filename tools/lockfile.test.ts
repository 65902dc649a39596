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

/** Optional dependencies that a lock file names without saying where they come from. */
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

// A platform package that could not be resolved is silently left out by `npm install`; `npm ci` then refuses the lock file,
// on every machine. Pin the parent to its newest version whose platform packages are all there (platform.md 1.2).
describe('package-lock.json', () => {
  it('has every platform package, so that npm ci accepts it', () => {
    const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8');
    expect(missingPlatformPackages(Lock.parse(JSON.parse(text)))).toEqual([]);
  });

  it('would be refused without one', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', optionalDependencies: { '@a/linux': '1', '@a/mac': '1' } },
    };
    const lock = { packages: { ...packages, 'node_modules/@a/linux': { version: '1.0.0' } } };
    expect(missingPlatformPackages(lock)).toEqual(['@a/mac, of a@1.0.0']);
  });
});
