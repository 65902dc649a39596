import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { waitFor } from '@procurement/testing/wait-for';

/** A program that listens until it has what it waits for, or is told to end. */
export interface Listener {
  /** Its first line, which says where it listens. */
  readonly address: string;
  readonly program: ChildProcessByStdio<Writable, Readable, null>;
}

export async function startListener(command: string, words: readonly string[] = []): Promise<Listener> {
  const program = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: program.stdout }).on('line', (line) => {
    if (lines.push(line) > 1) console.log(line);
  });
  const address = await waitFor(() => lines[0], { what: `the address of ${command}` });
  return { address, program };
}

/** Throws also when the program does not end by itself. */
export async function expectSuccess({ program }: Listener): Promise<void> {
  await waitFor(() => program.exitCode !== null || program.signalCode !== null, { what: 'its end' });
  if (program.exitCode !== 0) throw new Error(`it ended with ${program.exitCode ?? program.signalCode}`);
}
