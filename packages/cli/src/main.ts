#!/usr/bin/env node
import { text as readText } from 'node:stream/consumers';
import { UsageError } from './failures.ts';
import { readIfThere } from './profiles.ts';
import { runProgram } from './program.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)));
// A reader that has enough, such as `head`, closes the pipe.
process.stdout.on('error', () => stop.abort(new Error('the output was closed')));

async function readInput(file: string): Promise<string> {
  const text = file === '-' ? await readText(process.stdin) : readIfThere(file);
  if (text === undefined) throw new UsageError(`there is no file ${file}`);
  return text;
}

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  signal: stop.signal,
  readInput,
  output: {
    print: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    progress: process.stderr.isTTY ? (text) => void process.stderr.write(text) : undefined,
  },
});
