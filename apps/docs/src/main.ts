import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '@procurement/contracts/problems/catalogue';
import { errorsView } from './errors-view.ts';
import { guideList, guideView } from './guide-view.ts';
import { rendered } from './guide.ts';
import { GUIDES } from './guides.ts';

// Writes what the gateway serves at /docs/guides and /docs/errors, without the frame of the pages; `npm run generate` runs it.
const ROOT = join(import.meta.dirname, '../../..');
const OUT = join(import.meta.dirname, 'gen');

for (const file of readdirSync(join(ROOT, 'docs/guides')))
  if (!GUIDES.some(({ path }) => path === `docs/guides/${file}`))
    throw new Error(`docs/guides/${file} has no place in apps/docs/src/guides.ts`);

const guides = GUIDES.map((guide) => ({
  guide,
  ...rendered(readFileSync(join(ROOT, guide.path), 'utf8'), guide.path),
}));
const pages = guides.map(({ guide, ...text }) => ({
  name: guide.name,
  title: guide.title,
  body: guideView(guide, text).markup,
}));
const sections = guides.flatMap(({ guide, sections: parts }) =>
  parts.map(({ id, title, text }) => ({
    href: `/docs/guides/${guide.name}${id === '' ? '' : `#${id}`}`,
    guide: guide.title,
    title,
    text,
  })),
);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'guides.json'), JSON.stringify({ pages, list: guideList().markup, sections }));
writeFileSync(join(OUT, 'errors.html'), errorsView(errorCatalogue()).markup);
