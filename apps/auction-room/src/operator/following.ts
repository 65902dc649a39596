import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { STOPPED } from '../follow/take-in.ts';
import { formBody } from '../http/request.ts';
import { HTML } from '../http/page.ts';
import { followStore, type Stop } from '../store/follow.store.ts';
import { forOperators } from './access.ts';
import { reasonOf, refuse } from './forms.ts';
import { operatorPage, OPERATOR_HEADERS, table } from './html.ts';

/** `GET /following`: whether new auctions are taken in, and the form that changes it. */
export function showFollowing(deps: Deps): Handler {
  const follow = followStore(deps.room.pool, '');
  return forOperators(deps, async (_request, reply) => {
    const stop = await follow.stopped();
    const [action, title] =
      stop === undefined ? ['stop', 'Take in no new auctions'] : ['resume', 'Take in new auctions again'];
    const form = `<form method="post" action="/following/${action}"><fieldset><legend>${title}</legend><label>Reason <input name="reason" required autocomplete="off"></label> <button>Do it</button></fieldset></form>`;
    const body = `${table('Now', ['', ''], [['New auctions', followingText(stop)]])}${form}<p><a href="/">All auctions</a></p>`;
    return reply.headers(OPERATOR_HEADERS).type(HTML).send(operatorPage('New auctions', body));
  });
}

/** `POST /following/stop` (auction-room.md 13.3). Auctions that are held here go on, and are planned anew and cancelled as before. */
export function stopFollowing(deps: Deps): Handler {
  const follow = followStore(deps.room.pool, '');
  return forOperators(deps, async (request, reply, operator) => {
    const reason = reasonOf(formBody(request));
    if (reason === undefined) return refuse(reply, 422, 'Give a reason');
    if (!(await follow.stop(operator, reason))) return refuse(reply, 409, 'New auctions are not taken in already');
    deps.log.warn({ operator, reason }, 'new auctions are not taken in: stopped by an operator');
    return reply.redirect('/following', 303);
  });
}

/** `POST /following/resume`: also for the tenders that were left meanwhile. */
export function resumeFollowing(deps: Deps): Handler {
  const follow = followStore(deps.room.pool, '');
  return forOperators(deps, async (request, reply, operator) => {
    const reason = reasonOf(formBody(request));
    if (reason === undefined) return refuse(reply, 422, 'Give a reason');
    if (!(await follow.resume(STOPPED))) return refuse(reply, 409, 'New auctions are taken in');
    deps.log.warn({ operator, reason }, 'new auctions are taken in again: resumed by an operator');
    return reply.redirect('/following', 303);
  });
}

export function followingText(stop: Stop | undefined): string {
  return stop === undefined ? 'taken in' : `not taken in since ${stop.since}, by ${stop.by}: ${stop.reason}`;
}
