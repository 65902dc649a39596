import { noteOfHeader, openReceipt, type Receipt } from '@procurement/proof/receipts';
import { bidDigest } from '@procurement/proof/seals';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, send, type PostedBid } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { openTenders, sealTenders, startBids, TEST_LOG, type RunningBids } from '../../test-support/running-bids.ts';

let running: RunningBids;

beforeAll(async () => {
  running = await startBids({ guards: 'open' });
});

afterAll(async () => running.close());

const root = signedIdentity({ broker: 'root', group: 'Administrator' });
type Answer = Awaited<ReturnType<typeof send>>;

function opened(note: string | undefined): Receipt | undefined {
  const { receiptSigner } = running.deps.config;
  return receiptSigner && openReceipt(note ?? '', [receiptSigner.signer.verifier]);
}

/** The receipt of an answer, whose signature is checked. */
function verifyReceipt({ headers }: Answer): Receipt | undefined {
  return opened(noteOfHeader(String(headers['procurement-receipt'] ?? '')));
}

async function storedRow({ id }: PostedBid) {
  const { rows } = await running.database.pool.query(
    `SELECT id, tender_id AS "tenderId", version::int, document, sealed, status FROM bid WHERE id = $1`,
    [id],
  );
  return rows[0];
}

/** What a receipt says of the row. */
async function buildReceipt(bid: PostedBid, state: string): Promise<object> {
  const row = await storedRow(bid);
  const { salt, text } = running.deps.texts.readSealed(row, row.sealed);
  return {
    log: TEST_LOG,
    tender: row.tenderId,
    bid: bid.id,
    version: BigInt(row.version),
    state,
    sha256: bidDigest(salt, text),
    salt: salt.toString('hex'),
  };
}

const readReceipt = async (bid: PostedBid, headers = bid.owner): Promise<Answer> =>
  send(running.app, 'GET', `${bid.path}/receipt`, headers);

describe('a write of a bid', () => {
  it('has a receipt of what it has stored, of at most 700 bytes', async () => {
    const { id } = await running.tender();
    const created = await send(running.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody({ status: 'draft' }));
    const { data, access } = created.json();
    const path = `/tenders/${id}/bids/${data.id}`;
    const bid: PostedBid = { id: data.id, path, token: access.token, data, owner: ownerHeaders(access.token) };
    expect(verifyReceipt(created)).toMatchObject(await buildReceipt(bid, 'draft'));
    expect(String(created.headers['procurement-receipt']).length).toBeLessThanOrEqual(700);
    const seen = verifyReceipt(created)?.seen;
    expect(seen).toBe(BigInt(running.clock.now()));

    const activated = await send(running.app, 'PATCH', path, bid.owner, { status: 'active' });
    expect([verifyReceipt(activated)?.version, verifyReceipt(activated)?.state]).toEqual([2n, 'active']);
    expect(verifyReceipt(activated)).toMatchObject(await buildReceipt(bid, 'active'));

    const same = await send(running.app, 'PATCH', path, bid.owner, {});
    expect(verifyReceipt(same)).toMatchObject(await buildReceipt(bid, 'active'));
    expect(verifyReceipt(same)?.version).toBe(2n);

    const withdrawn = await send(running.app, 'DELETE', path, bid.owner);
    expect(verifyReceipt(withdrawn)).toMatchObject(await buildReceipt(bid, 'withdrawn'));
    expect(verifyReceipt(withdrawn)?.version).toBe(3n);
  });

  it('has the receipt of the stored bid when a repeat finds it', async () => {
    const { id } = await running.tender();
    const headers = signedIdentity({ broker: 'broker2', seed: 's'.repeat(64) });
    const post = async () => send(running.app, 'POST', `/tenders/${id}/bids`, headers, bidBody());
    const [first, repeat] = [verifyReceipt(await post()), verifyReceipt(await post())];
    expect(first?.state).toBe('active');
    expect(repeat).toEqual(first);
  });

  it('has none when it is refused or tried', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    const answers = [
      await send(running.app, 'POST', `/tenders/${id}/bids?opt_dry_run=1`, bidderHeaders, bidBody()),
      await send(running.app, 'PATCH', `${bid.path}?opt_dry_run=1`, bid.owner, { value: { amount: 400 } }),
      await send(running.app, 'DELETE', `${bid.path}?opt_dry_run=1`, bid.owner),
      await send(running.app, 'POST', `/tenders/${id}/bids`, bidderHeaders, {}),
      await send(running.app, 'PATCH', bid.path, ownerHeaders('another'), { value: { amount: 400 } }),
      await send(running.app, 'GET', bid.path, bid.owner),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200, 200, 422, 403, 200]);
    expect(answers.map(({ headers }) => headers['procurement-receipt'])).toEqual(answers.map(() => undefined));
  });

  it('has none for the Administrator, who may not see the bid', async () => {
    const { id } = await running.tender();
    const { path } = await postBid(running.app, id);
    const withdrawn = await send(running.app, 'DELETE', path, root);
    expect([withdrawn.statusCode, withdrawn.headers['procurement-receipt']]).toEqual([200, undefined]);
  });

  it('has none without a key, and in clear text', async () => {
    const { id } = await running.tender();
    const replicas = [
      running.replica(undefined, { BIDS_RECEIPT_KEY: '' }),
      running.replica(undefined, { SEAL_BIDS: 'off' }),
    ];
    for (const { app } of replicas) {
      const created = await send(app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());
      const { data, access } = created.json();
      const receipt = await send(app, 'GET', `/tenders/${id}/bids/${data.id}/receipt`, ownerHeaders(access.token));
      expect([created.statusCode, created.headers['procurement-receipt']]).toEqual([201, undefined]);
      expect([receipt.statusCode, receipt.json().errors[0]]).toMatchObject([
        404,
        { location: 'url', code: 'bid.receipt' },
      ]);
    }
    await Promise.all(replicas.map(async (replica) => replica.close()));
  });
});

