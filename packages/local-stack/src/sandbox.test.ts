import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordSandbox, requireSandbox, runningSandbox } from './sandbox.ts';

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('requireSandbox', () => {
  const sandbox = { pid: 41, gatewayPort: 9_100 };

  it('finds a running sandbox by its data folder, on any port', () => {
    const folder = dataFolder();
    recordSandbox(sandbox, folder);
    expect(requireSandbox(folder, (pid, program) => pid === 41 && program.includes('local-stack'))).toEqual(sandbox);
  });

  it.each([
    ['that nothing was started on', undefined],
    ['whose sandbox has ended', JSON.stringify(sandbox)],
    ['whose start was killed', '{"pid":4'],
  ])('says in one line that nothing runs on a folder %s', (_what, content) => {
    const folder = dataFolder();
    if (content !== undefined) writeFileSync(join(folder, 'sandbox.json'), content);
    expect(() => requireSandbox(folder, () => false)).toThrow(
      `No sandbox runs on ${folder}. Run npm start in another terminal; DATA_DIR names another folder.`,
    );
  });

  it('does not take another process with the same id for the sandbox', () => {
    const folder = dataFolder();
    // This process runs, and is no supervisor.
    recordSandbox({ pid: process.pid, gatewayPort: 1 }, folder);
    expect(runningSandbox(folder)).toBeUndefined();
  });
});
