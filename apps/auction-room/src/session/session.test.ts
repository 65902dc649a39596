import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isLinkHash, linkHash } from './links.ts';
import { atMostAtOnce, rateLimit, RateExceededError } from './rates.ts';
import { csrfOf, isCsrf, openSession, sealSession, setCookie } from './session.ts';

const buildKey = (number: number) => ({ number, key: Buffer.alloc(32, number) });
const OLD = [buildKey(1)];
const BOTH = [buildKey(2), buildKey(1)];
const OWNER = { auctionId: 'a'.repeat(32), bid: 'b'.repeat(32), generation: 1 };
const SESSION = { auctionId: OWNER.auctionId, bid: OWNER.bid, generation: 1, entry: 1, id: 's', expiresAt: 1_000 };
const AT = { auctionId: OWNER.auctionId, nowSeconds: 999 };

describe('links', () => {
  it('are the same when made again, and stay valid under a new master key', () => {
    expect(linkHash(OLD, OWNER)).toBe(linkHash(OLD, OWNER));
    expect(linkHash(OLD, OWNER)).toMatch(/^1-[0-9a-f]{40}$/);
    expect(isLinkHash(BOTH, OWNER, linkHash(OLD, OWNER))).toBe(true);
    expect(linkHash(BOTH, OWNER)).toMatch(/^2-/);
  });

  it('are those that another implementation of the code makes', () => {
    // Python's hmac: SHA-256 under 32 bytes of 2, of `link`, the ids and `1`, with NUL between them.
    expect(linkHash(BOTH, OWNER)).toBe('2-02771f44721a2852a22285ea97571268fe68400d');
  });

  it.each([{ bid: 'c'.repeat(32) }, { auctionId: 'd'.repeat(32) }, { generation: 2 }])(
    'open nothing else: %o',
    (other) => {
      expect(isLinkHash(BOTH, { ...OWNER, ...other }, linkHash(BOTH, OWNER))).toBe(false);
    },
  );

  it.each(['', '1-', '2-0', '9-aa', 'x'])('refuse %o', (given) => {
    expect(isLinkHash(BOTH, OWNER, given)).toBe(false);
  });
});

describe('sessions', () => {
  it('open with any master key, until their end, in their auction', () => {
    const cookie = sealSession(OLD, SESSION);
    expect(openSession(BOTH, cookie, AT)).toEqual(SESSION);
    expect(openSession(BOTH, cookie, { ...AT, nowSeconds: 1_000 })).toBeUndefined();
    expect(openSession(BOTH, cookie, { ...AT, auctionId: 'd'.repeat(32) })).toBeUndefined();
    expect(openSession([buildKey(3)], cookie, AT)).toBeUndefined();
  });

  it('refuse a changed payload', () => {
    const [version, , mac] = sealSession(OLD, SESSION).split('.');
    const forged = Buffer.from(JSON.stringify({ ...SESSION, bid: 'c'.repeat(32) })).toString('base64url');
    expect(openSession(OLD, `${version}.${forged}.${mac}`, AT)).toBeUndefined();
    expect(openSession(OLD, undefined, AT)).toBeUndefined();
  });

  it('have a token of their own', () => {
    expect(isCsrf(BOTH, SESSION, csrfOf(OLD, SESSION))).toBe(true);
    expect(isCsrf(BOTH, { ...SESSION, id: 't' }, csrfOf(OLD, SESSION))).toBe(false);
  });

  it('are cookies that scripts and other auctions do not get', () => {
    expect(setCookie('a', 'v', { isSecure: true })).toBe(
      'room=v; Path=/tenders/a; Max-Age=604800; HttpOnly; SameSite=Lax; Secure',
    );
  });
});

describe('rateLimit', () => {
  it('refills with time, for each name alone', () => {
    let nowMs = 0;
    const limit = rateLimit({ perSecond: 1, burst: 2 }, () => nowMs);
    expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([true, true, false, true]);
    nowMs = 1_000;
    expect([limit.take('a'), limit.take('a')]).toEqual([true, false]);
  });
});

describe('atMostAtOnce', () => {
  it('refuses more work of a name than it may have, until some has ended, whether it failed or not', async () => {
    const run = atMostAtOnce(2);
    const held = new AbortController();
    const work = async (): Promise<void> => {
      await once(held.signal, 'abort');
      throw new Error('failed');
    };
    const first = [run('a', work), run('a', work)];
    await expect(run('a', async () => undefined)).rejects.toThrow(RateExceededError);
    expect(await run('b', async () => 'of another')).toBe('of another');
    held.abort();
    await Promise.allSettled(first);
    expect(await run('a', async () => 'again')).toBe('again');
  });
});
