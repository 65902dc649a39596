import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { followStore } from '../store/follow.store.ts';
import { forOperators } from './access.ts';
import { followingText } from './following.ts';
import { html } from '@procurement/page-style/html';
import { dateAndTime, facts, sendOperatorPage, table, tag } from './html.ts';

const ROWS_MAX = 500;
const REFRESH_SECONDS = 5;
const AUCTIONS = `SELECT id, phase, seq, start_at::text AS "startAt", due_at::text AS "dueAt", shard, test,
    state::json #>> '{plan,tender,tenderID}' AS "tenderID", state::json ->> 'currentStage' AS stage,
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
    const setAside = room.setAside();
    const here = facts([
      ['Ready', room.isReady() ? tag('good', 'yes') : tag('bad', 'no')],
      ['Shards led here', String(room.leadership.shards().length)],
      ['Watchers, bidders here', `${hub.count()}, ${hub.count('bidders')}`],
      ['Feed lag, s', handOff.lagSeconds()?.toFixed(1) ?? 'followed elsewhere'],
      [
        'New auctions',
        stop === undefined ? followingText(stop) : html`<a href="/following">${followingText(stop)}</a>`,
      ],
      ['Set aside', setAside.length === 0 ? 'none' : tag('bad', setAside.join(' '))],
      ['State cannot be read', unreadable.length === 0 ? 'none' : tag('bad', unreadable.join(' '))],
    ]);
    const rows = readable.map((row) => [
      dateAndTime(formatLocalDate(row.startAt)),
      html`<a href="/auctions/${row.id}">${row.tenderID}</a>${row.test && html` ${tag('neutral', 'test')}`}<small class="below quiet">${row.id}</small>${row.tasks !== '' && html`<small class="below">Open tasks (failed attempts): ${row.tasks}</small>`}`,
      String(row.bidders),
      html`${tag(row.phase === 'running' ? 'good' : 'neutral', row.phase)} ${row.stage}`,
      row.links ? tag('good', 'yes') : tag('warn', 'no'),
    ]);
    const notHeld = LeftRows.parse(left.rows).map(({ tenderId, note }) => [tenderId, note]);
    const held = 'Auctions that are held, and those of the last day that are over';
    const columns = ['Start', 'Tender, auction', 'Bidders', 'Phase, stage', 'Links'];
    return sendOperatorPage(reply, {
      title: 'Today',
      path: '/',
      body: html`<button type="button" class="copy" data-pauses="today" data-other="Go on">Pause</button><div id="today" data-refresh="${REFRESH_SECONDS}">
<section><h2>This replica</h2>${here}</section>
<section><h2>Auctions</h2>${rows.length === 0 ? html`<p>None.</p>` : table({ id: 'auctions', caption: held, head: columns, rows })}</section>
<section><h2>Not held here</h2>${notHeld.length === 0 ? html`<p>Nothing was left out.</p>` : table({ id: 'left', caption: 'Tenders that were read and left', head: ['Tender', 'Why'], rows: notHeld })}</section></div>`,
    });
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
