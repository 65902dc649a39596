import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastLoggedError, startChild } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-child-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('startChild', () => {
  it('hands output on and keeps it in the log file', async () => {
    const logFile = join(folder, 'output.log');
    let output = '';
    const child = startChild({
      name: 'printer',
      command: process.execPath,
      args: ['-e', 'console.log("to stdout"); console.error("to stderr"); process.exit(3)'],
      logFile,
      onOutput: (chunk) => {
        output += chunk.toString('utf8');
      },
    });
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(output).toContain('to stdout');
    expect(output).toContain('to stderr');
    expect(readFileSync(logFile, 'utf8')).toBe(output);
  });

  it('sends SIGKILL after the grace time', async () => {
    let isListening = (): void => undefined;
    const listening = new Promise<void>((resolve) => {
      isListening = resolve;
    });
    const child = startChild({
      name: 'stubborn',
      command: process.execPath,
      args: ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e6); console.log("listening")'],
      logFile: join(folder, 'stubborn.log'),
      onOutput: isListening,
    });
    await listening;
    expect(await child.stop('SIGTERM', 10)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(child.isRunning()).toBe(false);
  });
});

describe('lastLoggedError', () => {
  const log = join(folder, 'child.log');

  it('gives message and cause of the last error in one line', () => {
    writeFileSync(log, '{"level":"info","msg":"serving"}\n');
    expect(lastLoggedError(log)).toBe('');
    writeFileSync(
      log,
      '{"level":"fatal","err":{"message":"no\\nstack"},"msg":"cannot start"}\n{"level":"info","msg":"x"}\n',
    );
    expect(lastLoggedError(log)).toBe('cannot start: no');
  });

  it('skips the lines of a stack', () => {
    writeFileSync(log, 'Error [TransformError]: Transform failed\n    at failWithError (x.js:1)\nNode.js v20.20.2\n');
    expect(lastLoggedError(log)).toBe('Error [TransformError]: Transform failed');
  });
});
