import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleGuide } from './style-guide/style-guide.ts';

// `npm run style-guide`: writes a page with all parts of packages/page-style in both schemes (portal.md 2.4). Open it in a browser.
const FOLDER = join(import.meta.dirname, '../docs/images');
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'style-guide.html'), styleGuide());
console.log('docs/images/style-guide.html');
