import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApi } from './asyncapi/document.ts';

// `npm run asyncapi` writes the document; with `check` it only compares the file with the code; with `freeze` it keeps the written
// document as that of the release, against which the next release is tested (docs/decisions/0063-unknown-members-and-values.md).
const DOCUMENT_PATH = join(import.meta.dirname, '../packages/contracts/asyncapi.json');
const FROZEN_PATH = join(import.meta.dirname, '../packages/contracts/test-support/previous-release/asyncapi.json');

const text = `${JSON.stringify(asyncApi(), null, 2)}\n`;

if (process.argv[2] === 'check') {
  const written = readFileSync(DOCUMENT_PATH, 'utf8');
  if (written !== text) {
    console.error('packages/contracts/asyncapi.json is out of date. Write it again: npm run asyncapi');
    process.exitCode = 1;
  } else console.log('asyncapi.json is up to date');
} else if (process.argv[2] === 'freeze') copyFileSync(DOCUMENT_PATH, FROZEN_PATH);
else writeFileSync(DOCUMENT_PATH, text);
