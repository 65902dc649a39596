import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop } from '@procurement/kit/runtime/loop';
import type pg from 'pg';
import { z } from 'zod';
import type { AuctionsStore } from '../store/auctions.store.ts';
import type { Hub } from './hub.ts';

export interface NewsDeps {
  readonly hub: Hub;
  readonly pool: pg.Pool;
  readonly auctions: AuctionsStore;
  readonly log: Logger;
}

/** Half of the 300 ms in which a change must reach every watcher. */
const EVERY_MS = 150;
const MOVED = `SELECT id FROM auction JOIN unnest($1::text[], $2::int[], $3::bigint[]) AS known (id, seq, ahead) USING (id)
  WHERE auction.seq <> known.seq OR auction.ahead_micros <> known.ahead`;
const Ids = z.array(z.object({ id: z.string() }));

/**
 * Takes over what other replicas decided about the auctions that are watched here: one statement for all of them. What this
 * replica decides is published at once, without it (decision 0092).
 */
export function followNews({ hub, pool, auctions, log }: NewsDeps): { stop(): Promise<void> } {
  async function round(): Promise<void> {
    const known = hub.watched();
    if (known.length === 0) return;
    const values = [
      known.map(({ auctionId }) => auctionId),
      known.map(({ seq }) => seq),
      known.map(({ aheadMicros }) => aheadMicros),
    ];
    const { rows } = await pool.query({ name: 'moved-auctions', text: MOVED, values });
    for (const { id } of Ids.parse(rows)) {
      const seen = await auctions.read(id);
      if (seen !== undefined) hub.publish(seen);
    }
  }

  return startLoop(round, { pauseMs: EVERY_MS, log, failure: 'news not read' });
}
