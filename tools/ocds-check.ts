import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patchedSchema } from '../packages/ocds/test-support/patched-schemas.ts';

// `npm run ocds:check -- <releases.jsonl> <records.jsonl>`: two exports of the same tenders, checked by Python's jsonschema and
// by ocdsmerge, the reference implementation of the merge. Optional: no test needs Python. Nothing is fetched.

const INSTALL = `Python with the libraries is missing. Once:
  python3 -m venv .local/ocds && .local/ocds/bin/pip install ocdsmerge==0.8.0 'jsonschema[format]==4.26.0'
Another interpreter: OCDS_PYTHON=<path>`;

const python = process.env['OCDS_PYTHON'] ?? join(import.meta.dirname, '../.local/ocds/bin/python');
const files = process.argv.slice(2);

function check(): number {
  if (files.length !== 2) return failed('usage: npm run ocds:check -- <releases.jsonl> <records.jsonl>');
  if (spawnSync(python, ['-c', 'import jsonschema, ocdsmerge']).status !== 0) return failed(INSTALL);
  const folder = mkdtempSync(join(tmpdir(), 'ocds-check-'));
  try {
    const schema = join(folder, 'release-schema.json');
    writeFileSync(schema, JSON.stringify(patchedSchema('release-schema.json')));
    const script = join(import.meta.dirname, 'ocds/check_export.py');
    return spawnSync(python, [script, schema, ...files], { stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failed(message: string): number {
  console.error(message);
  return 2;
}

process.exitCode = check();
