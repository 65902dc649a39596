import { decided } from '@procurement/testing/decided';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { respondFreeze } from './respond-freeze.ts';

const running = setupBids();
const freeze = async (id: string) => freezeTender(respondFreeze(running().deps), id);
const post = async (id: string) => send(running().app, 'POST', `/tenders/${id}/bids`, bidderHeaders, bidBody());

describe('ask.bids.freeze (architecture.md, handshake 3)', () => {
  it('503 with Retry-After: no bid is added, changed or withdrawn while the tender is frozen; others go on', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    const draft = await postBid(running().app, id, bidBody({ status: 'draft' }));
    const other = await running().tender();
    const frozen = await freeze(id);
    const { app } = running();
    const answers = await Promise.all([
      post(id),
      send(app, 'PATCH', draft.path, draft.owner, { status: 'active' }),
      send(app, 'DELETE', bid.path, bid.owner),
      post(other.id),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 201]);
    expect(answers[0]?.headers['retry-after']).toBe('1');
    await frozen.lift(1);
    expect((await post(id)).statusCode).toBe(201);
  });

  it('201: a bid waits for the end of a cancellation that failed', async () => {
    const { id } = await running().tender();
    const frozen = await freeze(id);
    const posted = decided(async () => post(id));
    await frozen.lift(1);
    expect((await posted).statusCode).toBe(201);
  });

  it('403: a bid that waited is judged by the cancelled tender, although the copy is stale', async () => {
    const tender = await running().tender();
    const frozen = await freeze(tender.id);
    const posted = [1, 2].map(async () => decided(async () => post(tender.id)));
    running().ownerTenders.set(tender.id, { ...tender, version: 2, status: 'cancelled' });
    await frozen.lift(2);
    for (const answer of await Promise.all(posted)) expect(answer.statusCode).toBe(403);
    expect((await post(tender.id)).statusCode).toBe(403);
  });
});
