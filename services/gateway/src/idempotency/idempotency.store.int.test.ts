import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { IdempotencyAttempt } from '../request/idempotency-claim.ts';
import { idempotencyStore, type IdempotencyStore } from './idempotency.store.ts';
import { purgeExpired } from './purge.ts';

let database: TestDatabase;
let store: IdempotencyStore;

beforeAll(async () => {
  database = await freshDatabase('gateway');
  store = idempotencyStore(database.pool);
});

afterEach(async () => {
  await database.pool.query('TRUNCATE idempotency');
});

afterAll(async () => database.drop());

const lookup = { keyHash: 'k', bodyHash: 'b', staleMs: 30_000 };
const ANSWER = Buffer.from('encrypted');

async function claimAttempt(input = lookup): Promise<IdempotencyAttempt> {
  const found = await store.claim(input);
  if (found.kind !== 'claimed') throw new Error(`not claimed but ${found.kind}`);
  return found.attempt;
}

/** A slow attempt and the one that took it over. */
async function attemptAndTakeover(): Promise<[slow: IdempotencyAttempt, successor: IdempotencyAttempt]> {
  const slow = await claimAttempt();
  await database.pool.query(`UPDATE idempotency SET started_at = started_at - interval '1 minute'`);
  return [slow, await claimAttempt()];
}

describe('idempotencyStore', () => {
  it('lets one of twenty simultaneous requests claim the key; the others see it in progress', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, async () => store.claim(lookup)));
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(['claimed', ...Array(19).fill('in-progress')]);
  });

  it('keeps the claim of a take-over when the slow attempt fails', async () => {
    const [slow, successor] = await attemptAndTakeover();
    await store.release(slow);
    expect(await store.claim(lookup)).toEqual({ kind: 'in-progress' });
    await store.release(successor);
    expect(await store.find(lookup)).toEqual({ kind: 'free' });
  });

  it('keeps the response of the slow attempt when both succeed', async () => {
    const [slow, successor] = await attemptAndTakeover();
    await store.storeResponse(slow, ANSWER);
    await store.release(successor);
    await store.storeResponse(successor, Buffer.from('later'));
    expect(await store.find(lookup)).toEqual({ kind: 'completed', answer: ANSWER });
  });

  it('ignores the response of an attempt from before the key expired', async () => {
    const yesterday = await claimAttempt();
    await database.pool.query(`UPDATE idempotency SET first_used_at = first_used_at - interval '25 hours'`);
    const today = await claimAttempt({ ...lookup, bodyHash: 'another' });
    await store.storeResponse(yesterday, ANSWER);
    expect(await store.find({ ...lookup, bodyHash: 'another' })).toEqual({ kind: 'in-progress' });
    expect(today.firstUsed).not.toBe(yesterday.firstUsed);
  });

  it('keeps the first use through failures and take-overs', async () => {
    const [slow, successor] = await attemptAndTakeover();
    await store.release(successor);
    expect([successor.firstUsed, (await claimAttempt()).firstUsed]).toEqual([slow.firstUsed, slow.firstUsed]);
  });

  it('deletes expired rows and no others when two replicas purge at once', async () => {
    await database.pool.query(`INSERT INTO idempotency (key_hash, body_hash, first_used_at)
      SELECT n, 'b', now() - interval '23 hours' - n % 2 * interval '2 hours' FROM generate_series(1, 5000) n`);
    await Promise.all([purgeExpired(store), purgeExpired(store)]);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count, bool_and(first_used_at > now() - interval '24 hours') AS young FROM idempotency`,
    );
    expect(rows).toEqual([{ count: 2_500, young: true }]);
  });
});
