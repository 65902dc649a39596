import { formatLocalDate } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Auction } from '../domain/auction.ts';
import { HTML } from '../http/page.ts';
import { evidenceStore, type LoggedEvent } from '../store/evidence.store.ts';
import { shardOf } from '../store/auction.row.ts';
import { auctionForOperator, forOperators } from './access.ts';
import { escaped, operatorPage, OPERATOR_HEADERS, table } from './html.ts';

/** `GET /auctions/{id}`: one auction with its log, and what an operator may do (auction-room.md 13.2, 13.3). */
export function showOne(deps: Deps): Handler {
  const evidence = evidenceStore(deps.room.pool);
  return forOperators(deps, async (request, reply) => {
    const read = await readOne(deps, request);
    if (read === undefined) return reply.code(404).send();
    const { auction, log } = read;
    const { id, facts } = auction.plan;
    const isFaithful = await deps.room.auctions.isFaithful(id);
    const failed = await evidence.failedTasks(id);
    const facets = [
      ['Tender', facts.tenderID],
      ['Phase', auction.phase],
      ['Stage', String(auction.currentStage)],
      ['Shard', String(shardOf(id))],
      ['State is the fold of the log', isFaithful ? 'yes' : 'NO: restore it'],
      ['Links published', auction.linksPublished ? 'yes' : 'no'],
      ['Failed requests', failed.join(', ') || 'none'],
    ];
    const rows = log.map(({ seq, recordedAt, actor, epoch, event }) => {
      const { type, at, ...rest } = event;
      return [String(seq), formatLocalDate(at), recordedAt, type, actor, String(epoch ?? ''), JSON.stringify(rest)];
    });
    const body = [
      table('Now', ['', ''], facets),
      forms(auction),
      `<p><a href="/auctions/${id}/log.jsonl">log.jsonl</a> <a href="/">All auctions</a></p>`,
      table('Log', ['No', 'At', 'Recorded at', 'Event', 'By', 'Epoch', 'Data'], rows),
    ].join('');
    return reply
      .headers(OPERATOR_HEADERS)
      .type(HTML)
      .send(operatorPage(`Auction ${id}`, body));
  });
}

/** `GET /auctions/{id}/log.jsonl`: the log, one event a line. */
export function exportLog(deps: Deps): Handler {
  return forOperators(deps, async (request, reply) => {
    const read = await readOne(deps, request);
    if (read === undefined) return reply.code(404).send();
    const lines = read.log.map((row) => `${JSON.stringify(row)}\n`);
    return reply.headers(OPERATOR_HEADERS).type('application/jsonl; charset=utf-8').send(lines.join(''));
  });
}

async function readOne(
  deps: Deps,
  request: FastifyRequest,
): Promise<{ readonly auction: Auction; readonly log: readonly LoggedEvent[] } | undefined> {
  const seen = await auctionForOperator(deps, request);
  if (seen === undefined) return undefined;
  const { id } = seen.auction.plan;
  // The state first: a turn that it shows as open hides the offers that the log has by now.
  const fresh = (await deps.room.auctions.read(id)) ?? seen;
  const log = await evidenceStore(deps.room.pool).log(id);
  return { auction: fresh.auction, log: withoutOpenAmounts(fresh.auction, log) };
}

/** Nobody sees a price before its turn is over, operators neither. */
function withoutOpenAmounts(auction: Auction, log: readonly LoggedEvent[]): readonly LoggedEvent[] {
  const closed = new Set(auction.turns.map(({ stage }) => stage));
  return log.map((row) => {
    const { event } = row;
    if (event.type !== 'OfferPlaced' || closed.has(event.stage)) return row;
    const { amount: _amount, ...shown } = event;
    return { ...row, event: shown as typeof event };
  });
}

const ACTIONS = [
  ['void', 'Void and have it planned again'],
  ['try-again', 'Send failed requests now'],
  ['renew-link', 'Renew the link of a bidder'],
] as const;

/** Each asks for a reason and the number of the tender, so that nobody acts on the wrong auction. */
function forms({ plan: { id }, bids }: Auction): string {
  const options = bids.map((bid) => `<option>${escaped(bid.id)}</option>`).join('');
  const field = (name: string, label: string): string =>
    `<label>${label} <input name="${name}" required autocomplete="off"></label> `;
  const all = ACTIONS.map(([action, title]) => {
    const bid = action === 'renew-link' ? `<label>Bid <select name="bid">${options}</select></label> ` : '';
    return `<form method="post" action="/auctions/${id}/${action}"><fieldset><legend>${title}</legend>${bid}${field('number', 'Number of the tender')}${field('reason', 'Reason')}<button>Do it</button></fieldset></form>`;
  });
  return all.join('');
}
