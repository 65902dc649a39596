import { batchReads } from '@procurement/kit/database/batch-reads';
import { anyValue } from '@procurement/kit/database/one-plan';
import { encodeUtf8 } from '@procurement/kit/runtime/utf8';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** The public view of a tender: its public revision, and its text in UTF-8. */
export interface TenderView {
  readonly rev: number;
  readonly bytes: Buffer;
}

interface KeptText {
  /** Position of the publication that made the text: no other one has it, also after a restore, where a revision may come again. */
  readonly stamp: string;
  readonly bytes: Buffer;
}

/** Some 5,000 tenders of a usual size. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;
/** A longer text would take the place of too many others. */
const ONE_TEXT_BYTES_MAX = 2 * 1024 * 1024;

// The text is read only where it is not known. Each row is found in an index, also by a plan from when the tables were empty (decision
// 0005): the row of the feed is short, that of the view has the text. A draft that was never listed has no row in the feed (decision 0022).
const SELECT = `SELECT asked.id, coalesce(feed.rev, view.rev) AS rev, feed.stamp, view.body
  FROM unnest(${anyValue('$1', 'text[]')}, ${anyValue('$2', 'bigint[]')}) AS asked (id, known)
  LEFT JOIN LATERAL (SELECT rev, stamp FROM tender_feed WHERE tender_id = asked.id LIMIT 1) AS feed ON true
  LEFT JOIN LATERAL (SELECT rev, body FROM tender_view
    WHERE tender_id = asked.id AND feed.stamp IS DISTINCT FROM asked.known LIMIT 1) AS view ON true
  WHERE coalesce(feed.rev, view.rev) IS NOT NULL`;

/**
 * Reads views by the ids of tenders. PostgreSQL is asked for the revision each time, so that no view is older than the question, and for a
 * text when that has changed or is not kept (decision 0011).
 */
export function viewsStore(
  pool: pg.Pool,
  textBytesMax = TEXT_BYTES_MAX,
): (id: string) => Promise<TenderView | undefined> {
  const texts = new LRUCache<string, KeptText>({
    maxSize: textBytesMax,
    maxEntrySize: ONE_TEXT_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  return batchReads<TenderView>(async (ids) => {
    // Held here: the cache may drop a text before the answer comes.
    const known = new Map(ids.map((id) => [id, texts.get(id)]));
    const { rows } = await pool.query<{ id: string; rev: string; stamp: string | null; body: string | null }>({
      name: 'tender-views',
      text: SELECT,
      values: [ids, ids.map((id) => known.get(id)?.stamp ?? '-1')],
    });
    const views = new Map<string, TenderView>();
    for (const { id, rev, stamp, body } of rows) {
      const bytes = body === null ? known.get(id)?.bytes : encodeUtf8(body);
      if (bytes === undefined) continue;
      if (body !== null && stamp !== null) texts.set(id, { stamp, bytes });
      views.set(id, { rev: Number(rev), bytes });
    }
    return views;
  });
}
