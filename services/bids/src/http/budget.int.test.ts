import { TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import { signedIdentity } from '@procurement/testing/identity';
import { raced } from '@procurement/testing/racing';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody, organizationBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();
const other = signedIdentity({ broker: 'broker3' });

/** About 240,000 bytes. */
function largeBid() {
  const identifier = { scheme: 'UA-EDR', id: '1', legalName: '😀'.repeat(2_000), legalName_en: '😀'.repeat(2_000) };
  return bidBody({ tenderers: [organizationBody({ additionalIdentifiers: Array(15).fill(identifier) })] });
}

async function post(tender: string, body: unknown, headers = bidderHeaders) {
  return send(running().app, 'POST', `/tenders/${tender}/bids`, headers, body);
}

describe('the byte budget of bids (limits.md 5)', () => {
  it('gives the last room of a broker to one of two bids that race, and leaves room for others', async () => {
    const { id: tender } = await running().tender();
    for (let n = 0; n < 3; n += 1) expect((await post(tender, largeBid())).statusCode).toBe(201);
    const racing = await Promise.all([largeBid(), largeBid()].map(async (body) => post(tender, body)));
    expect(raced(racing)).toMatchObject({
      accepted: 1,
      refused: [
        [
          {
            location: 'body',
            name: 'bids',
            description: 'No more than 1048576 bytes of all bids of one broker in one tender are allowed.',
          },
        ],
      ],
    });
    expect((await post(tender, largeBid(), other)).statusCode).toBe(201);
  });

  it('counts withdrawn bids in the number of a broker, not in its bytes', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const { pool } = running().database;
    await pool.query(
      `INSERT INTO bid (id, tender_id, version, status, document, lots, owner, owner_token_hash, transfer_hash)
       SELECT lpad(n::text, 32, '0'), tender_id, 1, 'deleted', repeat('a', 10000), '{}', owner, '', ''
       FROM bid, generate_series(1, $2) AS n WHERE id = $1`,
      [bid.id, TENDER_OBJECTS_MAX.bids.ofBroker - 2],
    );
    const racing = await Promise.all([bidBody(), bidBody()].map(async (body) => post(tender, body)));
    expect(raced(racing)).toMatchObject({ accepted: 1, refused: [[{ location: 'body' }]] });
    expect((await post(tender, bidBody(), other)).statusCode).toBe(201);
    const changed = await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 480 } });
    expect(changed.statusCode).toBe(200);
  });

  it('refuses a bid above its size, before its documents are stored', async () => {
    const { id: tender } = await running().tender();
    const identifier = { scheme: 'UA-EDR', id: '1', legalName: '😀'.repeat(2_000) };
    const body = bidBody({
      tenderers: [organizationBody({ additionalIdentifiers: Array(40).fill(identifier) })],
      documents: [
        { title: 'x', format: 'text/plain', url: 'https://example.org/get/1', hash: `md5:${'a'.repeat(32)}` },
      ],
    });
    const refused = await post(tender, body);
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([
      422,
      'No more than 262144 bytes of one bid are allowed.',
    ]);
  });
});
