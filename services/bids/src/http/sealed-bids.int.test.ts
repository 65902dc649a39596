import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import {
  tenderFactsWithLots,
  LOTS,
  organizationBody,
  bidBody,
  bidBodyWithLots,
} from '../../test-support/bidding-facts.ts';
import { recordingLog } from '../../test-support/recording-log.ts';
import { startBids, tenderEvent, type RunningBids } from '../../test-support/running-bids.ts';
import { onTenderingEnded } from '../events/on-tendering-ended.ts';

const { log, lines } = recordingLog();
let running: RunningBids;

beforeAll(async () => {
  running = await startBids({ log });
});

afterAll(async () => {
  await running.close();
});

/** Amounts that occur in bids only: seven digits after the point, while an instant has six. */
const AMOUNTS = ['317.2531864', '4.7531864', '318.5531864'] as const;
const NAME = 'Таємний учасник';

describe('a sealed bid', () => {
  it('leaves no trace of amount, name or token in events, logs and responses to other callers', async () => {
    const others: string[] = [];
    const plain = await running.tender();
    const lotted = await running.tender(tenderFactsWithLots({ id: running.deps.ids.next() }));
    const tenderers = [organizationBody({ name: NAME })];
    const lot = { relatedLot: LOTS[0], value: { amount: 4.7531864 } };
    const bids = [
      await postBid(running.app, plain.id, { tenderers, value: { amount: 317.2531864 } }),
      await postBid(running.app, lotted.id, { ...bidBodyWithLots(lot), tenderers }),
    ];
    for (const bid of bids) {
      const strangers = [anonymousIdentity(), bidderHeaders, ownerHeaders(bid.token, 'broker3')];
      for (const headers of strangers) {
        for (const [method, data] of [
          ['GET', undefined],
          ['PATCH', {}],
          ['PATCH', { price: 1 }],
          ['DELETE', undefined],
          ['PUT', {}],
        ] as const) {
          others.push((await send(running.app, method, bid.path, headers, data)).body);
        }
        others.push((await send(running.app, 'GET', bid.path.slice(0, -33), headers)).body);
      }
    }
    const root = signedIdentity({ broker: 'root', group: 'Administrator' });
    const [bid] = bids;
    if (bid === undefined) throw new Error('no bid');
    const corrected = await send(running.app, 'PATCH', bid.path, root, {});
    expect(corrected.statusCode).toBe(403);
    others.push(corrected.body);
    expect((await send(running.app, 'GET', bid.path, bid.owner)).body).toContain(AMOUNTS[0]);
    // Refused by the tender's terms, by the body, and by a database that fails during the write.
    await send(running.app, 'PATCH', bid.path, bid.owner, { value: { amount: 318.5531864 } });
    await send(running.app, 'PATCH', bid.path, bid.owner, { value: { amount: 318.5531864 }, status: 'draft' });
    await running.database.pool.query('ALTER TABLE bid ADD CONSTRAINT broken CHECK (version < 3) NOT VALID');
    const failed = await send(running.app, 'PATCH', bid.path, bid.owner, { value: { amount: 317.2531864 } });
    expect(failed.statusCode).toBe(500);
    others.push(failed.body);
    await running.database.pool.query('ALTER TABLE bid DROP CONSTRAINT broken');
    await running.apply(onTenderingEnded(running.deps), [
      tenderEvent('tender.tendering-ended', plain.id, { endDate: '2026-05-12T10:15:00+03:00' }),
      tenderEvent('tender.tendering-ended', lotted.id, { endDate: '2026-05-12T10:15:00+03:00' }),
    ]);
    const closed = await send(
      running.app,
      'POST',
      `/tenders/${plain.id}/bids`,
      bidderHeaders,
      bidBody({ value: { amount: 317.2531864 } }),
    );
    expect(closed.statusCode).toBe(403);
    others.push(closed.body);

    const { rows } = await running.database.pool.query('SELECT outbox::text AS row FROM kit.outbox');
    const everything = { events: rows.map((row) => row.row), logs: lines, answers: others };
    for (const [where, texts] of Object.entries(everything)) {
      expect([where, texts.length >= 5]).toEqual([where, true]);
      for (const secret of [...AMOUNTS, NAME, ...bids.map(({ token }) => token)]) {
        expect([where, secret, texts.filter((text) => text.includes(secret))]).toEqual([where, secret, []]);
      }
    }
  });
});
