import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { STOPPED } from '../follow/admit-auctions.ts';
import { formBody } from '../http/request.ts';
import { followStore, type FollowStore, type Stop } from '../store/follow.store.ts';
import { forOperators } from './access.ts';
import { reasonOf, refuse } from './forms.ts';
import { html } from '@procurement/page-style/html';
import { actionForm, facts, sendOperatorPage } from './html.ts';

/** `GET /following`: whether new auctions are taken in, and the form that changes it. */
export function showFollowing(deps: Deps): Handler {
  const follow = followStore(deps.room.pool, '');
  return forOperators(deps, async (_request, reply) => {
    const stop = await follow.stopped();
    const form = actionForm({ ...(stop === undefined ? STOP : RESUME), fields: { reason: 'Reason' } });
    return sendOperatorPage(reply, {
      title: 'New auctions',
      path: '/following',
      body: html`${facts([['New auctions', followingText(stop)]])}<section><h2>Change</h2><div class="cards">${form}</div></section>`,
    });
  });
}

const STOP = {
  action: '/following/stop',
  title: 'Take in no new auctions',
  effect: 'Auctions that are held here go on, and are planned anew and cancelled as before.',
  button: 'Stop',
  tone: 'danger',
} as const;
const RESUME = {
  action: '/following/resume',
  title: 'Take in new auctions again',
  effect: 'Auctions that were left meanwhile are taken in too.',
  button: 'Resume',
  tone: 'primary',
} as const;

interface FollowingAction {
  /** Answers false when nothing changed: it was stopped, or resumed, already. */
  readonly run: (follow: FollowStore, operator: string, reason: string) => Promise<boolean>;
  readonly refusal: string;
  readonly logged: string;
}

/** The actions, named by the last part of the path. */
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
