import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { askDue } from '@procurement/kit/messaging/request/ask-again';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BID_X, LOT_1, LOT_BIDS, REPORTED_AT, tenderInAuctionWithLots } from '../../test-support/hand-off-facts.ts';
import { startHandOff, type RunningHandOff, type TenderFixture } from '../../test-support/running-hand-off.ts';
import type { HandOffEvent } from '../domain/hand-off.ts';
import { askAgain } from './ask-again.ts';

const AUCTION_URL = 'https://auction.example.org/tenders/x';
const log = makeLog('auction', 'fatal');

let running: RunningHandOff;
/** Version of the links that the bids service says to have. */
let linksVersion: number | null;

beforeAll(async () => {
  running = await startHandOff();
  respondTo(running.bus, rpcSubjects.bidLinks, log, async () => ({ version: linksVersion }));
});

beforeEach(async () => {
  linksVersion = null;
  await running.database.pool.query('TRUNCATE kit.flow_wait');
});

afterAll(async () => {
  await running.close();
});

async function write({ facts: tender }: TenderFixture, event: HandOffEvent): Promise<void> {
  await running.deps.handOff.write({ tender, requestId: 'a request' }, () => ({ accepted: [event] }));
}

/** Loses every event so far, then lets the time to ask again come. Returns what is published then. */
async function askAgainAfterLoss({ facts }: TenderFixture): Promise<readonly unknown[]> {
  await running.database.pool.query('TRUNCATE kit.outbox');
  await running.database.pool.query('UPDATE kit.flow_wait SET ask_at = now()');
  await askDue({ pool: running.database.pool, log, flows: askAgain(running.deps) });
  return running.publishedEvents(facts.id);
}

const waits = async (): Promise<number> =>
  (await running.database.pool.query('SELECT FROM kit.flow_wait')).rowCount ?? 0;

const reported = ({ facts }: TenderFixture, lot?: string): HandOffEvent => {
  const results = [{ id: BID_X, amount: 400, date: REPORTED_AT }];
  return {
    type: 'ResultsReported',
    results: { id: facts.id, ...(lot === undefined ? {} : { lot }), results },
    at: REPORTED_AT,
  };
};

const addresses = (bids = [{ id: BID_X, participationUrl: `${AUCTION_URL}/1` }]): HandOffEvent => ({
  type: 'AddressesPublished',
  auctionUrl: AUCTION_URL,
  bids,
});

describe('results', () => {
  it('are published again, with their time and a newer version, until the tender shows the end of its auction', async () => {
    const fixture = running.tender();
    await write(fixture, reported(fixture));
    for (const version of [2, 3]) {
      const { id } = fixture.facts;
      expect(await askAgainAfterLoss(fixture)).toEqual([{ type: 'auction.finished', id, at: REPORTED_AT, version }]);
    }
    fixture.facts = { ...fixture.facts, status: 'active.qualification' };
    expect(await askAgainAfterLoss(fixture)).toEqual([]);
    expect(await waits()).toBe(0);
  });

  it('of a lot name their lot', async () => {
    const fixture = running.tender(tenderInAuctionWithLots(), LOT_BIDS);
    await write(fixture, reported(fixture, LOT_1));
    expect(await askAgainAfterLoss(fixture)).toMatchObject([{ type: 'auction.finished', lot: LOT_1 }]);
  });

  it('wait while the tenders service is away', async () => {
    const fixture = running.tender();
    await write(fixture, reported(fixture));
    fixture.unavailable = 'tenders';
    expect(await askAgainAfterLoss(fixture)).toEqual([]);
    expect(await waits()).toBe(1);
  });
});

describe('addresses', () => {
  it('are published again without links until the tender shows them and the bids have the links', async () => {
    const fixture = running.tender();
    await write(fixture, addresses());
    const again = { type: 'auction.urls-published', id: fixture.facts.id, auctionUrl: AUCTION_URL };
    expect(await askAgainAfterLoss(fixture), 'the tender has no address').toMatchObject([again]);
    Object.assign(fixture.facts, { auctionUrl: AUCTION_URL });
    const [published] = await askAgainAfterLoss(fixture);
    expect(published, 'the bids have no links').toMatchObject(again);
    expect(JSON.stringify(published)).not.toContain(`${AUCTION_URL}/1`);
    linksVersion = 1;
    expect(await askAgainAfterLoss(fixture)).toEqual([]);
    expect(await waits()).toBe(0);
  });

  it('are not published again after the auction', async () => {
    const fixture = running.tender();
    await write(fixture, addresses());
    fixture.facts = { ...fixture.facts, status: 'active.qualification' };
    expect(await askAgainAfterLoss(fixture)).toEqual([]);
    expect(await waits()).toBe(0);
  });
});
