import { acceptLoss } from '@procurement/kit/messaging/publish/accept-loss';
import { signedIdentity } from '@procurement/testing/identity';
import { afterAll, describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, publishedBidEvents, send, type PostedBid } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import {
  auctionBid,
  NOW,
  openTenders,
  sealTenders,
  tenderEvent,
  TEST_BIDS_KEY,
  type BidsReplica,
} from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onTenderCancelled } from '../events/on-tender-cancelled.ts';

const running = setupBids();
const replicas: BidsReplica[] = [];
afterAll(async () => {
  await Promise.all(replicas.map(async (replica) => replica.close()));
});

/** A process with other settings on the same database. */
function processWith(settings: Readonly<Record<string, string>>): BidsReplica {
  const replica = running().replica(undefined, settings);
  replicas.push(replica);
  return replica;
}

const stranger = signedIdentity({ broker: 'broker3' });
const close = async (...ids: string[]) => sealTenders(running(), ids);
const open = async (...ids: string[]) => openTenders(running(), ids);

interface Row {
  readonly status: string;
  readonly document: string | null;
  readonly sealed: Buffer | null;
}

async function readRow({ id }: Pick<PostedBid, 'id'>): Promise<Row> {
  const { rows } = await running().database.pool.query('SELECT status, document, sealed FROM bid WHERE id = $1', [id]);
  return rows[0];
}

async function isEncrypted(bid: PostedBid): Promise<boolean> {
  const { document, sealed } = await readRow(bid);
  return document === null && sealed?.includes('tenderers') === false;
}

const read = async (bid: PostedBid, { app }: BidsReplica = running()) => send(app, 'GET', bid.path, bid.owner);
const fetchAmount = async (bid: PostedBid, by?: BidsReplica): Promise<unknown> =>
  (await read(bid, by)).json().data.value.amount;

async function unreadableBids({ metrics }: BidsReplica): Promise<unknown> {
  const gauge = (await metrics.registry.getMetricsAsJSON()).find(({ name }) => name === 'bids_unreadable');
  return gauge?.values[0]?.value;
}

