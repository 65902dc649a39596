import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue, type CatalogueEntry } from '@procurement/contracts/problems/catalogue';
import { ROOT } from './deploy/repository.ts';

const PAGE = 'docs/errors.md';

function entryText({ code, location, name, description, cause, remedy, example }: CatalogueEntry): string {
  const head = `### <a id="${code}"></a>\`${code}\``;
  const answer = `\`${location}\` / \`${name}\`: ${description}`;
  return [head, answer, `Cause: ${cause} Remedy: ${remedy}`, `\`\`\`json\n${example}\n\`\`\``].join('\n\n');
}

function page(): string {
  const sections = errorCatalogue().map(({ status, advice, entries }) => {
    return [`## ${status}`, advice, ...entries.map(entryText)].join('\n\n');
  });
  const intro =
    'Every refusal of the API, written by `npm run errors` from `packages/contracts/src/problems`. On segments 2.5 and 2.4 each error has its `code`, a `pointer` to the member of the body at fault, and a `link` to this page, which the gateway serves at `/docs/errors` (http.md 4.6). A word in braces is filled for each refusal. The examples are one error each, as segment 2.5 answers it.';
  return `${['# Errors', intro, ...sections].join('\n\n')}\n`;
}

const text = page();
if (process.argv[2] !== 'check') writeFileSync(join(ROOT, PAGE), text);
else if (readFileSync(join(ROOT, PAGE), 'utf8') !== text) {
  console.error(`${PAGE} differs from the table of problems`);
  process.exitCode = 1;
}
