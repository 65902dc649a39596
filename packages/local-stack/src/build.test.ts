import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { countBuildTasks, readProgress } from './build.ts';

it('readProgress says what is built and how far the build is, and nothing of what was built before', () => {
  const progressOf = readProgress(3);
  const lines = [
    '@procurement/contracts:build: cache hit, suppressing logs 8f009310df3f03e5',
    '@procurement/local-stack:build: cache miss, executing 8f009310df3f03e5',
    '@procurement/local-stack:build: > tsc -b',
    '@procurement/tenders:bundle: cache miss, executing 8f009310df3f03e5',
    ' Tasks:    3 successful, 3 total',
  ];
  expect(lines.map(progressOf).filter((line) => line !== undefined)).toEqual([
    'building 2 of 3: build local-stack',
    'building 3 of 3: bundle tenders',
  ]);
});

it('countBuildTasks counts the scripts of all workspaces that the build runs', () => {
  const root = mkdtempSync(join(tmpdir(), 'workspaces-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const manifests = {
    'packages/kit': { scripts: { build: 'tsc -b', lint: 'x' } },
    'services/bids': { scripts: { generate: 'prisma generate', build: 'tsc -b', bundle: 'x' } },
    'apps/docs': {},
  };
  for (const [folder, manifest] of Object.entries(manifests)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
  }
  expect(countBuildTasks(root)).toBe(4);
});
