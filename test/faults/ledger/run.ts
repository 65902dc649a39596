import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/broker.ts';
import { auditPublicLog, watchCheckpoints } from '../../support/public-log.ts';
import { settledDifferences } from '../../support/settled-differences.ts';
import { auditLedger, contractsIn } from './audit.ts';
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
  /**
   * Minutes for which faults come. When absent, faults come until each kind came once, and latencies are not compared: that takes half
   * a minute and says little beside other tests.
   */
  readonly minutes?: number;
  /** Procedures that run at the same time. */
  readonly writers: number;
  /** Kinds of faults whose names begin with it; all by default. */
  readonly only?: string;
  readonly print: (line: string) => void;
}

export interface Report {
  readonly faults: readonly (PlannedFault & { readonly recoveryMs: number })[];
  readonly counts: Ledger['counts'];
  readonly procedures: number;
  /** Contracts that were written after their signature. */
  readonly contracts: number;
  readonly latencies?: ComparedLatencies;
  /** Seconds of each part of the run. */
  readonly seconds: Readonly<Record<string, number>>;
  /** What was lost, doubled, stuck or different; nothing in a good run. */
  readonly problems: readonly string[];
}

/** Latencies of the other clients, without a hostile client and beside it. */
export interface ComparedLatencies {
  readonly quiet: Latencies;
  readonly hostile: Latencies;
}

/** Acknowledged writes between two faults, so that every fault meets work. */
const WRITES_BETWEEN = 10;
/** A system that acknowledges nothing for as long after a fault has ended is stuck. */
const RECOVERY_MS_MAX = 90_000;
/** Procedures that have begun must end within it when the faults are over; it is longer than the longest wait of one step. */
const DRAIN_MS_MAX = 240_000;
/** How much slower the others may be while one client is hostile, and below which milliseconds it does not count. */
const HOSTILE_FACTOR_MAX = 10;
const LATENCY_FLOOR_MS = 50;

/** One run: procedures under faults, then the comparison of everything with the ledger and with its owner. */
export async function runLedger(options: RunOptions): Promise<Report> {
  const dataDir = mkdtempSync(join(tmpdir(), 'procurement-ledger-'));
  const system = await startSystem(dataDir, options.seed);
  const watched = watchCheckpoints(system.stack);
  let isGood = false;
  try {
    const report = await runOn(system, watched, options);
    isGood = report.problems.length === 0;
    return report;
  } finally {
    await watched.end();
    await system.stop();
    if (isGood) rmSync(dataDir, { recursive: true, force: true });
    else options.print(`logs of the services: ${join(dataDir, 'logs')}`);
  }
}

async function runOn(
  system: LedgerSystem,
  watched: ReturnType<typeof watchCheckpoints>,
  options: RunOptions,
): Promise<Report> {
  const { seed, minutes, writers, only = '', print } = options;
  const kinds = Object.fromEntries(Object.entries(faults).filter(([kind]) => kind.startsWith(only)));
  const ledger = openLedger(system.gateways);
  const seconds: Record<string, number> = {};
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const beganMs = performance.now();
    print(part);
    const result = await work();
    seconds[part] = Math.round((performance.now() - beganMs) / 1_000);
    return result;
  };
  let hasGivenUp = false;
  const client = (key?: string) =>
    patientClient(ledger.fetch, { ...(key === undefined ? {} : { key }), hasGivenUp: () => hasGivenUp });
  const roles: Writers = {
    buyer: client('broker1'),
    bidders: [client('broker2'), client('broker3')],
    anyone: client(),
  };
  const { gatewayUrl } = system.stack;
  const measured = async (part: string): Promise<Latencies | undefined> =>
    minutes === undefined ? undefined : timed(part, async () => measureLatencies(gatewayUrl));
  const quiet = await measured('latencies');
  const hostileClient = await startHostile(gatewayUrl);
  const hostile = await measured('latencies beside the hostile client');
  const latencies = quiet === undefined || hostile === undefined ? undefined : { quiet, hostile };
  await backUpFollowers(system);
  const working = startProcedures(roles, writers, seed);
  const injected: Report['faults'][number][] = [];
  const endMs = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  const countMax = minutes === undefined ? Object.keys(kinds).length : Number.POSITIVE_INFINITY;
  const problems: string[] = [];
  await timed('faults', async () => {
    for (const planned of schedule(seed, kinds)) {
      if (performance.now() > endMs || injected.length === countMax) break;
      print(`${planned.kind}: ${planned.target}, ${planned.holdMs} ms`);
      await inject(system, planned);
      const endedMs = performance.now();
      if (system.ended.length > 0) break;
      await untilWritten(ledger, `writes after ${planned.kind} of ${planned.target}`);
      injected.push({ ...planned, recoveryMs: Math.round(performance.now() - endedMs) });
    }
  }).catch((error: unknown) => problems.push(String(error)));
  problems.push(...system.ended);
  const hostileTender = await hostileClient.stop();
  const giveUp = setTimeout(() => (hasGivenUp = true), DRAIN_MS_MAX);
  const done = await timed('the ends of procedures', async () => working.finish());
  if (hasGivenUp) problems.push(...[...ledger.failing].map(([request, failure]) => `${request} still: ${failure}`));
  clearTimeout(giveUp);
  hasGivenUp = false;
  print(`${done.count} procedures, ${ledger.counts.acknowledged} acknowledged writes`);
  const differences = await timed('comparison of databases', async () => settledDifferences(system.stack));
  const audited = await timed('comparison with the ledger', async () => {
    const last = setTimeout(() => (hasGivenUp = true), DRAIN_MS_MAX);
    return auditLedger(ledger, roles.anyone)
      .catch((error: unknown) => [`not compared with the ledger: ${String(error)}`])
      .finally(() => clearTimeout(last));
  });
  const logged = await timed('comparison of the public log', async () =>
    auditPublicLog(system.stack, watched).catch((error: unknown) => [`the public log: ${String(error)}`]),
  );
  problems.push(
    ...done.problems,
    ...differences.filter((line) => !isEarned(line, hostileTender)),
    ...audited,
    ...logged,
    ...(latencies === undefined ? [] : slowness(latencies)),
  );
  return {
    faults: injected,
    counts: ledger.counts,
    procedures: done.count,
    contracts: contractsIn(ledger).size,
    ...(latencies === undefined ? {} : { latencies }),
    seconds,
    problems,
  };
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

function slowness({ quiet, hostile }: ComparedLatencies): readonly string[] {
  return (['reads', 'writes'] as const).flatMap((kind) => {
    const [before, during] = [quantile(quiet[kind], 0.9), quantile(hostile[kind], 0.9)];
    return during <= HOSTILE_FACTOR_MAX * Math.max(before, LATENCY_FLOOR_MS)
      ? []
      : [`p90 of ${kind} is ${during.toFixed(0)} ms during the hostile client, ${before.toFixed(0)} ms without it`];
  });
}
