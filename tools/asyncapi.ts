import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApi } from './asyncapi/document.ts';

// `npm run asyncapi` writes the document; with `check` it only compares the file with the code.
const DOCUMENT_PATH = join(import.meta.dirname, '../packages/contracts/asyncapi.json');

const text = `${JSON.stringify(asyncApi(), null, 2)}\n`;

if (process.argv[2] === 'check') {
  const written = readFileSync(DOCUMENT_PATH, 'utf8');
  if (written !== text) {
    console.error('packages/contracts/asyncapi.json is out of date. Write it again: npm run asyncapi');
    process.exitCode = 1;
  } else console.log('asyncapi.json is up to date');
} else writeFileSync(DOCUMENT_PATH, text);
