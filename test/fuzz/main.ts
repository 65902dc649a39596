import { parseArgs } from 'node:util';
import { startStack } from '@procurement/local-stack/stack';
import { fuzz } from './run.ts';

const USAGE = `npm run fuzz [-- --minutes <n>] [--seed <n>]

Sends requests that nobody meant to every operation in every segment of a system of its own, or of GATEWAY_URL in sandbox mode, and
prints what was wrong with the answers. Exit code 1: something was wrong.`;

const OF_EACH = 5;
/** A system that answers later is too slow, unless the machine is busy. */
const SLOW_MS = 5_000;

function parsed(): { readonly minutes: number; readonly seed: number } | undefined {
  try {
    const options = {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    } as const;
    const { minutes, seed } = parseArgs({ options }).values;
    const numbers = { minutes: Number(minutes), seed: Number(seed) };
    return Object.values(numbers).every((one) => one > 0) ? numbers : undefined;
  } catch {
    return undefined;
  }
}

async function run(
  gatewayUrl: string,
  { minutes, seed }: { readonly minutes: number; readonly seed: number },
): Promise<number> {
  const endMs = performance.now() + minutes * 60_000;
  let problems = 0;
  for (let round = seed; performance.now() < endMs; round += 1_000) {
    const report = await fuzz({ gatewayUrl, seed: round, ofEach: OF_EACH, isOver: () => performance.now() >= endMs });
    for (const finding of report.findings) console.log(`\nseed ${round}\n${finding}`);
    const { ms, request } = report.slowest;
    if (ms > SLOW_MS) console.log(`\nseed ${round}: ${Math.round(ms)} ms\n${request}`);
    problems += report.findings.length + (ms > SLOW_MS ? 1 : 0);
    console.log(
      `seed ${round}: ${JSON.stringify(report.statuses)}, slowest ${Math.round(ms)} ms, ${problems} problems so far`,
    );
  }
  return problems;
}

const given = parsed();
if (given === undefined) {
  console.log(USAGE);
  process.exitCode = 2;
} else {
  const configured = process.env['GATEWAY_URL'];
  const stack = configured === undefined ? await startStack({ durable: false }) : undefined;
  try {
    process.exitCode = (await run(configured ?? stack?.gatewayUrl ?? '', given)) === 0 ? 0 : 1;
  } finally {
    await stack?.stop();
  }
}
