import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { runProgram } from '../../packages/verify/src/program.ts';

/** An exit code and the codes of findings. */
export type Findings = readonly [exit: number, ...codes: string[]];

/** A reader of the public log, with `verify-procurement` and a folder of its own. */
export interface LogReader {
  readonly home: string;
  run(...words: readonly string[]): Promise<{ readonly exit: number; readonly printed: string }>;
  findings(...command: readonly string[]): Promise<Findings>;
  end(): void;
}

const FIRST_WAIT_MS = 25;
const WAIT_FACTOR = 1.3;

/** Waits as long as the verifier asks for, but for a shorter time at first. */
function growingWaits(): (ms: number) => Promise<void> {
  let nextMs = FIRST_WAIT_MS;
  return async (ms) => {
    await pause(Math.min(ms, nextMs));
    nextMs *= WAIT_FACTOR;
  };
}

/** A reader that trusts the log of a system. `makeWait` makes what a command waits by before it asks again. */
export async function trustingReader({ gatewayUrl }: Stack, makeWait = growingWaits): Promise<LogReader> {
  const home = mkdtempSync(join(tmpdir(), 'log-reader-'));
  const run: LogReader['run'] = async (...words) => {
    const printed: string[] = [];
    const exit = await runProgram(['--home', home, ...words], {
      env: {},
      signal: new AbortController().signal,
      fetch,
      nowSeconds: () => Math.floor(Date.now() / 1_000),
      waitMs: makeWait(),
      confirm: async () => false,
      print: (text) => void printed.push(text),
    });
    return { exit, printed: printed.join('\n') };
  };
  const { exit, printed } = await run('trust', `${gatewayUrl}/log`, '--yes');
  if (exit !== 0) throw new Error(`the log is not trusted: ${printed}`);
  return {
    home,
    run,
    async findings(...command) {
      const answer = await run('--json', ...command);
      const codes: string[] = JSON.parse(answer.printed).findings.map(({ code }: { readonly code: string }) => code);
      return [answer.exit, ...new Set(codes)];
    },
    end: () => rmSync(home, { recursive: true, force: true }),
  };
}
