import { createHash } from 'node:crypto';
import { EXPORT_KINDS } from '@procurement/contracts/resources/export';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { readUrl } from '@procurement/kit/files/read-file-url';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type pg from 'pg';
import { fileNameIn } from './domain/export-manifest.ts';
import { askedExport } from './domain/export-schedule.ts';
import { exportRuns, type WithTests } from './export-runs.store.ts';
import { exportsStore } from './exports.store.ts';

export interface ExportsCommandDeps {
  readonly pool: pg.Pool;
  readonly files: FileStorage;
  readonly withTests: WithTests;
  /** Whether releases are made. */
  readonly isOcdsOn: boolean;
}

type Print = (line: string) => void;

const USAGE = `usage: exports run ${EXPORT_KINDS.join('|')} [day, for example 2026-03-28]
       exports check <name>`;
const POLL_MS = 500;

/** The command `exports`: asks the running service for an export and waits for it, or reads the files of one again. */
export async function exportsCommand(
  [verb, name = '', day]: readonly string[],
  deps: ExportsCommandDeps,
  print: Print,
): Promise<number> {
  const kind = EXPORT_KINDS.find((candidate) => candidate === name);
  if (verb === 'check' && day === undefined) return check(name, deps, print);
  if (verb !== 'run' || kind === undefined || (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day))) {
    print(USAGE);
    return 2;
  }
  const runs = exportRuns(deps.pool);
  const range = await runs.range(deps.isOcdsOn);
  const plan = range === undefined ? { refused: 'nothing is here yet' } : askedExport(kind, day, range);
  if ('refused' in plan) {
    print(plan.refused);
    return 1;
  }
  await runs.plan([plan], deps.withTests);
  print(`${plan.name}: waiting for the service to make it`);
  return waitUntilMade(plan.name, deps, print);
}

async function waitUntilMade(name: string, { pool }: ExportsCommandDeps, print: Print): Promise<number> {
  const store = exportsStore(pool);
  const pause = makeSignal();
  for (;;) {
    const run = await store.find(name);
    if (run !== undefined) {
      print(`${name}: ${run.lines} lines, ${run.bytes} bytes`);
      return 0;
    }
    const { rows } = await pool.query<{ error: string | null }>('SELECT error FROM export_run WHERE name = $1', [name]);
    const error = rows[0] === undefined ? 'removed' : rows[0].error;
    if (error !== null) {
      print(`${name}: ${error}; the service tries again`);
      return 1;
    }
    await pause.wait(POLL_MS);
  }
}

/** Compares the files in the storage with the checksums of the manifest. */
async function check(name: string, { pool, files }: ExportsCommandDeps, print: Print): Promise<number> {
  const store = exportsStore(pool);
  const run = await store.find(name);
  if (run === undefined) {
    print(`no export ${name}`);
    return 1;
  }
  let failed = 0;
  for (const { key, sha256 } of (await store.parts(run)).files) {
    const isSame = (await hashFile(files, key)) === sha256;
    failed += isSame ? 0 : 1;
    print(`${fileNameIn(key)}: ${isSame ? 'ok' : 'differs from its checksum'}`);
  }
  return failed === 0 ? 0 : 1;
}

async function hashFile(files: FileStorage, key: string): Promise<string> {
  const hash = createHash('sha256');
  // Safe cast: no encoding is set, so the chunks are buffers.
  for await (const chunk of await readUrl(await files.url(key))) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
