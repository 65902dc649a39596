import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApi } from './asyncapi/document.ts';

// `npm run asyncapi` writes the document; with `check` it only says whether what is written is what the code says.
const DOCUMENT_PATH = join(import.meta.dirname, '../packages/contracts/asyncapi.json');

const text = `${JSON.stringify(asyncApi(), null, 2)}\n`;

if (process.argv[2] === 'check') {
  const written = readFileSync(DOCUMENT_PATH, 'utf8');
  if (written !== text) {
    console.error('packages/contracts/asyncapi.json is not what the events say. Write it again: npm run asyncapi');
    process.exitCode = 1;
  } else console.log('asyncapi.json tells the events as they are');
} else writeFileSync(DOCUMENT_PATH, text);