describe('the text of a bid in its row', () => {
  it('is read and opened after accept-loss, which raises all versions', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    const relay = { lost: () => undefined, lookForLoss: async () => {}, renewStream: async () => {} };
    await acceptLoss(running().database.pool, { relay, versioned: ['bid', 'bidding'] });
    expect([await isEncrypted(bid), await fetchAmount(bid)]).toEqual([true, 489]);
    await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 480 } });
    await close(id);
    await open(id);
    expect([(await readRow(bid)).sealed, await fetchAmount(bid)]).toEqual([null, 480]);
  });

  it('is encrypted until the opening, through changes, closing, links and results, and then clear', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    const other = await postBid(running().app, id, bidBody({ value: { amount: 470 } }));
    expect([await isEncrypted(bid), await fetchAmount(bid)]).toEqual([true, 489]);
    await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 480 } });
    expect([await isEncrypted(bid), await fetchAmount(bid)]).toEqual([true, 480]);
    await close(id);
    const participationUrl = 'https://auction.example.org/1';
    await auctionBid(running(), id, { id: bid.id, participationUrl, amount: 300 });
    expect([await isEncrypted(bid), await isEncrypted(other)]).toEqual([true, true]);
    expect((await read(bid)).json().data).toMatchObject({ participationUrl, value: { amount: 300 } });
    await open(id);
    const { document, sealed } = await readRow(bid);
    expect([JSON.parse(document ?? ''), sealed]).toEqual([(await read(bid)).json().data, null]);
    expect(await fetchAmount(other)).toBe(470);
  });

  it('stays encrypted of withdrawn, removed and erased bids', async () => {
    const [{ id }, cancelled] = [await running().tender(), await running().tender()];
    const withdrawn = await postBid(running().app, id);
    const draft = await postBid(running().app, id, bidBody({ status: 'draft' }));
    const kept = await postBid(running().app, id);
    const erased = await postBid(running().app, cancelled.id);
    expect((await send(running().app, 'DELETE', withdrawn.path, withdrawn.owner)).statusCode).toBe(200);
    await close(id);
    await open(id);
    const cancel = tenderEvent('tender.cancelled', cancelled.id, { erasesBids: true });
    await running().apply(onTenderCancelled(running().deps), [cancel]);
    for (const bid of [withdrawn, draft, erased])
      expect([(await readRow(bid)).status, await isEncrypted(bid)]).toEqual(['deleted', true]);
    expect(await isEncrypted(kept)).toBe(false);
  });

  it('cannot be there twice, or not at all', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    for (const set of [`document = '{}'`, 'sealed = NULL'])
      await expect(running().database.pool.query(`UPDATE bid SET ${set} WHERE id = $1`, [bid.id])).rejects.toThrow(
        'bid_text_once',
      );
  });

  it('is opened of 1,000 bids at once, in the order of registration', async () => {
    const { id: tenderId } = await running().tender();
    const { ids, texts } = running().deps;
    const rows = Array.from({ length: 1_000 }, (_, n) => {
      const id = ids.next();
      const text = JSON.stringify({ id, date: NOW, status: 'active', value: { amount: n } });
      return { id, ...texts.toColumns({ id, tenderId, version: 1 }, text, 'open') };
    });
    await running().database.pool.query(
      `INSERT INTO bid (id, tender_id, version, status, owner, owner_token_hash, transfer_hash, lots, sealed)
       SELECT id, $1, 1, 'active', 'broker2', '', '', '{}', sealed FROM unnest($2::text[], $3::bytea[]) AS new (id, sealed)`,
      [tenderId, rows.map(({ id }) => id), rows.map(({ sealed }) => sealed)],
    );
    await close(tenderId);
    await open(tenderId);
    const opened = (await publishedBidEvents(running().database.pool, tenderId)).at(-1).data.bids;
    expect(opened.map(({ value }: { readonly value: { readonly amount: number } }) => value.amount)).toEqual(
      rows.map((_, n) => n),
    );
    const left = 'SELECT count(sealed)::int AS n FROM bid WHERE tender_id = $1';
    expect((await running().database.pool.query(left, [tenderId])).rows[0].n).toBe(0);
  });

  it('takes as many bytes of the budget encrypted as in clear, of the largest bids', async () => {
    const { id } = await running().tender();
    const identifier = { scheme: 'UA-EDR', id: '1', legalName: '😀'.repeat(2_000), legalName_en: '😀'.repeat(2_000) };
    const [tenderer] = bidBody()['tenderers'] as readonly object[];
    const large = bidBody({ tenderers: [{ ...tenderer, additionalIdentifiers: Array(15).fill(identifier) }] });
    const bid = await postBid(running().app, id, large);
    const usage = async () =>
      (
        await running().database.pool.query(
          `SELECT coalesce(octet_length(document), octet_length(sealed) - 68) AS bytes FROM bid WHERE id = $1`,
          [bid.id],
        )
      ).rows[0].bytes;
    const encrypted = await usage();
    await close(id);
    await open(id);
    expect(await usage()).toBe(encrypted);
    expect(encrypted).toBe(Buffer.byteLength((await readRow(bid)).document ?? ''));
  });
});

