import { defineConfig } from 'vitest/config';

// Tests run the sources, without a build: the packages of this repository export them under this condition.
const source = {
  resolve: { conditions: ['source'] },
  // Only this condition: vitest passes it on to node, where `import` or `module` would break CommonJS packages.
  ssr: { resolve: { conditions: ['source'] } },
  // Files of `globalSetup` run in this environment of vitest.
  environments: { __vitest__: { resolve: { conditions: ['source'] } } },
};

const never = ['**/node_modules/**', '**/dist/**', '**/gen/**', '**/.local/**'];

/**
 * Four kinds of tests, one after the other (`groupOrder`): unit tests report first, and no other test competes with a story for
 * the processor.
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
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...source,
        test: {
          name: 'e2e',
          include: ['test/**/*.test.ts'],
          exclude: [...never, 'test/faults/**'],
          // One system for all stories. In sequence: two at once would slow each other.
          globalSetup: ['test/support/stack-setup.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...source,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: never,
          // Each file has a system of its own, and waits for restarts most of the time.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
