import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file that apps/docs makes. Resolved as a package, so that it is found from the sources, the build and the bundle of an image. */
export function generatedText(name: string): string {
  const folder = dirname(createRequire(import.meta.url).resolve('@procurement/docs/package.json'));
  return readFileSync(join(folder, 'src/gen', name), 'utf8');
}
