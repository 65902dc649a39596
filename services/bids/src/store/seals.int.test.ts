import { parseInstant } from '@procurement/contracts/reading/instant';
import { acceptLoss } from '@procurement/kit/messaging/publish/accept-loss';
import { sha256 } from '@procurement/proof/hash';
import { bidDigest, parseSeal, sealHash, type Seal } from '@procurement/proof/seals';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { postBid, publishedBidEvents, send, type PostedBid } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { recordingLog } from '../../test-support/recording-log.ts';
import {
  auctionBid,
  NOW,
  openTenders,
  sealTenders,
  tenderEvent,
  type BidsReplica,
} from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onTenderCancelled } from '../events/on-tender-cancelled.ts';
import { onTenderingEnded } from '../events/on-tendering-ended.ts';
import { redactSeal } from './redact-seal.ts';

const running = setupBids();
const replicas: BidsReplica[] = [];
afterAll(async () => {
  await Promise.all(replicas.map(async (replica) => replica.close()));
});

const close = async (...ids: string[]) => sealTenders(running(), ids);
const open = async (...ids: string[]) => openTenders(running(), ids);
const query = async (text: string, ...values: unknown[]) => (await running().database.pool.query(text, values)).rows;
const withdraw = async ({ path, owner }: PostedBid) => send(running().app, 'DELETE', path, owner);
const change = async ({ path, owner }: PostedBid, amount: number) =>
  send(running().app, 'PATCH', path, owner, { value: { amount } });

async function sealText(tenderId: string): Promise<string> {
  return (await query('SELECT text FROM seal WHERE tender_id = $1', tenderId))[0]?.text;
}

async function readSeal(tenderId: string): Promise<Seal> {
  const seal = parseSeal(await sealText(tenderId));
  if (seal === undefined) throw new Error('no seal');
  return seal;
}

/** What events tell of the seal of a tender, in their order. */
async function toldSeals(tenderId: string): Promise<readonly unknown[]> {
  const events = await publishedBidEvents(running().database.pool, tenderId);
  return events
    .filter(({ type }) => type === 'bid.set-sealed' || type === 'bid.opened')
    .map(({ data }): unknown => data.seal);
}

const get = async (tenderId: string) =>
  send(running().app, 'GET', `/tenders/${tenderId}/bids_seal`, anonymousIdentity());

interface DisclosedBid {
  readonly id: string;
  readonly version: number;
  readonly salt: string | null;
  readonly text: string | null;
}

async function disclosed(tenderId: string): Promise<{ readonly seal: string; readonly bids: readonly DisclosedBid[] }> {
  const answer = await get(tenderId);
  expect(answer.statusCode).toBe(200);
  return answer.json().data;
}

/** Checks a disclosed tender as the verifier does. Returns its bids as they were closed. */
async function provenBids(tenderId: string): Promise<readonly unknown[]> {
  const { seal: text, bids } = await disclosed(tenderId);
  expect(text).toBe(await sealText(tenderId));
  const lines = bids.map(({ id, version, salt, text: bid }) => ({
    id,
    version: BigInt(version),
    digest: bidDigest(Buffer.from(salt ?? '', 'hex'), bid ?? ''),
  }));
  expect(parseSeal(text)?.bids).toEqual(lines);
  return bids.map(({ text: bid }): unknown => JSON.parse(bid ?? ''));
}

