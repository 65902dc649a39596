import { formatLocalDate } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Auction } from '../domain/auction.ts';
import { evidenceStore, type LoggedEvent } from '../store/evidence.store.ts';
import { shardOf } from '../store/auction.row.ts';
import { auctionForOperator, forOperators } from './access.ts';
import { html, type Html } from '@procurement/page-style/html';
import { actionForm, dateAndTime, facts, OPERATOR_HEADERS, sendOperatorPage, table, tag } from './html.ts';

/** `GET /auctions/{id}`: one auction with its log, and what an operator may do (auction-room.md 13.2, 13.3). */
export function showOne(deps: Deps): Handler {
  const evidence = evidenceStore(deps.room.pool);
  return forOperators(deps, async (request, reply) => {
    const read = await readOne(deps, request);
    if (read === undefined) return reply.code(404).send();
    const { auction, log } = read;
    const { id, tender } = auction.plan;
    const isFaithful = await deps.room.auctions.isFaithful(id);
    const failed = await evidence.failedTasks(id);
    const now = facts([
      ['Phase', tag(auction.phase === 'running' ? 'good' : 'neutral', auction.phase)],
      ['Stage', String(auction.currentStage)],
      ['Shard', String(shardOf(id))],
      ['State is the fold of the log', isFaithful ? tag('good', 'yes') : tag('bad', 'no: restore it')],
      ['Links published', auction.linksPublished ? tag('good', 'yes') : tag('warn', 'no')],
      ['Failed requests', failed.length === 0 ? 'none' : tag('warn', failed.join(', '))],
    ]);
    const rows = log.map(({ seq, recordedAt, actor, epoch, event }) => {
      const { type, at, ...data } = event;
      const more = JSON.stringify({ recordedAt, epoch, ...data });
      const details = html`<details><summary>Data<span class="away"> of event ${seq}</span></summary><code class="log-data">${more}</code></details>`;
      return [String(seq), dateAndTime(formatLocalDate(at)), type, actor, details];
    });
    return sendOperatorPage(reply, {
      title: `Auction of ${tender.tenderID}`,
      heading: 'Auction',
      lead: html`<span class="number">${tender.tenderID}</span> <span class="quiet">${id}</span> <a href="/auctions/${id}/log.jsonl">log.jsonl</a>`,
      body: html`${now}<section><h2>Actions</h2><div class="cards">${forms(auction)}</div></section>
<section><h2>Log</h2>${table({ id: 'log', caption: 'Events of the auction, oldest first', head: ['No', 'At', 'Event', 'By', 'Data'], rows })}</section>`,
    });
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
  {
    action: 'void',
    title: 'Void and have it planned again',
    effect: 'The auction ends without results. The tender service plans it anew.',
    button: 'Void the auction',
    tone: 'danger',
  },
  {
    action: 'renew-link',
    title: 'Renew the link of a bidder',
    effect: 'The old link and its sessions end at once; the new link is published.',
    button: 'Renew the link',
    tone: 'danger',
  },
  {
    action: 'try-again',
    title: 'Send failed requests now',
    effect: 'Requests that the tender service refused or did not answer are repeated without their pause.',
    button: 'Send now',
    tone: '',
  },
] as const;
/** Each asks for a reason and the number of the tender, so that nobody acts on the wrong auction. */
const FIELDS = { number: 'Number of the tender', reason: 'Reason' };

function forms({ plan: { id }, bids }: Auction): readonly Html[] {
  const options = bids.map((bid) => html`<option>${bid.id}</option>`);
  const bidField = html`<div class="field"><label for="bid">Bid</label><select id="bid" name="bid">${options}</select></div>`;
  return ACTIONS.map(({ action, ...form }) =>
    actionForm({
      ...form,
      action: `/auctions/${id}/${action}`,
      fields: FIELDS,
      ...(action === 'renew-link' ? { more: bidField } : {}),
    }),
  );
}
