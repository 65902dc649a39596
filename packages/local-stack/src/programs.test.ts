import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyWhole } from './programs.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('copies the bundle of a program', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'dist/bundle'), { recursive: true });
  writeFileSync(join(folder, 'dist/bundle/main.js'), 'x');
  await copyWhole(join(folder, 'dist/bundle'), join(folder, 'copy'));
  expect(readFileSync(join(folder, 'copy/main.js'), 'utf8')).toBe('x');
});

it('says at once what to do about a program that was never built', async () => {
  const folder = makeFolder();
  await expect(copyWhole(join(folder, 'dist/bundle'), join(folder, 'copy'))).rejects.toThrow('run npm run build');
});
