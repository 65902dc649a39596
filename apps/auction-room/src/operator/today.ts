import { createHash } from 'node:crypto';
import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { equalTexts } from '../session/links.ts';

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
const AuctionRows = z.array(
  z.object({
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
  }),
);
const LeftRows = z.array(z.object({ tenderId: z.string(), note: z.string() }));

/** The page of operators: what is held, what is late, what fails. It shows no amount, so none of an open turn either. */
export function showToday(deps: Deps): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    if (deps.settings.OPERATOR_KEYS.length === 0) return reply.code(404).send();
    if (!isOperator(deps.settings.OPERATOR_KEYS, request.headers.authorization)) {
      return reply.code(401).header('www-authenticate', 'Basic realm="auction room"').send();
    }
    const { room, hub, handOff } = deps;
    const [auctions, left] = await Promise.all([room.pool.query(AUCTIONS), room.pool.query(LEFT)]);
    const facts = [
      ['Ready', String(room.isReady())],
      ['Shards led here', String(room.leadership.shards().length)],
      ['Watchers, bidders here', `${hub.count()}, ${hub.count('bidders')}`],
      ['Feed lag, s', String(handOff.lagSeconds() ?? 'followed elsewhere')],
      ['Set aside', room.setAside().join(' ') || 'none'],
    ];
    const rows = AuctionRows.parse(auctions.rows).map((row) => [
      formatLocalDate(row.startAt),
      row.tenderID,
      row.id,
      row.test ? 'test' : '',
      String(row.bidders),
      row.phase,
      row.stage,
      row.links ? 'yes' : 'no',
      row.tasks,
    ]);
    const tables = [
      table('This replica', ['', ''], facts),
      table(
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
    return reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" })
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><title>Auction room</title><meta http-equiv="refresh" content="5">${tables.join('')}</html>`,
      );
  };
}

/** Basic with the key as password or user name. */
function isOperator(keys: readonly string[], header = ''): boolean {
  const text = Buffer.from(/^Basic (.+)$/i.exec(header)?.[1] ?? '', 'base64').toString();
  const [user = '', password = ''] = text.split(':', 2);
  const digest = createHash('sha256')
    .update(password === '' ? user : password)
    .digest('hex');
  return keys.some((key) => equalTexts(key.split(':')[1] ?? '', digest));
}

function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table border="1"><caption>${escaped(caption)}</caption>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
