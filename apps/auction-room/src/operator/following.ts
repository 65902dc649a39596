import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { STOPPED } from '../follow/take-in.ts';
import { formBody } from '../http/request.ts';
import { HTML } from '../http/page.ts';
import { followStore, type FollowStore, type Stop } from '../store/follow.store.ts';
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

interface FollowingAction {
  /** False when it is so already. */
  readonly run: (follow: FollowStore, operator: string, reason: string) => Promise<boolean>;
  readonly refusal: string;
  readonly logged: string;
}

/** By the last part of the path. */
const ACTIONS: Readonly<Record<string, FollowingAction>> = {
  stop: {
    run: async (follow, operator, reason) => follow.stop(operator, reason),
    refusal: 'New auctions are not taken in already',
    logged: 'new auctions are not taken in: stopped by an operator',
  },
  resume: {
    run: async (follow) => follow.resume(STOPPED),
    refusal: 'New auctions are taken in',
    logged: 'new auctions are taken in again: resumed by an operator',
  },
};

/**
 * `POST /following/{action}` (auction-room.md 13.3). Auctions that are held here go on, and are planned anew and cancelled as
 * before. Resuming takes in also what was left meanwhile.
 */
export function changeFollowing(deps: Deps): Handler {
  const follow = followStore(deps.room.pool, '');
  return forOperators(deps, async (request, reply, operator) => {
    // Safe cast: the route has the parameter.
    const { action: name } = request.params as { readonly action: string };
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) return reply.code(404).send();
    const reason = reasonOf(formBody(request));
    if (reason === undefined) return refuse(reply, 422, 'Give a reason');
    if (!(await action.run(follow, operator, reason))) return refuse(reply, 409, action.refusal);
    deps.log.warn({ operator, reason }, action.logged);
    return reply.redirect('/following', 303);
  });
}

export function followingText(stop: Stop | undefined): string {
  return stop === undefined ? 'taken in' : `not taken in since ${stop.since}, by ${stop.by}: ${stop.reason}`;
}
