import { defineConfig } from 'vitest/config';

// Tests run the sources, without a build: the packages of this repository export them under this condition.
const source = {
  resolve: { conditions: ['source'] },
  // This is the only condition: vitest passes it on to node, where `import` or `module` would break CommonJS packages.
  ssr: { resolve: { conditions: ['source'] } },
  // Files of `globalSetup` run in this environment of vitest.
  environments: { __vitest__: { resolve: { conditions: ['source'] } } },
};

/** vitest leaves one processor to itself by default, which is half of a machine with two. */
const WORKERS = 2;
/**
 * Integration tests wait for PostgreSQL, NATS and pauses of the code for half of their time. With three files at once they take a third
 * less time than with two; with four, no less than with three.
 */
const WAITING_WORKERS = 3;

/** Tests that end parts of the system, or act on everything that changes in it. */
const OWN_SYSTEM = ['test/{faults,fuzz,rooms}/**/*.test.ts'];

const never = ['**/node_modules/**', '**/dist/**', '**/gen/**', '**/.local/**'];

/**
 * Much longer than anything that is awaited takes on a slow machine: a test waits for conditions, and a time-out only ends one
 * that never comes. The time-outs of tests are longer than those of conditions, whose errors say what was awaited.
 */
const WAIT_MS = 60_000;
const TEST_MS = 300_000;
const awaited = { testTimeout: TEST_MS, hookTimeout: TEST_MS, expect: { poll: { timeout: WAIT_MS } } };

/**
 * Four kinds of tests, one after the other (`groupOrder`): unit tests report first. Without `isolate` the files of a worker share its
 * process and its modules, which take longer to load than most files to run.
 */
export default defineConfig({
  ...source,
  test: {
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: ['{packages,services,apps}/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...never, '**/*.int.test.ts'],
          ...awaited,
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          include: ['{packages,services,apps}/*/src/**/*.int.test.ts', 'tools/**/*.int.test.ts'],
          exclude: never,
          // Starts one PostgreSQL for all files; each file has its own database and nats-server.
          globalSetup: ['packages/testing/src/global-setup.ts'],
          ...awaited,
          isolate: false,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...source,
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          exclude: [...never, ...OWN_SYSTEM],
          // All stories share one system, and each sees its own tenders only.
          globalSetup: ['test/support/stack-setup.ts'],
          maxWorkers: WORKERS,
          ...awaited,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...source,
        test: {
          name: 'faults',
          include: OWN_SYSTEM,
          exclude: never,
          // Each file has a system of its own. Two of them keep two processors busy.
          maxWorkers: WORKERS,
          ...awaited,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
