import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { HTML } from '../http/page.ts';
import { followStore } from '../store/follow.store.ts';
import { forOperators } from './access.ts';
import { followingText } from './following.ts';
import { escaped, operatorPage, OPERATOR_HEADERS, table, tableOf } from './html.ts';

const ROWS_MAX = 500;
const AUCTIONS = `SELECT id, phase, seq, start_at::text AS "startAt", due_at::text AS "dueAt", shard, test,
    state::json #>> '{plan,facts,tenderID}' AS "tenderID", state::json ->> 'currentStage' AS stage,
    json_array_length(state::json -> 'bids') AS bidders, (state::json ->> 'linksPublished')::boolean AS links,
    (SELECT coalesce(string_agg(kind || ' (' || attempts || ') ' || coalesce(last_error, ''), '; '), '') FROM task WHERE auction_id = id) AS tasks
  FROM auction WHERE phase NOT IN ('announced', 'cancelled') OR updated_at > now() - interval '1 day'
  ORDER BY start_at LIMIT ${ROWS_MAX}`;
const LEFT = `SELECT tender_id AS "tenderId", note FROM tender_reading WHERE note IS NOT NULL ORDER BY tender_id LIMIT ${ROWS_MAX}`;

const instant = z.coerce
  .number()
  .int()
  // Safe cast: microseconds are an instant.
  .transform((micros) => micros as Instant);
const AuctionRow = z.object({
  id: z.string(),
  phase: z.string(),
  seq: z.number(),
  startAt: instant,
  dueAt: z.string().nullable(),
  shard: z.number(),
  test: z.boolean(),
  tenderID: z.string(),
  stage: z.string(),
  bidders: z.number(),
  links: z.boolean(),
  tasks: z.string(),
});
const LeftRows = z.array(z.object({ tenderId: z.string(), note: z.string() }));

/** The page of operators: what is held, what is late, what fails. It shows no amount, so none of an open turn either. */
export function showToday(deps: Deps): Handler {
  return forOperators(deps, async (_request, reply) => {
    const { room, hub, handOff } = deps;
    const [auctions, left, stop] = await Promise.all([
      room.pool.query(AUCTIONS),
      room.pool.query(LEFT),
      followStore(room.pool, '').stopped(),
    ]);
    const [readable, unreadable] = parted(auctions.rows);
    const facts = [
      ['Ready', String(room.isReady())],
      ['Shards led here', String(room.leadership.shards().length)],
      ['Watchers, bidders here', `${hub.count()}, ${hub.count('bidders')}`],
      ['Feed lag, s', String(handOff.lagSeconds() ?? 'followed elsewhere')],
      ['New auctions', followingText(stop)],
      ['Set aside', room.setAside().join(' ') || 'none'],
      ['State cannot be read', unreadable.join(' ') || 'none'],
    ];
    const rows = readable.map((row) => [
      formatLocalDate(row.startAt),
      escaped(row.tenderID),
      `<a href="/auctions/${escaped(row.id)}">${escaped(row.id)}</a>`,
      row.test ? 'test' : '',
      String(row.bidders),
      row.phase,
      row.stage,
      row.links ? 'yes' : 'no',
      escaped(row.tasks),
    ]);
    const tables = [
      '<p><a href="/following">Stop or resume taking in new auctions</a></p>',
      table('This replica', ['', ''], facts),
      tableOf(
        'Auctions',
        ['Start', 'Number', 'Id', '', 'Bidders', 'Phase', 'Stage', 'Links', 'Open tasks (failed attempts)'],
        rows,
      ),
      table(
        'Not held here',
        ['Tender', 'Why'],
        LeftRows.parse(left.rows).map(({ tenderId, note }) => [tenderId, note]),
      ),
    ];
    const refresh = '<meta http-equiv="refresh" content="5">';
    return reply
      .headers(OPERATOR_HEADERS)
      .type(HTML)
      .send(operatorPage('Auction room', tables.join(''), refresh));
  });
}

/** Auctions, and the ids of those whose state cannot be read: one must not hide the others. */
function parted(rows: readonly unknown[]): readonly [readonly z.infer<typeof AuctionRow>[], readonly string[]] {
  const parsed = rows.map((row) => [AuctionRow.safeParse(row).data, row] as const);
  const unreadable = parsed
    .filter(([data]) => data === undefined)
    .map(([, row]) => z.object({ id: z.string() }).parse(row).id);
  return [parsed.flatMap(([data]) => data ?? []), unreadable];
}
