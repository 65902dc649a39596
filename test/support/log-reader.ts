import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@procurement/local-stack/stack';
import { VERIFIER } from './procurement-program.ts';

/** An exit code and the codes of findings. */
export type Findings = readonly [exit: number, ...codes: string[]];

/** A reader of the public log, with `verify-procurement` and a folder of its own. */
export interface LogReader {
  readonly home: string;
  run(...words: readonly string[]): Promise<{ readonly exit: number; readonly printed: string }>;
  findings(...command: readonly string[]): Promise<Findings>;
  end(): void;
}

/** A reader that trusts the log of a system. */
export async function trustingReader({ gatewayUrl }: Stack): Promise<LogReader> {
  const home = mkdtempSync(join(tmpdir(), 'log-reader-'));
  const run: LogReader['run'] = async (...words) =>
    new Promise((resolve) =>
      execFile(process.execPath, [VERIFIER, '--home', home, ...words], (error, printed) =>
        resolve({ exit: Number(error?.code ?? 0), printed }),
      ),
    );
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
