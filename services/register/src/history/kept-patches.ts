import type { WorkerPool } from '@procurement/kit/runtime/worker-pool';
import { LRUCache } from 'lru-cache';
import type { PatchJob } from './domain/patches-between.ts';
import type { HistoryStore, StoredRevision } from '../revisions/history.store.ts';

/** Two revisions of a tender whose texts are there. */
export interface RevisionPair {
  readonly from: StoredRevision;
  readonly to: StoredRevision;
}

export interface Patches {
  /** JSON texts, in the order of the pairs. */
  readonly texts: readonly string[];
  /** Bytes of the texts that had to be compared. */
  readonly compared: number;
}

/** Differences between revisions. Each is made once, in a thread, and kept. */
export type KeptPatches = (client: string, tenderId: string, pairs: readonly RevisionPair[]) => Promise<Patches>;

const BYTES_MAX = 32 * 1024 * 1024;

export interface KeptPatchesOptions {
  readonly history: Pick<HistoryStore, 'texts'>;
  readonly workers: Pick<WorkerPool<PatchJob, readonly string[]>, 'run'>;
  readonly bytesMax?: number;
}

/** Texts are read when it is the turn of the client, so that those who wait hold no memory. */
export function makeKeptPatches({ history, workers, bytesMax = BYTES_MAX }: KeptPatchesOptions): KeptPatches {
  const kept = new LRUCache<string, string>({
    maxSize: bytesMax,
    sizeCalculation: (patch, key) => Buffer.byteLength(patch) + key.length,
  });
  return async (client, tenderId, pairs) => {
    const found = new Map<string, string>();
    const missing = (): readonly RevisionPair[] =>
      pairs.filter((pair) => {
        const key = formatKey(tenderId, pair);
        const patch = found.get(key) ?? kept.get(key);
        if (patch !== undefined) found.set(key, patch);
        return patch === undefined;
      });
    let compared = 0;
    if (missing().length > 0) {
      await workers.run(client, async (doJob) => {
        // Another client may have asked for the same meanwhile.
        const wanted = missing();
        if (wanted.length === 0) return;
        const revisions = [
          ...new Map(wanted.flatMap(({ from, to }) => [from, to]).map((one) => [one.rev, one])).values(),
        ];
        const texts = await history.texts(tenderId, revisions);
        const places = new Map(revisions.map(({ rev }, place) => [rev, place]));
        const job: PatchJob = {
          texts: revisions.map(({ position }) => texts.get(position) ?? ''),
          pairs: wanted.map(({ from, to }) => [places.get(from.rev) ?? -1, places.get(to.rev) ?? -1]),
        };
        compared = revisions.reduce((sum, { bytes }) => sum + bytes, 0);
        for (const [n, patch] of (await doJob(job)).entries()) {
          const pair = wanted[n];
          if (pair === undefined) continue;
          const key = formatKey(tenderId, pair);
          found.set(key, patch);
          kept.set(key, patch);
        }
      });
    }
    return { texts: pairs.map((pair) => found.get(formatKey(tenderId, pair)) ?? ''), compared };
  };
}

/** A text changes only when a member is removed by law. Its digest does too. */
function formatKey(tenderId: string, { from, to }: RevisionPair): string {
  return `${tenderId} ${from.position} ${from.digest} ${to.position} ${to.digest}`;
}
