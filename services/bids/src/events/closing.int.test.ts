import type { Envelope } from '@procurement/contracts/events/envelope';
import { transact } from '@procurement/kit/database/transaction';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { tenderFactsWithLots, LOTS, bidBody, bidBodyWithLots } from '../../test-support/bidding-facts.ts';
import {
  openTenders,
  qualificationDue,
  sealTenders,
  startBids,
  tenderEvent,
  tenderingEnded,
  type RunningBids,
} from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onQualificationDue } from './on-qualification-due.ts';
import { onTenderCancelled } from './on-tender-cancelled.ts';
import { onTenderingEnded } from './on-tendering-ended.ts';

const running = setupBids();

const cancelled = (id: string, erasesBids = true): Envelope => tenderEvent('tender.cancelled', id, { erasesBids });

const seal = async (...ids: string[]) => sealTenders(running(), ids);
const open = async (...ids: string[]) => openTenders(running(), ids);
const cancel = async (id: string, erasesBids = true) =>
  running().apply(onTenderCancelled(running().deps), [cancelled(id, erasesBids)]);

// Plain JSON: tests assert on its members.
type Json = any;

async function publishedEvents(tenderId: string, type: string): Promise<Json[]> {
  const { rows } = await running().database.pool.query(
    'SELECT envelope FROM kit.outbox WHERE subject = $1 ORDER BY position',
    [`bids.${type.replaceAll('.', '-')}.${tenderId}`],
  );
  return rows.map((row) => JSON.parse(row.envelope));
}

const sealedSets = async (id: string): Promise<Json[]> =>
  (await publishedEvents(id, 'bid.set-sealed')).map((event) => event.data);
const openedSets = async (id: string): Promise<Json[]> =>
  (await publishedEvents(id, 'bid.opened')).map((event) => event.data);
/** What the events of a tender tell of its seal; `seals.int.test.ts` checks the seal itself. */
const toldSeal = { at: expect.any(String), hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
const phase = async (id: string): Promise<string> => running().deps.bids.phase(id);

describe('tender.tendering-ended', () => {
  it('is answered with the bids that take part, in the order of registration, with their lots', async () => {
    const { id } = await running().tender(tenderFactsWithLots({ id: running().deps.ids.next() }));
    const lots = [[0], [1, 0], [1]];
    const bids = [];
    for (const of of lots) {
      const lotValues = of.map((lot) => ({ relatedLot: LOTS[lot], value: { amount: 5 } }));
      bids.push(await postBid(running().app, id, bidBodyWithLots(...lotValues)));
    }
    await seal(id);
    expect(await publishedEvents(id, 'bid.set-sealed')).toMatchObject([
      {
        type: 'bid.set-sealed',
        dataschema: 'urn:procurement:event:bid.set-sealed:1',
        subject: id,
        time: tenderingEnded(id).time,
        correlationid: 'a request',
        aggregateversion: 1,
        data: { id, bids: bids.map((bid, at) => ({ id: bid.id, lots: lots[at]?.map((lot) => LOTS[lot]) })) },
      },
    ]);
    expect(await phase(id)).toBe('sealed');
  });

  it('removes drafts, and leaves out withdrawn bids', async () => {
    const { id } = await running().tender();
    const draft = await postBid(running().app, id, bidBody({ status: 'draft' }));
    const withdrawn = await postBid(running().app, id);
    const bid = await postBid(running().app, id);
    await send(running().app, 'DELETE', withdrawn.path, withdrawn.owner);
    await seal(id);
    expect(await sealedSets(id)).toEqual([{ id, bids: [{ id: bid.id, lots: [] }], seal: toldSeal }]);
    expect((await send(running().app, 'GET', draft.path, draft.owner)).statusCode).toBe(404);
    expect((await send(running().app, 'GET', bid.path, bid.owner)).statusCode).toBe(200);
  });

  it('is answered for a tender without bids', async () => {
    const id = running().deps.ids.next();
    await seal(id);
    expect(await sealedSets(id)).toEqual([{ id, bids: [], seal: toldSeal }]);
  });

  it('is answered the same each time it is repeated, also after the opening', async () => {
    const { id } = await running().tender();
    await postBid(running().app, id);
    await seal(id);
    await seal(id, id);
    await open(id);
    await seal(id);
    const sets = await sealedSets(id);
    expect(sets).toHaveLength(3);
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1);
    expect(await phase(id)).toBe('opened');
  });

  it('closes the tender to every write, regardless of clock and status', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    await seal(id);
    const period = 'only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).';
    const answers = [
      await send(running().app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody()),
      await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 1 } }),
      await send(running().app, 'PATCH', bid.path, bid.owner, {}),
      await send(running().app, 'DELETE', bid.path, bid.owner),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json().errors[0].description])).toEqual(
      ['added', 'updated', 'updated', 'deleted'].map((done) => [403, `Bid can be ${done} ${period}`]),
    );
    expect((await send(running().app, 'GET', bid.path, bid.owner)).json().data).toEqual(bid.data);
  });

  it('is followed by refusals by the status as soon as the tenders service reports a later one', async () => {
    const tender = await running().tender();
    await seal(tender.id);
    running().ownerTenders.set(tender.id, { ...tender, status: 'active.auction', version: 2 });
    const answer = await send(running().app, 'POST', `/tenders/${tender.id}/bids`, bidderHeaders, bidBody());
    expect(answer.json().errors[0].description).toBe("Can't add bid in current (active.auction) tender status");
  });
});

