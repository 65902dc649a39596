import { describe, expect, it } from 'vitest';
import { STUB_AUCTION, STUB_KEYS, stubApp } from '../../test-support/stub-app.ts';
import { linkHash, type MasterKey } from '../session/links.ts';

const { plan } = STUB_AUCTION;
const [BID = ''] = plan.bids.map(({ id }) => id);
const NOBODY = 'f'.repeat(32);
const HASH = linkHash(STUB_KEYS, { auctionId: plan.id, bid: BID, generation: 1 });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Master keys that count how often a code is made with one. */
function countingKeys(): { readonly keys: readonly MasterKey[]; used(): number } {
  let used = 0;
  const keys = STUB_KEYS.map(({ number, key }) => ({
    number,
    get key() {
      used += 1;
      return key;
    },
  }));
  return { keys, used: () => used };
}

const WRONG: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a wrong secret', { bidder_id: BID, hash: `1-${'0'.repeat(40)}` }],
  ['a secret of another length', { bidder_id: BID, hash: '1-0' }],
  ['a secret of no master key', { bidder_id: BID, hash: HASH.replace('1-', '9-') }],
  ['the secret of another bidder', { bidder_id: plan.bids[1]?.id ?? '', hash: HASH }],
  ['an unknown bidder', { bidder_id: NOBODY, hash: HASH }],
  ['a malformed bidder', { bidder_id: 'x', hash: HASH }],
];

/** What the server did for the answer: codes made with a master key, reads of the database. */
async function measureWork(url: string, headers: Readonly<Record<string, string>>, payload: string) {
  const { keys, used } = countingKeys();
  const stub = stubApp({ keys });
  const { statusCode, body } = await stub.app.inject({ method: 'POST', url, headers, payload });
  return { statusCode, body, codes: used(), reads: stub.reads.length };
}

/**
 * The times themselves are not compared: they differ by less than what a machine with other work adds. What takes time is
 * counted instead.
 */
describe('a wrong link costs the same, whatever is wrong (A35)', () => {
  it.each(WRONG)('at the login: %s', async (_what, link) => {
    const payload = new URLSearchParams(link).toString();
    expect(await measureWork(`/tenders/${plan.id}/login`, FORM, payload)).toEqual({
      statusCode: 401,
      body: '',
      codes: 2,
      reads: 1,
    });
  });

  it.each(WRONG)('at check_authorization: %s', async (_what, link) => {
    const headers = { 'content-type': 'application/json' };
    const url = `/api/auctions/${plan.id}/check_authorization`;
    expect(await measureWork(url, headers, JSON.stringify(link))).toEqual({
      statusCode: 401,
      body: expect.stringContaining('hash is invalid'),
      codes: 2,
      reads: 1,
    });
  });
});
