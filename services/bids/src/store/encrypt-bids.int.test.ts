import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { bidDigest, parseSeal } from '@procurement/proof/seals';
import { signedIdentity } from '@procurement/testing/identity';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postBid, send, type PostedBid } from '../../test-support/bid-requests.ts';
import { recordingLog } from '../../test-support/recording-log.ts';
import {
  openTenders,
  sealTenders,
  startBids,
  tenderEvent,
  TEST_BIDS_KEY,
  type BidsReplica,
  type RunningBids,
} from '../../test-support/running-bids.ts';
import { bidEncryption } from '../deps.ts';
import { onTenderCancelled } from '../events/on-tender-cancelled.ts';
import { rekey } from './encrypt-bids.ts';

let running: RunningBids;
let off: BidsReplica;
/** It has a new key before the first. */
let rekeyed: BidsReplica;
/** It has the new key alone. */
let forgetful: BidsReplica;
const NEW_KEY = 'n'.repeat(32);

beforeAll(async () => {
  running = await startBids();
  off = running.replica(undefined, { SEAL_BIDS: 'off' });
  rekeyed = running.replica(undefined, { BIDS_KEYS: `${NEW_KEY},${TEST_BIDS_KEY}` });
  forgetful = running.replica(undefined, { BIDS_KEYS: NEW_KEY });
});

afterAll(async () => {
  await Promise.all([off, rekeyed, forgetful].map(async (replica) => replica.close()));
  await running.close();
});

const root = signedIdentity({ broker: 'root', group: 'Administrator' });
/** Runs a command as the process of a replica would. Returns its exit code and what it printed. */
async function run(
  command: typeof rekey,
  { deps }: BidsReplica,
  { args = [], pool = running.database.pool }: { readonly args?: readonly string[]; readonly pool?: pg.Pool } = {},
): Promise<readonly [number, ...string[]]> {
  const lines: string[] = [];
  const [{ log }, metrics] = [recordingLog(), makeMetrics('bids')];
  const code = await command(args, { pool, log, ...bidEncryption(deps.config, { log, metrics }) }, (line) =>
    lines.push(line),
  );
  return [code, ...lines];
}

/** A pool that loses its connections after some transactions, as a killed process does. */
function poolThatFailsAfter(transactions: number): pg.Pool {
  let left = transactions;
  return new Proxy(running.database.pool, {
    get(pool, name) {
      if (name === 'connect' && left-- <= 0) return async () => Promise.reject(new Error('killed'));
      const member = Reflect.get(pool, name);
      return typeof member === 'function' ? member.bind(pool) : member;
    },
  });
}

async function post(replica: BidsReplica, count: number, tenderId: string): Promise<readonly PostedBid[]> {
  const bids: PostedBid[] = [];
  while (bids.length < count) bids.push(await postBid(replica.app, tenderId));
  return bids;
}