describe('phase changes of many tenders', () => {
  it('run in a bounded number of statements', async () => {
    const tenders = 300;
    const ids = Array.from({ length: tenders }, () => running().deps.ids.next());
    await running().database.pool.query(
      `INSERT INTO bid (id, tender_id, version, status, owner, owner_token_hash, transfer_hash, lots, document)
       SELECT md5(tender || n), tender, 1, CASE n WHEN 3 THEN 'draft' ELSE 'active' END, 'broker2', '', '', '{}',
         json_build_object('id', md5(tender || n), 'date', '', 'status', CASE n WHEN 3 THEN 'draft' ELSE 'active' END)
       FROM unnest($1::text[]) AS tender, generate_series(1, 3) AS n`,
      [ids],
    );
    const statements = async (work: () => [Parameters<RunningBids['apply']>[0], Envelope[]]): Promise<number> => {
      let count = 0;
      const [subscription, events] = work();
      await transact(running().database.pool, async (tx) => {
        const counting = new Proxy(tx, {
          get: (target, name) => {
            if (name === 'query') count += 1;
            // Everything but the count goes to the connection itself.
            const member = Reflect.get(target, name);
            return typeof member === 'function' ? member.bind(target) : member;
          },
        });
        await subscription.apply(counting, events);
      });
      return count;
    };
    expect(await statements(() => [onTenderingEnded(running().deps), ids.map(tenderingEnded)])).toBeLessThanOrEqual(7);
    expect(await statements(() => [onQualificationDue(running().deps), ids.map(qualificationDue)])).toBeLessThanOrEqual(
      9,
    );
    for (const id of ids.slice(0, 5)) {
      expect((await sealedSets(id))[0].bids).toHaveLength(2);
      expect((await openedSets(id))[0].bids).toHaveLength(2);
    }
  });

  it('run concurrently in any order without a deadlock', async () => {
    const ids = Array.from({ length: 60 }, () => running().deps.ids.next());
    const reversed = [...ids].reverse();
    const calls = [1, 2, 3].flatMap(() => [
      running().apply(onTenderingEnded(running().deps), ids.map(tenderingEnded)),
      running().apply(onQualificationDue(running().deps), reversed.map(qualificationDue)),
      running().apply(
        onTenderCancelled(running().deps),
        reversed.map((id) => cancelled(id)),
      ),
    ]);
    await Promise.all(calls);
    expect(await Promise.all(ids.map(phase))).toEqual(ids.map(() => 'erased'));
  });
});

