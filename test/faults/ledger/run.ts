import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/broker.ts';
import { settledDifferences } from '../../support/settled-differences.ts';
import { auditLedger } from './audit.ts';
import { patientClient } from './clients.ts';
import { backUpFollowers, faults, inject } from './faults.ts';
import { startHostile } from './hostile.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { measureLatencies, quantile, type Latencies } from './probes.ts';
import { schedule, type PlannedFault } from './schedule.ts';
import { startSystem, type LedgerSystem } from './system.ts';
import { procedures, type Writers } from './workload.ts';

export interface RunOptions {
  readonly seed: number;
  /** For how long faults come. */
  readonly minutes: number;
  /** Procedures that run at the same time. */
  readonly writers: number;
  readonly print: (line: string) => void;
}

export interface Report {
  readonly faults: readonly (PlannedFault & { readonly recoveryMs: number })[];
  readonly counts: Ledger['counts'];
  readonly procedures: number;
  readonly latencies: { readonly quiet: Latencies; readonly hostile: Latencies };
  /** What was lost, doubled, stuck or different; nothing in a good run. */
  readonly problems: readonly string[];
}

/** Acknowledged writes between two faults, so that every fault meets work. */
const WRITES_BETWEEN = 10;
/** A system that acknowledges nothing for as long after a fault has ended is stuck. */
const RECOVERY_MS_MAX = 90_000;
/** How much slower the others may be while one client is hostile, and below which milliseconds it does not count. */
const HOSTILE_FACTOR_MAX = 10;
const LATENCY_FLOOR_MS = 50;

/** One run: procedures under faults, then the comparison of everything with the ledger and with its owner. */
export async function runLedger(options: RunOptions): Promise<Report> {
  const dataDir = mkdtempSync(join(tmpdir(), 'procurement-ledger-'));
  const system = await startSystem(dataDir, options.seed);
  try {
    return await runOn(system, options);
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function runOn(system: LedgerSystem, options: RunOptions): Promise<Report> {
  const { seed, minutes, writers, print } = options;
  const ledger = openLedger(system.gateways);
  const client = (key?: string) => patientClient(ledger.fetch, key);
  const roles: Writers = {
    buyer: client('broker1'),
    bidders: [client('broker2'), client('broker3')],
    anyone: client(),
  };
  const quiet = await measureLatencies(system.stack.gatewayUrl);
  const hostileClient = await startHostile(system.stack.gatewayUrl);
  const latencies = { quiet, hostile: await measureLatencies(system.stack.gatewayUrl) };
  await backUpFollowers(system);
  const working = startProcedures(roles, writers, seed);
  const injected: Report['faults'][number][] = [];
  const endMs = performance.now() + minutes * 60_000;
  const problems: string[] = [];
  try {
    for (const planned of schedule(seed, faults)) {
      if (performance.now() > endMs) break;
      print(`${planned.kind}: ${planned.target}, ${planned.holdMs} ms`);
      await inject(system, planned);
      const endedMs = performance.now();
      await untilWritten(ledger, `writes after ${planned.kind} of ${planned.target}`);
      injected.push({ ...planned, recoveryMs: Math.round(performance.now() - endedMs) });
    }
  } catch (error) {
    problems.push(String(error));
  }
  const hostileTender = await hostileClient.stop();
  const done = await working.finish();
  print(`${done.count} procedures, ${ledger.counts.acknowledged} acknowledged writes; comparing`);
  problems.push(
    ...done.problems,
    ...(await settledDifferences(system.stack)).filter((line) => !isEarned(line, hostileTender)),
  );
  problems.push(...(await auditLedger(ledger, roles.anyone)), ...slowness(latencies));
  return { faults: injected, counts: ledger.counts, procedures: done.count, latencies, problems };
}

/** Plays procedures of all kinds in turns until `finish`, which waits for those that have begun. */
function startProcedures(
  roles: Writers,
  writers: number,
  seed: number,
): { finish(): Promise<{ readonly count: number; readonly problems: readonly string[] }> } {
  const kinds = Object.entries(procedures);
  const problems: string[] = [];
  let isOver = false;
  let count = 0;
  const running = Array.from({ length: writers }, async (_, writer) => {
    for (let n = writer; !isOver; n += 1) {
      const [name, play] = kinds[n % kinds.length] ?? ['', procedures.edited];
      count += 1;
      const marker = `${name} ${seed}-${count}`;
      await play(roles, marker).catch((error: unknown) => problems.push(`${marker}: ${String(error)}`));
    }
  });
  return {
    async finish() {
      isOver = true;
      await Promise.all(running);
      return { count, problems };
    },
  };
}

async function untilWritten({ counts }: Ledger, what: string): Promise<void> {
  const before = counts.acknowledged;
  await until(what, async () => counts.acknowledged >= before + WRITES_BETWEEN, RECOVERY_MS_MAX);
}

/** The hostile client may have earned dead letters of its own tender. */
function isEarned(difference: string, hostileTender: string): boolean {
  return difference.startsWith('dead letters') && difference.includes(hostileTender);
}

function slowness({ quiet, hostile }: Report['latencies']): readonly string[] {
  return (['reads', 'writes'] as const).flatMap((kind) => {
    const [before, during] = [quantile(quiet[kind], 0.9), quantile(hostile[kind], 0.9)];
    return during <= HOSTILE_FACTOR_MAX * Math.max(before, LATENCY_FLOOR_MS)
      ? []
      : [`p90 of ${kind} is ${during.toFixed(0)} ms during the hostile client, ${before.toFixed(0)} ms without it`];
  });
}
