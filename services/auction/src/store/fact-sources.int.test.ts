import { eventTypes } from '@procurement/contracts/events/event-types';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factSources } from './fact-sources.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('auction');
  await database.pool.query(`
    INSERT INTO auction_version VALUES ('a', '', 3), ('b', 'l1', 2);
    INSERT INTO auction_slot (tender_id, lot_id, mode, planned_start) VALUES
      ('a', '', 'real', '2017-02-16 09:00:00+00'), ('b', 'l1', 'real', '2017-02-16 09:30:00+00');
    INSERT INTO auction_address (tender_id, lot_id, bid_id, url) VALUES ('a', '', '', 'https://a.org'),
      ('a', '', 'x', 'https://a.org/secret'), ('b', 'l1', 'x', 'https://a.org/secret');
    INSERT INTO auction_result (tender_id, lot_id, results, reported_at) VALUES
      ('a', '', '[]', '2017-02-16T11:35:35.000815+02:00')`);
});

afterAll(async () => {
  await database.drop();
});

/** All facts of a type, read with one key a page. */
async function allFacts(type: keyof typeof eventTypes): Promise<readonly unknown[]> {
  const source = factSources(database.pool)[type];
  if (source === undefined) throw new Error(`no source of ${type}`);
  const facts: unknown[] = [];
  for (let after = ''; ;) {
    const [next] = await source.keys(after, 1);
    if (next === undefined) return facts;
    for (const { subject, version, data } of await source.facts([next.key])) {
      facts.push([subject, version, eventTypes[type].data.parse(data)]);
    }
    after = next.key;
  }
}

describe('factSources', () => {
  it('send every planned start, with the number of the last fact', async () => {
    expect(await allFacts('auction.planned')).toEqual([
      ['a', 3, { id: 'a', startDate: '2017-02-16T11:00:00+02:00', version: 3 }],
      ['b', 2, { id: 'b', lot: 'l1', startDate: '2017-02-16T11:30:00+02:00', version: 2 }],
    ]);
  });

  it('send public addresses without the links of bidders', async () => {
    expect(await allFacts('auction.urls-published')).toEqual([
      ['a', 3, { id: 'a', auctionUrl: 'https://a.org', version: 3 }],
      ['b', 2, { id: 'b', lot: 'l1', version: 2 }],
    ]);
  });

  it('send the end of every auction', async () => {
    const at = '2017-02-16T11:35:35.000815+02:00';
    expect(await allFacts('auction.finished')).toEqual([['a', 3, { id: 'a', at, version: 3 }]]);
  });
});
