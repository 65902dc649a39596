import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { idempotencyStore, type IdempotencyAttempt, type IdempotencyStore } from './idempotency.store.ts';
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
const ANSWER = Buffer.from('sealed');

async function claimAttempt(input = lookup): Promise<IdempotencyAttempt> {
  const found = await store.claim(input);
  if (found.kind !== 'claimed') throw new Error(`not claimed but ${found.kind}`);
  return found.attempt;
}

/** An attempt whose gateway is slow, and the one that took it over. */
async function attemptAndTakeover(): Promise<[slow: IdempotencyAttempt, taker: IdempotencyAttempt]> {
  const slow = await claimAttempt();
  await database.pool.query(`UPDATE idempotency SET started_at = started_at - interval '1 minute'`);
  return [slow, await claimAttempt()];
}

describe('kept answers', () => {
  it('of twenty that ask at once one claims, and the others see it on its way', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, async () => store.claim(lookup)));
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(['claimed', ...Array(19).fill('on its way')]);
  });

  it('a slow attempt that fails does not free the claim of the one that took over', async () => {
    const [slow, taker] = await attemptAndTakeover();
    await store.release(slow);
    expect(await store.claim(lookup)).toEqual({ kind: 'on its way' });
    await store.release(taker);
    expect(await store.find(lookup)).toEqual({ kind: 'free' });
  });

  it('a slow attempt that succeeds is kept, and its taker does not write over it', async () => {
    const [slow, taker] = await attemptAndTakeover();
    await store.storeResponse(slow, ANSWER);
    await store.release(taker);
    await store.storeResponse(taker, Buffer.from('later'));
    expect(await store.find(lookup)).toEqual({ kind: 'answered', answer: ANSWER });
  });

  it('an attempt of yesterday does not answer what the key is used for today', async () => {
    const yesterday = await claimAttempt();
    await database.pool.query(`UPDATE idempotency SET first_used_at = first_used_at - interval '25 hours'`);
    const today = await claimAttempt({ ...lookup, bodyHash: 'another' });
    await store.storeResponse(yesterday, ANSWER);
    expect(await store.find({ ...lookup, bodyHash: 'another' })).toEqual({ kind: 'on its way' });
    expect(today.firstUsed).not.toBe(yesterday.firstUsed);
  });

  it('the day of a key goes on through failures and take-overs', async () => {
    const [slow, taker] = await attemptAndTakeover();
    await store.release(taker);
    expect([taker.firstUsed, (await claimAttempt()).firstUsed]).toEqual([slow.firstUsed, slow.firstUsed]);
  });

  it('two who purge at once leave nothing that is older than a day, and all that is younger', async () => {
    await database.pool.query(`INSERT INTO idempotency (key_hash, body_hash, first_used_at)
      SELECT n, 'b', now() - interval '23 hours' - n % 2 * interval '2 hours' FROM generate_series(1, 5000) n`);
    await Promise.all([purgeExpired(store), purgeExpired(store)]);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count, bool_and(first_used_at > now() - interval '24 hours') AS young FROM idempotency`,
    );
    expect(rows).toEqual([{ count: 2_500, young: true }]);
  });
});