describe('the seal', () => {
  it('has the bids that take part in the order of registration, then the withdrawn ones, and no drafts', async () => {
    const { id } = await running().tender();
    const { app } = running();
    const [first, gone] = [await postBid(app, id), await postBid(app, id)];
    await postBid(app, id, bidBody({ status: 'draft' }));
    const draftGone = await postBid(app, id, bidBody({ status: 'draft' }));
    const [last, goneToo] = [await postBid(app, id), await postBid(app, id)];
    await change(first, 480);
    for (const bid of [goneToo, draftGone, gone]) expect((await withdraw(bid)).statusCode).toBe(200);
    await close(id);
    const { bids, withdrawn, ...head } = await readSeal(id);
    expect(bids.map(({ id: bid, version }) => [bid, version])).toEqual([
      [first.id, 2n],
      [last.id, 1n],
    ]);
    expect(withdrawn).toEqual([gone, goneToo].map((bid) => ({ id: bid.id, version: 2n })));
    const [end, at] = ['2026-05-12T10:15:00+03:00', NOW].map((date) => BigInt(parseInstant(date)));
    expect(head).toMatchObject({ tender: id, end, at });
  });

  it('is told by its hash and its time, the same in repeats and at the opening', async () => {
    const [{ id }, { id: empty }] = [await running().tender(), await running().tender()];
    await postBid(running().app, id);
    await close(id, empty);
    expect([(await get(id)).statusCode, await provenBids(empty)]).toEqual([404, []]);
    await close(id, empty);
    await open(id, empty);
    await open(id, empty);
    await close(id, empty);
    for (const tender of [id, empty]) {
      const hash = sealHash(await sealText(tender)).slice('sha256:'.length);
      expect(await toldSeals(tender)).toEqual(Array(5).fill({ at: NOW, hash }));
    }
    expect(await provenBids(empty)).toEqual([]);
  });

  it('has the time of the tender, whose clock the sandbox may have moved', async () => {
    const days = 10;
    const { id } = await running().tender({ clockShift: days * 86_400_000_000 });
    const endDate = '2026-05-22T10:00:00+03:00';
    await running().apply(onTenderingEnded(running().deps), [tenderEvent('tender.tendering-ended', id, { endDate })]);
    const { end, at } = await readSeal(id);
    expect([end, at]).toEqual(
      [endDate, NOW.replace('05-12', `05-${12 + days}`)].map((date) => BigInt(parseInstant(date))),
    );
  });

  it('is made at the opening of a tender that was never closed', async () => {
    const { id, tenderPeriod } = await running().tender();
    const bid = await postBid(running().app, id);
    running().clock.set('2026-06-01T12:00:00+03:00');
    await open(id);
    expect((await readSeal(id)).end).toBe(BigInt(parseInstant(tenderPeriod?.endDate ?? '')));
    const at = '2026-06-01T12:00:00.000000+03:00';
    expect(await toldSeals(id)).toEqual([{ at, hash: sealHash(await sealText(id)).slice('sha256:'.length) }]);
    expect(await provenBids(id)).toEqual([bid.data]);
  });

  it('is not there with SEAL_BIDS=off, and has bids that were stored in clear before it was on', async () => {
    const off = running().replica(undefined, { SEAL_BIDS: 'off' });
    replicas.push(off);
    const [{ id }, { id: unsealed }] = [await running().tender(), await running().tender()];
    const bids = [await postBid(off.app, id), await postBid(running().app, id)];
    await postBid(off.app, unsealed);
    await close(id);
    await sealTenders({ ...running(), deps: off.deps }, [unsealed]);
    await open(id, unsealed);
    expect(await provenBids(id)).toEqual(bids.map(({ data }): unknown => data));
    expect(await toldSeals(unsealed)).toEqual([undefined, undefined]);
    expect((await get(unsealed)).statusCode).toBe(404);
  });
});

describe('GET /tenders/{id}/bids_seal', () => {
  it('has the bids as they were closed, whatever the auction has changed, and each of their members is public', async () => {
    const { id } = await running().tender();
    const [bid, other] = [await postBid(running().app, id), await postBid(running().app, id)];
    await close(id);
    const participationUrl = 'https://auction.example.org/1';
    await auctionBid(running(), id, { id: bid.id, participationUrl, amount: 300 });
    await acceptLoss(running().database.pool, {
      relay: { lost: () => undefined, lookForLoss: async () => {}, renewStream: async () => {} },
      versioned: ['bid', 'bidding'],
    });
    expect((await get(id)).statusCode).toBe(404);
    await open(id);
    expect(await provenBids(id)).toEqual([bid.data, other.data]);
    const [shown] = await running().deps.bids.list(id);
    expect(shown?.document).toEqual({ ...bid.data, participationUrl, value: { ...bid.data.value, amount: 300 } });
    expect(await query('SELECT FROM bid WHERE tender_id = $1 AND closed IS NOT NULL', id)).toEqual([]);
  });

  it('takes one decryption of a bid at the opening, and two where the auction has changed it', async () => {
    const [{ id }, { id: auctioned }] = [await running().tender(), await running().tender()];
    const [same, changed] = [await postBid(running().app, id), await postBid(running().app, auctioned)];
    await close(id, auctioned);
    const participationUrl = 'https://auction.example.org/1';
    await auctionBid(running(), auctioned, { id: changed.id, participationUrl, amount: 400 });
    const [read, readSealed] = (['read', 'readSealed'] as const).map((name) => vi.spyOn(running().deps.texts, name));
    await open(id, auctioned);
    const decrypted = [read, readSealed].map((spy) => spy?.mock.calls.map(([bid]) => bid.id));
    vi.restoreAllMocks();
    expect(decrypted).toEqual([[changed.id], [same.id, changed.id]]);
    expect([await provenBids(id), await provenBids(auctioned)]).toEqual([[same.data], [changed.data]]);
  });

  it('may be kept for a day, and has its digest', async () => {
    const { id } = await running().tender();
    await postBid(running().app, id);
    await close(id);
    await open(id);
    const { headers, body } = await get(id);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=86400',
      'repr-digest': `sha-256=:${sha256(body).toString('base64')}:`,
    });
  });

  it('does not have a bid that was added after the closing, or dropped before the opening', async () => {
    const { id } = await running().tender();
    const [bid, dropped] = [await postBid(running().app, id), await postBid(running().app, id)];
    const { id: another } = await running().tender();
    const added = await postBid(running().app, another);
    await close(id);
    const text = running().deps.texts.toColumns({ id: added.id, tenderId: id, version: 1 }, '{"id":"added"}', 'sealed');
    await query('UPDATE bid SET tender_id = $1, sealed = $2 WHERE id = $3', id, text.sealed, added.id);
    await query('DELETE FROM bid WHERE id = $1', dropped.id);
    await open(id);
    const { bids } = await disclosed(id);
    expect(bids.map((one) => one.id)).toEqual([bid.id]);
    expect((await readSeal(id)).bids.map((one) => one.id)).toEqual([bid.id, dropped.id]);
  });

  it('is 404 for an unknown tender, and for one that was cancelled before the opening', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    await close(tender.id);
    const cancel = tenderEvent('tender.cancelled', tender.id, { erasesBids: true });
    await running().apply(onTenderCancelled(running().deps), [cancel]);
    await open(tender.id);
    const answers = [await get(tender.id), await get('0'.repeat(32))];
    expect(answers.map(({ statusCode, body }) => [statusCode, JSON.parse(body).errors])).toMatchObject(
      [
        ['bids_seal', 'bid.seal-not-disclosed'],
        ['tender_id', 'object.not-found'],
      ].map(([name, code]) => [404, [{ location: 'url', name, description: 'Not Found', code }]]),
    );
    expect(await query('SELECT status, closed FROM bid WHERE id = $1', bid.id)).toEqual([
      { status: 'deleted', closed: null },
    ]);
  });
});

