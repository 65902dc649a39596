import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexOf, pageOf, type Guide } from './guides/pages.ts';

// Writes the pages that the gateway serves at /docs/guides; `npm run generate` of apps/landing runs it.
const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'apps/landing/src/gen/guides');

/** The order of reading. */
const ORDER = [
  'first-procedure',
  'tokens',
  'documents',
  'auctions',
  'lots',
  'complaints',
  'feed-and-stream',
  'search',
  'webhooks',
  'open-contracting',
  'errors',
  'idempotency',
  'limits',
];
const READMES = { client: 'packages/client/README.md', 'command-line': 'packages/cli/README.md' } as const;

const names = readdirSync(join(ROOT, 'docs/guides')).map((file) => file.replace(/\.md$/, ''));
const paths = [
  ...names
    .toSorted((a, b) => (ORDER.indexOf(a) + 1 || ORDER.length + 1) - (ORDER.indexOf(b) + 1 || ORDER.length + 1))
    .map((name) => [name, `docs/guides/${name}.md`] as const),
  ...Object.entries(READMES),
];
const guides = paths.map(([name, path]): Guide => ({ name, path, markdown: readFileSync(join(ROOT, path), 'utf8') }));

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'index.html'), indexOf(guides));
for (const guide of guides) writeFileSync(join(OUT, `${guide.name}.html`), pageOf(guide, guides));
