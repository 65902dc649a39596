import { defineConfig } from 'vitest/config';

// Tests run the sources: every package of ours exports them under this condition, so nothing has to be built first.
const source = {
  resolve: { conditions: ['source'] },
  // Only this one: vitest hands these on to node, where `import` or `module` would break packages that require others.
  ssr: { resolve: { conditions: ['source'] } },
  // Files of `globalSetup` run in this environment of vitest.
  environments: { __vitest__: { resolve: { conditions: ['source'] } } },
};

const never = ['**/node_modules/**', '**/dist/**', '**/gen/**', '**/.local/**'];

/**
 * Three kinds of tests, one after the other (`groupOrder`), so that the pure ones answer first and nothing competes with a
 * story for the two cores of a small machine.
 */
export default defineConfig({
  ...source,
  test: {
    projects: [
      {
        ...source,
        test: {
          name: 'unit',
          include: ['{packages,services}/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...never, '**/*.int.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...source,
        test: {
          name: 'integration',
          include: ['{packages,services}/*/src/**/*.int.test.ts', 'tools/**/*.int.test.ts'],
          exclude: never,
          // Starts one PostgreSQL and one NATS for all files; each file makes its own database and subjects in them.
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
          exclude: never,
          // One stack for all stories; a fault test starts its own, and two at once would only make both slow.
          globalSetup: ['test/support/stack-setup.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
