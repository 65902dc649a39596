import { describe, expect, it } from 'vitest';
import { patchesBetween, type PatchJob } from './domain/patches-between.ts';
import type { RevisionPlace, StoredRevision } from '../revisions/history.store.ts';
import { makeKeptPatches } from './kept-patches.ts';

const REVISION: StoredRevision = {
  rev: 1,
  position: 1n,
  status: 'active.enquiries',
  causes: 0n,
  bytes: 100,
  flags: 0,
  digest: 'aaaaaaaa',
};
const revision = (rev: number, digest = 'aaaaaaaa'): StoredRevision => ({
  ...REVISION,
  rev,
  position: BigInt(rev),
  digest,
});
const formatTender = (rev: number): string =>
  JSON.stringify({ data: { id: 'a', tenderID: 'b', dateModified: 'c', status: `status ${rev}` } });

/** Patches of tenders that differ in their status, and what was done for them. */
function setup(bytesMax?: number) {
  const jobs: PatchJob[] = [];
  const read: number[] = [];
  const clients: string[] = [];
  const patches = makeKeptPatches({
    history: {
      texts: async (_tender: string, places: readonly RevisionPlace[]) => {
        read.push(...places.map(({ rev }) => rev));
        return new Map(places.map(({ rev, position }) => [position, formatTender(rev)]));
      },
    },
    workers: {
      run: async (client, use) => {
        clients.push(client);
        return use(async (job) => {
          jobs.push(job);
          return patchesBetween(job);
        });
      },
    },
    ...(bytesMax === undefined ? {} : { bytesMax }),
  });
  return { patches, jobs, read, clients };
}

const pair = (from: number, to: number) => ({ from: revision(from), to: revision(to) });
const patchTo = (rev: number): string => `[{"op":"replace","path":"/status","value":"status ${rev}"}]`;

describe('kept patches', () => {
  it('are made once, each text read once, in the turn of the client', async () => {
    const { patches, jobs, read, clients } = setup();
    const first = await patches('client', 'tender', [pair(1, 2), pair(2, 3)]);
    expect(first).toEqual({ texts: [patchTo(2), patchTo(3)], compared: 300 });
    expect(await patches('other', 'tender', [pair(2, 3), pair(1, 2)])).toEqual({
      texts: [patchTo(3), patchTo(2)],
      compared: 0,
    });
    expect(await patches('other', 'tender', [pair(1, 2), pair(3, 4)])).toMatchObject({ compared: 200 });
    expect([jobs.length, read, clients]).toEqual([2, [1, 2, 3, 3, 4], ['client', 'other']]);
  });

  it('are made anew for other directions, tenders and redacted texts', async () => {
    const { patches, jobs } = setup();
    await patches('c', 'tender', [pair(1, 2)]);
    await patches('c', 'tender', [pair(2, 1)]);
    await patches('c', 'another', [pair(1, 2)]);
    await patches('c', 'tender', [{ from: revision(1), to: revision(2, 'bbbbbbbb') }]);
    expect(jobs).toHaveLength(4);
  });

  it('are bounded by bytes, also those of one page', async () => {
    const { patches, jobs } = setup(200);
    const page = [pair(1, 2), pair(2, 3), pair(3, 4)];
    expect((await patches('c', 'tender', page)).texts).toEqual([patchTo(2), patchTo(3), patchTo(4)]);
    expect((await patches('c', 'tender', page)).texts).toEqual([patchTo(2), patchTo(3), patchTo(4)]);
    expect(jobs).toHaveLength(2);
  });
});