describe('tender.qualification-due', () => {
  it('is answered with the bids as every caller may see them', async () => {
    const tender = await running().tender();
    const bids = [await postBid(running().app, tender.id), await postBid(running().app, tender.id)];
    await seal(tender.id);
    await open(tender.id);
    await open(tender.id);
    const set = { id: tender.id, bids: bids.map((bid) => bid.data), seal: toldSeal };
    expect(await openedSets(tender.id)).toEqual([set, set]);
    expect(await phase(tender.id)).toBe('opened');
    running().ownerTenders.set(tender.id, { ...tender, status: 'active.qualification', version: 2 });
    const list = await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect(list.json().data).toEqual(set.bids);
  });

  it('closes a bidding that was never closed, so that no bid is added to public ones', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    await postBid(running().app, id, bidBody({ status: 'draft' }));
    await open(id);
    expect(await openedSets(id)).toEqual([{ id, bids: [bid.data], seal: toldSeal }]);
    expect((await send(running().app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody())).statusCode).toBe(403);
  });
});

describe('tender.cancelled', () => {
  it('erases all bids for every caller; later commands have no effect', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    await cancel(tender.id);
    await seal(tender.id);
    await open(tender.id);
    expect([await phase(tender.id), await sealedSets(tender.id), await openedSets(tender.id)]).toEqual([
      'erased',
      [],
      [],
    ]);
    expect((await send(running().app, 'POST', `/tenders/${tender.id}/bids`, bidderHeaders, bidBody())).statusCode).toBe(
      403,
    );
    await running().deliver({ ...tender, status: 'cancelled', version: 2 });
    expect((await send(running().app, 'GET', bid.path, bid.owner)).statusCode).toBe(404);
    const list = await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect(list.body).toBe('{"data":[]}');
  });

  it('is answered by the erasure, also when it is repeated, and not when it does not erase', async () => {
    const [{ id }, { id: kept }] = [await running().tender(), await running().tender()];
    await postBid(running().app, id);
    await cancel(id);
    await cancel(id);
    await cancel(kept, false);
    expect((await publishedEvents(id, 'bid.set-erased')).map((event) => event.data)).toEqual([{ id }, { id }]);
    expect(await publishedEvents(kept, 'bid.set-erased')).toEqual([]);
  });

  it('hides bids between the cancellation and the erasure', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    await seal(tender.id);
    await running().deliver({ ...tender, status: 'cancelled', version: 2 });
    expect((await send(running().app, 'GET', bid.path, anonymousIdentity())).statusCode).toBe(404);
    const list = await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect(list.body).toBe('{"data":[]}');
  });

  it('leaves opened bids unchanged when it does not erase', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    await seal(tender.id);
    await open(tender.id);
    await cancel(tender.id, false);
    await running().deliver({ ...tender, status: 'cancelled', version: 2 });
    const list = await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect(list.json().data).toEqual([bid.data]);
  });
});

describe('open guards of older segments (rulings R3)', () => {
  it('accept bids after the closing too, until the tender is cancelled', async () => {
    const sandbox = await startBids({ guards: 'open' });
    try {
      const { id } = await sandbox.tender({ status: 'active.auction' });
      const headers = signedIdentity({ broker: 'broker2', segment: '2.3' });
      await sandbox.apply(onTenderingEnded(sandbox.deps), [tenderingEnded(id)]);
      const bids = `/tenders/${id}/bids`;
      const early = await send(sandbox.app, 'POST', bids, headers, bidBody());
      expect(early.statusCode).toBe(201);
      expect((await send(sandbox.app, 'GET', bids, headers)).json().data).toEqual([early.json().data]);
      expect((await send(sandbox.app, 'POST', bids, bidderHeaders, bidBody())).statusCode).toBe(403);
      await sandbox.apply(onTenderCancelled(sandbox.deps), [cancelled(id)]);
      expect((await send(sandbox.app, 'POST', bids, headers, bidBody())).statusCode).toBe(403);
    } finally {
      await sandbox.close();
    }
  });
});
