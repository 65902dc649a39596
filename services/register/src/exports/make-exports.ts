import { startExclusive, type ExclusiveTurn } from '@procurement/kit/database/session-lock';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { toError } from '@procurement/kit/runtime/to-error';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { dueExports } from './domain/export-schedule.ts';
import { archiveStore, type ArchiveStore } from './archive.store.ts';
import { exportRuns, type ExportRuns, type OpenExport, type WithTests } from './export-runs.store.ts';
import { archiveExport } from './archive-exports.ts';
import { removeFiles } from './write-zstd.ts';
import { writeExport, type WriteExportDeps } from './write-export.ts';

export interface MakeExportsDeps extends WriteExportDeps {
  readonly databaseUrl: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whether exports of days and weeks are made by themselves. */
  readonly isScheduled: boolean;
  readonly withTests: WithTests;
  /** Whether releases are made; without them there are no exports of them. */
  readonly isOcdsOn: boolean;
  /** Takes members that were removed by law out of stored files, before another export is made. False when there is nothing to do now. */
  readonly redactFiles: (turn: ExclusiveTurn) => Promise<boolean>;
  readonly pauseMs?: number;
  /** Time between two searches for exports that are no longer kept; set by tests. */
  readonly expireEveryMs?: number;
}

/** Advisory lock of the process that makes exports, apart from other locks of this database. */
const LOCK_KEY = '8102743561';
const PAUSE_MS = 10_000;
/** Exports are kept for days. Those that a new one replaces are removed after it is made. */
const EXPIRE_EVERY_MS = 600_000;
const RETRY_SECONDS = 60;

/** Makes exports, one at a time, in one process per database (register.md 8.3). What a killed process has begun is continued. */
export function startExports(deps: MakeExportsDeps): { stop(): Promise<void> } {
  const { databaseUrl, log, pauseMs = PAUSE_MS, expireEveryMs = EXPIRE_EVERY_MS } = deps;
  const signal = makeSignal();
  return startExclusive({
    databaseUrl,
    name: 'register exports',
    lockKey: LOCK_KEY,
    log,
    onLost: () => signal.notify(),
    work: async (turn) => {
      const [runs, archive] = [exportRuns(turn.client), archiveStore(turn.client)];
      let nextExpiryAt = 0;
      while (turn.isHeld()) {
        if (deps.isScheduled) await planDue(runs, deps);
        const isArchived = await archiveNext(deps, { runs, archive }, turn);
        const isRedacted = await deps.redactFiles(turn);
        const run = await runs.next();
        if (run !== undefined) {
          await attempt(deps, runs, run, turn);
          nextExpiryAt = 0;
        } else if (!isArchived && !isRedacted) {
          if (monotonicMs() >= nextExpiryAt) {
            const isRemoved = await removeExpired(deps, runs);
            nextExpiryAt = monotonicMs() + (isRemoved ? expireEveryMs : RETRY_SECONDS * 1_000);
          }
          await signal.wait(pauseMs);
        }
      }
    },
  });
}

async function planDue(runs: ExportRuns, { withTests, isOcdsOn }: MakeExportsDeps): Promise<void> {
  const range = await runs.range(isOcdsOn);
  if (range !== undefined) await runs.plan(dueExports(range, await runs.lastDays()), withTests);
}

async function attempt(deps: MakeExportsDeps, runs: ExportRuns, run: OpenExport, turn: ExclusiveTurn): Promise<void> {
  const { name, kind } = run;
  const startedMs = monotonicMs();
  try {
    await writeExport(deps, runs, run, () => turn.isHeld());
    const seconds = (monotonicMs() - startedMs) / 1_000;
    deps.metrics.counter('export_seconds', 'Time in which exports were made', { kind }).increment(seconds);
    deps.log.info({ name, durationMs: Math.round(seconds * 1_000) }, 'export made');
  } catch (error) {
    if (!turn.isHeld()) return;
    deps.log.error({ err: error, name }, 'export failed');
    await runs.fail(name, toError(error).message, RETRY_SECONDS);
  }
}

interface Stores {
  readonly runs: ExportRuns;
  readonly archive: ArchiveStore;
}

/** False when nothing is to be archived now. */
async function archiveNext({ files, log }: MakeExportsDeps, { runs, archive }: Stores, turn: ExclusiveTurn) {
  const manifest = await archive.next();
  if (manifest === undefined || !turn.isHeld()) return false;
  const { name } = manifest;
  try {
    await archiveExport(files, archive, manifest);
  } catch (error) {
    if (!turn.isHeld()) return false;
    log.error({ err: error, name }, 'export not archived');
    await runs.fail(name, toError(error).message, RETRY_SECONDS);
  }
  return true;
}

/** False when the storage does not answer: what is left is for the next time. */
async function removeExpired({ files, log }: MakeExportsDeps, runs: ExportRuns): Promise<boolean> {
  for (const { name, keys } of await runs.expire()) {
    try {
      for (const key of keys) await removeFiles(files, key);
    } catch (error) {
      log.warn({ err: error, name }, 'files of an old export not removed');
      return false;
    }
    await runs.remove(name);
  }
  return true;
}