describe('a receipt', () => {
  it('needs no statement, nor does the encryption of the bid', async () => {
    const { id } = await running.tender();
    const without = running.replica(undefined, { BIDS_RECEIPT_KEY: '' });
    const clear = running.replica(undefined, { SEAL_BIDS: 'off' });
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const counts: number[][] = [];
    for (const { app } of [running, without, clear]) {
      await postBid(app, id);
      const begun = statements.mock.calls.length;
      const bid = await postBid(app, id);
      const posted = statements.mock.calls.length;
      await send(app, 'PATCH', bid.path, bid.owner, { value: { amount: 400 } });
      counts.push([posted - begun, statements.mock.calls.length - posted]);
    }
    statements.mockRestore();
    await Promise.all([without.close(), clear.close()]);
    expect(Math.min(...counts.flat())).toBeGreaterThan(0);
    expect([counts[1], counts[2]]).toEqual([counts[0], counts[0]]);
  });
});

describe('GET /tenders/{id}/bids/{bid_id}/receipt', () => {
  it('signs what is stored now, with its text, for the owner, also while the auction is held', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    const inTendering = await readReceipt(bid);
    await sealTenders(running, [id]);
    for (const answer of [inTendering, await readReceipt(bid)]) {
      const { receipt, text } = answer.json().data;
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect(opened(receipt)).toMatchObject(await buildReceipt(bid, 'active'));
      expect(JSON.parse(text)).toEqual(bid.data);
    }
  });

  it('refuses all others as the bid does, and everybody after the opening', async () => {
    const tender = await running.tender();
    const bid = await postBid(running.app, tender.id);
    const strangers = [anonymousIdentity(), bidderHeaders, ownerHeaders(bid.token, 'broker3'), root];
    const sealed = await Promise.all(strangers.map(async (headers) => readReceipt(bid, headers)));
    expect(sealed.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    await sealTenders(running, [tender.id]);
    await openTenders(running, [tender.id]);
    await running.deliver({ ...tender, status: 'active.qualification', version: 2 });
    const open = await Promise.all([bid.owner, ...strangers].map(async (headers) => readReceipt(bid, headers)));
    expect(open.map(({ statusCode }) => statusCode)).toEqual([404, 401, 403, 403, 403]);
  });

  it('404: unknown or withdrawn bids', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await send(running.app, 'DELETE', bid.path, bid.owner);
    const answer = await readReceipt(bid);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'bid_id']);
  });
});
