import { parseArgs } from 'node:util';
import { quantile } from './probes.ts';
import { runLedger, type ComparedLatencies, type Report } from './run.ts';

/** What may come after the faults: every part of it has a limit, and their sum is below this. */
const AFTER_FAULTS_MS_MAX = 20 * 60_000;

const USAGE = `npm run faults [-- --minutes <n>] [--seed <n>] [--writers <n>] [--only <begin of a kind of fault>]

Runs procedures on two processes of every service while faults come in the order of the seed, compares everything with the ledger of
acknowledged writes at the end, and prints a report. Exit code 1: something was lost, doubled, stuck or different.`;

function reportText({ faults, counts, procedures, contracts, latencies, seconds, problems }: Report): string {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  return [
    '',
    'fault                     times   longest until 10 more writes, ms',
    ...kinds.map((kind) => {
      const times = faults.filter((one) => one.kind === kind);
      const longest = Math.max(...times.map(({ recoveryMs }) => recoveryMs));
      return `${kind.padEnd(25)} ${String(times.length).padStart(5)}   ${longest}`;
    }),
    '',
    `procedures: ${procedures}, contracts ${contracts}; writes sent ${counts.sent}, acknowledged ${counts.acknowledged}, refused ${counts.refused}, unanswered ${counts.unanswered}`,
    ...(latencies === undefined ? [] : (['reads', 'writes'] as const).map((kind) => latencyLine(latencies, kind))),
    `seconds: ${Object.entries(seconds)
      .map(([part, count]) => `${part} ${count}`)
      .join(', ')}`,
    '',
    ...(problems.length === 0 ? ['no difference'] : [`${problems.length} problems`, ...problems]),
  ].join('\n');
}

function latencyLine({ quiet, hostile }: ComparedLatencies, kind: 'reads' | 'writes'): string {
  const [before, during] = [quiet[kind], hostile[kind]].map((values) =>
    [0.5, 0.9].map((part) => quantile(values, part).toFixed(0)).join(' / '),
  );
  return `${kind}, p50 / p90 in ms: ${before} without the hostile client, ${during} with it`;
}

function parsed():
  | { readonly minutes: number; readonly seed: number; readonly writers: number; readonly only: string }
  | undefined {
  try {
    const options = {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      writers: { type: 'string', default: '4' },
      only: { type: 'string', default: '' },
    } as const;
    const { minutes, seed, writers, only } = parseArgs({ options }).values;
    const numbers = { minutes: Number(minutes), seed: Number(seed), writers: Number(writers) };
    return Object.values(numbers).every((one) => one > 0) ? { ...numbers, only } : undefined;
  } catch {
    return undefined;
  }
}

const given = parsed();
if (given === undefined) {
  console.log(USAGE);
  process.exitCode = 2;
} else {
  const { minutes, seed, writers, only } = given;
  console.log(`seed ${seed}, ${minutes} minutes, ${writers} writers`);
  const beganMs = performance.now();
  const print = (line: string): void =>
    console.log(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  let latest = 'nothing';
  const printAndKeep = (line: string): void => {
    latest = line;
    print(line);
  };
  // The parts of the system end with this process.
  const watchdog = setTimeout(
    () => {
      console.log(`the run did not end; its last line: ${latest}`);
      process.exit(1);
    },
    minutes * 60_000 + AFTER_FAULTS_MS_MAX,
  );
  try {
    const report = await runLedger({ seed, minutes, writers, only, print: printAndKeep });
    console.log(reportText(report));
    process.exitCode = report.problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.log(`the run failed; its last line: ${latest}`, error);
    process.exitCode = 1;
  }
  clearTimeout(watchdog);
}