describe('a bid that cannot be decrypted', () => {
  const swaps = {
    'of another bid': async (bid: PostedBid, tenderId: string) => readRow(await postBid(running().app, tenderId)),
    'of another tender': async () => readRow(await postBid(running().app, (await running().tender()).id)),
    'of an earlier version': async (bid: PostedBid) => {
      const before = await readRow(bid);
      await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 450 } });
      return before;
    },
    'with a changed byte': async (bid: PostedBid) => {
      const { sealed, ...row } = await readRow(bid);
      const changed = Buffer.from(sealed ?? '');
      changed.writeUInt8(changed.readUInt8(100) ^ 1, 100);
      return { ...row, sealed: changed };
    },
  };

  it.each(Object.keys(swaps) as (keyof typeof swaps)[])(
    '%s: 503 for its owner, 403 for others, and nothing else changes',
    async (name) => {
      const { id } = await running().tender();
      const [bid, other] = [await postBid(running().app, id), await postBid(running().app, id)];
      const { sealed } = await swaps[name](bid, id);
      const own = (await readRow(bid)).sealed;
      const put = async (bytes: Buffer | null) =>
        running().database.pool.query('UPDATE bid SET sealed = $2 WHERE id = $1', [bid.id, bytes]);
      const before = await unreadableBids(running());
      await put(sealed);
      for (const [method, body] of [['GET'], ['PATCH', { value: { amount: 1 } }], ['DELETE']] as const) {
        const answer = await send(running().app, method, bid.path, bid.owner, body);
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
        expect((await send(running().app, method, bid.path, stranger, body)).statusCode).toBe(403);
      }
      expect(await unreadableBids(running())).toBe(Number(before) + 1);
      expect((await read(other)).statusCode).toBe(200);
      expect((await running().deps.bids.facts(bid.id))?.id).toBe(bid.id);
      await put(own);
      expect([(await read(bid)).statusCode, await unreadableBids(running())]).toEqual([200, before]);
    },
  );

  it('stops the opening of its tender only, and is opened after the repair', async () => {
    const tenders = [await running().tender(), await running().tender()].map(({ id }) => id) as [string, string];
    const [bad, good] = tenders;
    const bid = await postBid(running().app, bad);
    await postBid(running().app, good);
    await close(...tenders);
    const { sealed } = await readRow(bid);
    const put = async (bytes: Buffer | null) =>
      running().database.pool.query('UPDATE bid SET sealed = $2 WHERE id = $1', [bid.id, bytes]);
    await put(Buffer.alloc(200));
    await expect(open(...tenders)).rejects.toThrow(`bid ${bid.id} of tender ${bad} cannot be decrypted`);
    // As the consumer repeats the batch.
    await expect(open(bad)).rejects.toThrow('cannot be decrypted');
    await open(good);
    const phases = async () => Promise.all(tenders.map(async (id) => running().deps.bids.phase(id)));
    expect(await phases()).toEqual(['sealed', 'opened']);
    await put(sealed);
    await open(bad);
    expect(await phases()).toEqual(['opened', 'opened']);
  });

  it('is one whose key was removed: new bids are taken, and the key makes it readable again', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    const without = processWith({ BIDS_KEYS: 'n'.repeat(32) });
    expect([(await read(bid, without)).statusCode, await unreadableBids(without)]).toEqual([503, 1]);
    const added = await postBid(without.app, id);
    expect([(await read(added, without)).statusCode, (await read(added)).statusCode]).toEqual([200, 503]);
    const both = processWith({ BIDS_KEYS: `${'n'.repeat(32)},${TEST_BIDS_KEY}` });
    expect([(await read(bid, both)).statusCode, (await read(added, both)).statusCode]).toEqual([200, 200]);
  });
});

describe('SEAL_BIDS off beside on', () => {
  it('reads and changes each form, and a repeated POST finds the bid of the other', async () => {
    const off = processWith({ SEAL_BIDS: 'off' });
    const { id } = await running().tender();
    const bid = await postBid(off.app, id);
    expect([await isEncrypted(bid), await fetchAmount(bid)]).toEqual([false, 489]);
    await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 480 } });
    expect([await isEncrypted(bid), await fetchAmount(bid, off)]).toEqual([true, 480]);
    await send(off.app, 'PATCH', bid.path, bid.owner, { value: { amount: 470 } });
    expect([await isEncrypted(bid), await fetchAmount(bid)]).toEqual([false, 470]);
    const repeated = signedIdentity({ broker: 'broker2', seed: 'an attempt across both' });
    const posts = [];
    for (const { app } of [running(), off])
      posts.push((await send(app, 'POST', `/tenders/${id}/bids`, repeated, bidBody())).json());
    expect(posts[1]).toEqual(posts[0]);
    await close(id);
    await open(id);
    const list = await send(running().app, 'GET', `/tenders/${id}/bids`, bidderHeaders);
    expect(list.statusCode).toBe(403);
    expect(await fetchAmount(bid)).toBe(470);
  });

  it('and without keys: clear bids are served, encrypted ones are 503', async () => {
    const off = processWith({ SEAL_BIDS: 'off', BIDS_KEYS: '' });
    const { id } = await running().tender();
    const [encrypted, clear] = [await postBid(running().app, id), await postBid(off.app, id)];
    expect([(await read(encrypted, off)).statusCode, (await read(clear, off)).statusCode]).toEqual([503, 200]);
  });
});
