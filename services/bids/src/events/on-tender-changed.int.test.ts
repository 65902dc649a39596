import { transact } from '@procurement/kit/database/transaction';
import { holdLock } from '@procurement/testing/held-lock';
import { padId } from '@procurement/testing/ids';
import { expect, it } from 'vitest';
import { postBid } from '../../test-support/bid-requests.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onTenderChanged } from './on-tender-changed.ts';

const running = setupBids();

/** Writes a bid like the first one of the tender, as a process that has locked the bidding. */
const WRITE_BID = `WITH locked AS (SELECT tender_id FROM bidding WHERE tender_id = $1 FOR NO KEY UPDATE)
  INSERT INTO bid (id, tender_id, version, status, owner, owner_token_hash, transfer_hash, document)
  SELECT $2, tender_id, 1, 'active', '', '', '', '{}' FROM locked`;

it('removes a bid that is written while the tender is found to be lost', async () => {
  const { database } = running();
  const { id } = await running().tender();
  await postBid(running().app, id);
  const writer = await holdLock(database.url, WRITE_BID, [id, padId('late')]);
  const removed = transact(database.pool, async (tx) => onTenderChanged.copies.remove(tx, [id]));
  await writer.someoneWaits();
  await writer.release();
  await removed;
  const { rows } = await database.pool.query('SELECT id FROM bid WHERE tender_id = $1', [id]);
  expect(rows).toEqual([]);
});
