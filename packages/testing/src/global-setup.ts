import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '@procurement/local-stack/nats-binary';
import { freePorts } from '@procurement/local-stack/ports';
import { startPostgres } from '@procurement/local-stack/postgres';
import type { TestProject } from 'vitest/node';
import { CACHE_DIR } from './bus.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser address of the maintenance database of the tests' PostgreSQL. */
    testDatabaseUrl: string;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let stopServer: () => Promise<void> = async () => undefined;

/** One PostgreSQL for all integration tests: the one that TEST_DATABASE_URL names, else an embedded one that goes with the run. */
export async function setup(project: TestProject): Promise<void> {
  // Once, before the files that each start their own: where it is missing it gets installed, and two installers at a time
  // would meet in the package manager's lock.
  await findNatsServer({ env: process.env, cacheDir: CACHE_DIR, progress: print });
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  if (configuredUrl !== undefined && configuredUrl !== '') {
    project.provide('testDatabaseUrl', configuredUrl);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'procurement-test-'));
  // Started by root the server runs as somebody else, who has to get through here to its data.
  chmodSync(folder, 0o755);
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: (await freePorts()).postgres,
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    durable: false,
  });
  project.provide('testDatabaseUrl', server.urlOf('postgres'));
  stopServer = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

export async function teardown(): Promise<void> {
  await stopServer();
}
