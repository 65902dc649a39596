import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const IMAGES = join(ROOT, 'docs/images');
const MANIFEST = join(IMAGES, 'manifest.json');

/** What the pictures show: views with their words, sheets, and the data of the portal's pictures. */
export const SOURCES = [
  'apps/auction-room/page',
  'apps/docs/src',
  'apps/portal/src',
  'apps/portal/test-support/showcase',
  'packages/page-style/css',
  'packages/page-style/script',
  'packages/page-style/src',
] as const;
const IGNORED = /\.test\.tsx?$|(?:^|\/)gen\//;

/** A hash of the views and sheets of a checkout as they are now. */
export function sourcesHash(root = ROOT): string {
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
      .filter((path) => !IGNORED.test(path))
      .toSorted();
    for (const path of files)
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0');
  }
  return hash.digest('hex');
}

/** Says from which views and sheets the pictures were made. */
export function writeManifest(): void {
  writeFileSync(MANIFEST, `${JSON.stringify({ sources: sourcesHash() }, null, 2)}\n`);
}

/** Whether the pictures were made from other views or sheets than those of now. */
export function isManifestOld(): boolean {
  if (!existsSync(MANIFEST)) return true;
  // Safe cast: only `writeManifest` writes it.
  const { sources } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly sources: string };
  return sources !== sourcesHash();
}