describe('a bid that cannot be decrypted at the closing', () => {
  it('makes its tender wait, and no other; the tender is closed after the repair', async () => {
    const [{ id: bad }, { id: good }] = [await running().tender(), await running().tender()];
    const [bid] = [await postBid(running().app, bad), await postBid(running().app, good)];
    const [{ sealed }] = await query('SELECT sealed FROM bid WHERE id = $1', bid.id);
    await query('UPDATE bid SET sealed = $2 WHERE id = $1', bid.id, Buffer.alloc(200));
    await expect(close(bad, good)).rejects.toThrow(`bid ${bid.id} of tender ${bad} cannot be decrypted`);
    // As the consumer repeats the batch.
    await expect(close(bad)).rejects.toThrow('cannot be decrypted');
    await close(good);
    const phases = async () => Promise.all([bad, good].map(async (id) => running().deps.bids.phase(id)));
    expect([await phases(), await toldSeals(bad)]).toEqual([['open', 'sealed'], []]);
    await query('UPDATE bid SET sealed = $2 WHERE id = $1', bid.id, sealed);
    await close(bad);
    await open(bad);
    expect(await provenBids(bad)).toEqual([bid.data]);
  });

  it('does not matter where it was withdrawn or is a draft', async () => {
    const { id } = await running().tender();
    const gone = await postBid(running().app, id);
    await withdraw(gone);
    const draft = await postBid(running().app, id, bidBody({ status: 'draft' }));
    await query('UPDATE bid SET sealed = $2 WHERE id = ANY($1)', [gone.id, draft.id], Buffer.alloc(200));
    await close(id);
    expect((await readSeal(id)).withdrawn).toEqual([{ id: gone.id, version: 2n }]);
  });
});

describe('redact-seal', () => {
  async function run(...args: readonly string[]): Promise<readonly [number, string]> {
    const lines: string[] = [];
    const { pool } = running().database;
    const code = await redactSeal(args, { pool, log: recordingLog().log }, (line) => lines.push(line));
    return [code, lines.join('\n')];
  }

  it('removes text and salt of one bid, which the audit trail says with the reason', async () => {
    const { id } = await running().tender();
    const [bid, other] = [await postBid(running().app, id), await postBid(running().app, id)];
    await close(id);
    expect(await run(id, bid.id, '--reason', 'court')).toEqual([1, `tender ${id} has no disclosed seal`]);
    await open(id);
    const before = await disclosed(id);
    expect((await run(id, bid.id, '--reason', 'court'))[0]).toBe(0);
    const after = await disclosed(id);
    expect(after.seal).toBe(before.seal);
    expect(after.bids).toEqual([{ ...before.bids[0], salt: null, text: null }, before.bids[1]]);
    expect(after.bids[1]?.id).toBe(other.id);
    const audited = await query(`SELECT objects::json AS objects, outcome FROM kit.audit WHERE route = 'redact-seal'`);
    expect(audited).toEqual([
      { objects: { tender: id, bid: bid.id, reason: 'court', changed: bid.id }, outcome: 'changed' },
    ]);
  });

  it('is refused for a bid that is not in the seal, and without a reason', async () => {
    const { id } = await running().tender();
    await close(id);
    await open(id);
    const bid = 'a'.repeat(32);
    expect(await run(id, bid, '--reason', 'court')).toEqual([1, `the seal of tender ${id} has no bid ${bid}`]);
    expect((await run(id, bid))[0]).toBe(2);
  });
});
