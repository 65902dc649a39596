import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './deploy/repository.ts';
import { GUIDE_TABLES } from './guides/tables.ts';

// `npm run guides` writes the tables in docs/guides; with `check` it only compares (docs/decisions/0050-openapi.md).
const FOLDER = join(ROOT, 'docs/guides');
const SECTION = /(<!-- made of tables by npm run guides: (\w+) -->\n)[^]*?(<!-- end -->)/g;

function withTables(text: string): string {
  return text.replaceAll(SECTION, (_all, begin: string, name: string, end: string) => {
    const table = GUIDE_TABLES[name];
    if (table === undefined) throw new Error(`there is no table ${name} in tools/guides/tables.ts`);
    return `${begin}\n${table()}\n\n${end}`;
  });
}

for (const name of readdirSync(FOLDER)) {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const next = withTables(text);
  if (next === text) continue;
  if (process.argv[2] !== 'check') writeFileSync(path, next);
  else {
    console.error(`docs/guides/${name} differs from the tables`);
    process.exitCode = 1;
  }
}
