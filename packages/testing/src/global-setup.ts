import { findNatsServer } from '@procurement/local-stack/nats-binary';
import type { TestProject } from 'vitest/node';
import { CACHE_DIR } from './bus.ts';
import { startTestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the maintenance database of the tests' PostgreSQL, as superuser. */
    testDatabaseUrl: string;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let stopServer: () => Promise<void> = async () => undefined;

/** Starts one PostgreSQL for all integration tests. */
export async function setup(project: TestProject): Promise<void> {
  // Installs nats-server where it is missing, once: two test files at a time would wait for the lock of the package manager.
  await findNatsServer({ env: process.env, cacheDir: CACHE_DIR, progress: print });
  const server = await startTestPostgres();
  project.provide('testDatabaseUrl', server.url);
  stopServer = server.stop;
}

export async function teardown(): Promise<void> {
  await stopServer();
}
