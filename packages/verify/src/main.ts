#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { runProgram } from './program.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)));

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(question, { signal: stop.signal });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  signal: stop.signal,
  fetch,
  nowSeconds: () => Math.floor(Date.now() / 1_000),
  waitMs: async (ms) => setTimeout(ms, undefined, { signal: stop.signal }),
  confirm,
  print: (text) => void process.stdout.write(`${text}\n`),
});
