import { auditedHashes } from '@procurement/testing/audit';
import { signedIdentity } from '@procurement/testing/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { postBid, send } from '../../test-support/bid-requests.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();
const admins = signedIdentity({ broker: 'admin', group: 'admins' });
const root = signedIdentity({ broker: 'root', group: 'Administrator' });

/** The hash of the encrypted bid, which tells nothing of a guess of its text. */
async function storedHash(id: string): Promise<string> {
  const { rows } = await running().database.pool.query('SELECT sealed FROM bid WHERE id = $1', [id]);
  return sha256Hex(rows[0].sealed);
}

describe('the audit log of bids', () => {
  it('has what privileged callers try and do, and nothing of brokers', async () => {
    const { id: tender } = await running().tender();
    const ofBroker = await postBid(running().app, tender);
    await send(running().app, 'PATCH', ofBroker.path, ofBroker.owner, { value: { amount: 450 } });
    expect(await auditedHashes(running().database.pool, tender)).toEqual([]);
    await send(running().app, 'PATCH', ofBroker.path, root, {});
    await send(running().app, 'GET', ofBroker.path, root);
    const created = await send(running().app, 'POST', `/tenders/${tender}/bids`, admins, bidBody());
    expect(created.statusCode).toBe(201);
    const createdHash = await storedHash(created.json().data.id);
    const before = await storedHash(ofBroker.id);
    await send(running().app, 'DELETE', ofBroker.path, root);
    const none = { beforeHash: null, afterHash: null };
    expect(await auditedHashes(running().database.pool, tender)).toEqual([
      { what: 'Administrator PATCH refused 403', ...none },
      { what: 'Administrator GET refused 403', ...none },
      { what: 'admins POST changed ', beforeHash: null, afterHash: createdHash },
      { what: 'Administrator DELETE changed ', beforeHash: before, afterHash: null },
    ]);
  });
});
