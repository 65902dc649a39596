import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { busFiles } from './nats/files.ts';

// `npm run nats-users` writes the files; with `check` it only compares them with the table of `packages/contracts/src/events/bus-access.ts`.
const ROOT = join(import.meta.dirname, '..');

for (const [path, text] of Object.entries(busFiles())) {
  if (process.argv[2] !== 'check') writeFileSync(join(ROOT, path), text);
  else if (readFileSync(join(ROOT, path), 'utf8') !== text) {
    console.error(`${path} is out of date. Write it again: npm run nats-users`);
    process.exitCode = 1;
  } else console.log(`${path} is up to date`);
}
