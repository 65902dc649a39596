import { DAY, daysLater, formatLocalDate, instantAt, type Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import type { PackingStore } from '../revisions/packing.store.ts';
import type { ReleasePackingStore } from '../ocds/release-packing.store.ts';

/** How long texts stay unpacked (register.md 7.3). */
const HOT_DAYS = 3;
const PAUSE_MS = 3_600_000;

export interface Packing {
  readonly texts: PackingStore;
  readonly releases: ReleasePackingStore;
}

export interface PackingDeps {
  readonly packing: Packing;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Packs every hour what is older than three days. Every replica may do it. */
export function startPacking({ packing, clock, log }: PackingDeps): { stop(): Promise<void> } {
  async function round(): Promise<void> {
    const end = BigInt(clock.now() - HOT_DAYS * DAY);
    const { texts, failedTenders } = await packing.texts.packBefore(end);
    if (texts > 0) log.info({ texts, failedTenders }, 'texts packed');
    const { releases, failedProcesses } = await packing.releases.packBefore(end);
    if (releases > 0) log.info({ releases, failedProcesses }, 'releases packed');
  }
  return startLoop(round, { firstMs: PAUSE_MS, pauseMs: PAUSE_MS, log, failure: 'texts not packed', level: 'error' });
}

/** The command `pack <day>`: packs everything until the end of a day of the service zone. Returns the exit code. */
export async function packDay(
  [day = '']: readonly string[],
  packing: Packing,
  print: (line: string) => void,
): Promise<number> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    print('usage: pack <day>, for example pack 2026-03-28');
    return 2;
  }
  const end = BigInt(instantAt(daysLater(day, 1), 0));
  const { texts, failedTenders, archivedTo } = await packing.texts.packBefore(end);
  // Safe cast: a position is a whole number of microseconds.
  if (archivedTo !== undefined)
    print(`texts after ${formatLocalDate(Number(archivedTo) as Instant)} wait for the archive`);
  print(`${texts} texts packed, ${failedTenders} tenders failed`);
  const { releases, failedProcesses } = await packing.releases.packBefore(end);
  print(`${releases} releases packed, ${failedProcesses} processes failed`);
  return failedTenders + failedProcesses === 0 ? 0 : 1;
}
