import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

// The parser of .dependency-cruiser.cjs reads no TSX. What its rules ask of an app is judged here for these files.
const APP = join(import.meta.dirname, '../apps/portal');
const IMPORT = /^(?:import|export)[^;]*? from '([^']+)'/gms;

const manifest = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(APP, 'package.json'), 'utf8')));

const files = readdirSync(join(APP, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.tsx'),
);

it('TSX files import their own app and its dependencies, but no event, no test and nothing of Node that writes', () => {
  expect(files.length).toBeGreaterThan(20);
  const faults = files.flatMap((path) =>
    [...readFileSync(join(APP, 'src', path), 'utf8').matchAll(IMPORT)].flatMap(([, from = '']) => {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';
      const isKnown =
        from.startsWith('.') || ['node:crypto', 'node:http'].includes(from) || name in manifest.dependencies;
      const isBarred = /^@procurement\/contracts\/events\/|\.test\.tsx?$|test-support|^\.\.\/\.\.\/\.\.\/\.\./.test(
        from,
      );
      return isKnown && !isBarred ? [] : [`${path}: ${from}`];
    }),
  );
  expect(faults).toEqual([]);
});
