import { decided } from '@procurement/testing/decided';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { describe, expect, it } from 'vitest';
import { auctionPath, RESULTS } from '../../test-support/hand-off-requests.ts';
import { send } from '../../test-support/running-hand-off.ts';
import { setupHandOff } from '../../test-support/setup-hand-off.ts';
import { respondFreeze } from './respond-freeze.ts';

const running = setupHandOff();
const freeze = async (id: string) => freezeTender(respondFreeze(running().deps), id);

describe('ask.auction.freeze (architecture.md, handshake 3)', () => {
  it('503 with Retry-After: no results are recorded while the tender is frozen', async () => {
    const fixture = running().tender();
    const { id } = fixture.facts;
    const frozen = await freeze(id);
    const refused = await send(running(), 'POST', auctionPath(fixture), RESULTS);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(await running().publishedEvents(id)).toEqual([]);
    await frozen.lift(fixture.facts.version);
    expect((await send(running(), 'POST', auctionPath(fixture), RESULTS)).statusCode).toBe(200);
  });

  it('403: results that waited are judged by the cancelled tender', async () => {
    const fixture = running().tender();
    const frozen = await freeze(fixture.facts.id);
    const posted = decided(async () => send(running(), 'POST', auctionPath(fixture), RESULTS));
    // The request has read the tender before it meets the freeze.
    await expect.poll(async () => (await running().deps.tenders.find(fixture.facts.id)) !== undefined).toBe(true);
    fixture.facts = { ...fixture.facts, version: fixture.facts.version + 1, status: 'cancelled' };
    await frozen.lift(fixture.facts.version);
    expect((await posted).statusCode).toBe(403);
    expect(await running().publishedEvents(fixture.facts.id)).toEqual([]);
  });
});