async function countClear(where = 'true'): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM bid WHERE document IS NOT NULL AND ${where}`;
  return (await running.database.pool.query(text)).rows[0].n;
}

/** The runs of rekey that are recorded. */
async function countRuns(): Promise<number> {
  const audited = `SELECT count(*)::int AS n FROM kit.audit WHERE route = 'rekey' AND outcome = 'begun'`;
  return (await running.database.pool.query(audited)).rows[0].n;
}

async function statuses(replica: BidsReplica, bids: readonly PostedBid[]): Promise<ReadonlySet<number>> {
  const answers = await Promise.all(bids.map(async (bid) => send(replica.app, 'GET', bid.path, bid.owner)));
  return new Set(answers.map(({ statusCode }) => statusCode));
}

describe('rekey after SEAL_BIDS=off', () => {
  it('encrypts all that is not public, after a kill as well', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await running.tender()).id);
    const [inTendering, closed, opened, erased] = ids as [string, string, string, string];
    const bids = await post(off, 130, inTendering);
    const ofClosed = await post(off, 2, closed);
    const [gone, shown] = (await post(off, 2, opened)) as [PostedBid, PostedBid];
    await post(off, 1, erased);
    await send(off.app, 'DELETE', gone.path, root);
    await sealTenders(running, [closed, opened]);
    await openTenders(running, [opened]);
    await running.apply(onTenderCancelled(off.deps), [tenderEvent('tender.cancelled', erased, { erasesBids: true })]);
    expect(await countClear()).toBe(135);
    await expect(run(rekey, running, { pool: poolThatFailsAfter(1) })).rejects.toThrow('killed');
    expect(await countClear()).toBe(85);
    expect(await run(rekey, running)).toEqual([0, '0 rows of open tenders, 0 rows of deleted bids under other keys']);
    expect(await countClear()).toBe(1);
    expect(await countClear(`id = '${shown.id}'`)).toBe(1);
    expect(await statuses(running, [...bids, ...ofClosed])).toEqual(new Set([200]));
  });
});

describe('rekey', () => {
  it('encrypts bids of unopened tenders under the first key, after a kill as well; deleted ones are then forgotten', async () => {
    const { id } = await running.tender();
    const begun = await countRuns();
    const bids = await post(running, 60, id);
    const [withdrawn, ...kept] = bids as [PostedBid, ...PostedBid[]];
    await send(running.app, 'DELETE', withdrawn.path, withdrawn.owner);
    const salts = async () =>
      Promise.all(
        kept.map(async ({ id: bidId }) => {
          const row = await rekeyed.deps.bids.acknowledged(bidId);
          return row === undefined ? undefined : rekeyed.deps.texts.close(row).salt.toString('hex');
        }),
      );
    const before = await salts();
    await expect(run(rekey, rekeyed, { pool: poolThatFailsAfter(1) })).rejects.toThrow('killed');
    expect(await statuses(rekeyed, kept)).toEqual(new Set([200]));
    const [code, line] = await run(rekey, rekeyed);
    expect([code, line]).toEqual([
      0,
      expect.stringMatching(/^0 rows of open tenders, [1-9]\d* rows of deleted bids under other keys$/),
    ]);
    expect(await statuses(forgetful, kept)).toEqual(new Set([200]));
    // Receipts have told them: with another salt the seal would contradict a receipt of the same version.
    expect(before.every((salt) => /^[0-9a-f]{64}$/.test(salt ?? ''))).toBe(true);
    expect(await salts()).toEqual(before);
    expect(await countRuns()).toBe(begun + 2);
  });

  it('leaves bids as they were closed, with the digests of their seal', async () => {
    const { id } = await running.tender();
    await post(running, 2, id);
    await sealTenders(running, [id]);
    expect((await run(rekey, rekeyed))[0]).toBe(0);
    await openTenders({ ...running, deps: forgetful.deps }, [id]);
    const text = 'SELECT text, opened::json AS opened FROM seal WHERE tender_id = $1';
    const [{ text: seal, opened }] = (await running.database.pool.query(text, [id])).rows;
    const digests = opened.data.bids.map((bid: { readonly salt: string; readonly text: string }) =>
      bidDigest(Buffer.from(bid.salt, 'hex'), bid.text),
    );
    expect(parseSeal(seal)?.bids.map(({ digest }) => digest)).toEqual(digests);
    expect(digests).toHaveLength(2);
  });

  it('runs beside changes of the same bids, and leaves none unreadable', async () => {
    const { id } = await running.tender();
    const bids = await post(running, 60, id);
    let isDone = false;
    const changing = (async () => {
      for (let n = 0; !isDone; n += 1) {
        const bid = bids[n % bids.length] as PostedBid;
        const changed = await send(rekeyed.app, 'PATCH', bid.path, bid.owner, { value: { amount: 100 + n } });
        expect(changed.statusCode).toBe(200);
      }
    })();
    const [code] = await run(rekey, rekeyed);
    isDone = true;
    await changing;
    expect([code, await statuses(forgetful, bids)]).toEqual([0, new Set([200])]);
  });

  it('leaves a bid that it cannot decrypt, encrypts the others, and ends with 1 as long as the old key is needed', async () => {
    const { id } = await running.tender();
    const [broken, whole] = (await post(running, 2, id)) as [PostedBid, PostedBid];
    const swap =
      'UPDATE bid SET sealed = $2 WHERE id = $1 RETURNING (SELECT sealed FROM bid AS before WHERE id = $1) AS before';
    const [{ before }] = (await running.database.pool.query(swap, [broken.id, Buffer.alloc(100)])).rows;
    expect(await run(rekey, rekeyed)).toEqual([1, expect.stringMatching(/^1 rows of open tenders, /)]);
    expect(await statuses(forgetful, [whole])).toEqual(new Set([200]));
    await running.database.pool.query(swap, [broken.id, before]);
    expect((await run(rekey, rekeyed))[0]).toBe(0);
    expect(await statuses(forgetful, [broken])).toEqual(new Set([200]));
  });

  it('is refused without keys', async () => {
    const without = running.replica(undefined, { SEAL_BIDS: 'off', BIDS_KEYS: '' });
    expect(await run(rekey, without)).toEqual([1, 'BIDS_KEYS is not set']);
    const [code, refusal] = await run(rekey, rekeyed, { args: ['all'] });
    expect([code, refusal]).toEqual([2, expect.stringContaining('too many arguments')]);
    await without.close();
  });
});
