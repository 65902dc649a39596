import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue, type CatalogueEntry } from '@procurement/contracts/problems/catalogue';
import { ROOT } from './deploy/repository.ts';

const PAGE = 'docs/errors.md';

function row({ code, location, name, description, pointer }: CatalogueEntry): string {
  const cells = [`<a id="${code}"></a>\`${code}\``, `\`${location}\` / \`${name}\``, description];
  return `| ${[...cells, pointer === undefined ? '' : `\`${pointer}\``].join(' | ')} |`;
}

function page(): string {
  const sections = errorCatalogue().map(({ status, advice, entries }) => {
    const head = ['| Code | Location and name | Description | Pointer |', '|---|---|---|---|'];
    return `## ${status}\n\n${advice}\n\n${[...head, ...entries.map(row)].join('\n')}`;
  });
  const intro =
    'Every refusal of the API, written by `npm run errors` from `packages/contracts/src/problems`. On segments 2.5 and 2.4 each error has its `code`, a `pointer` to the member of the body at fault, and a `link` to this page, which the gateway serves at `/docs/errors` (http.md 4.6). A word in braces is filled for each refusal. Pointers of `{faults}` are made of the place of the fault.';
  return `${['# Errors', intro, ...sections].join('\n\n')}\n`;
}

const text = page();
if (process.argv[2] !== 'check') writeFileSync(join(ROOT, PAGE), text);
else if (readFileSync(join(ROOT, PAGE), 'utf8') !== text) {
  console.error(`${PAGE} differs from the table of problems`);
  process.exitCode = 1;
}
