import { formatServerDate } from '@procurement/contracts/reading/instant';
import { problem } from '@procurement/contracts/problems/problems';
import { tenderTime } from '@procurement/domain/tender-time';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { tenderIdOf } from './path.ts';

/** `GET /sandbox/tenders/{id}/clock`: the time of one tender (rulings R18). Mounted in sandbox mode only. */
export function readClock(deps: Deps): Handler {
  return async (request, reply) => {
    const state = await deps.tenders.state(tenderIdOf(request));
    if (state === undefined) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
    const now = formatServerDate(tenderTime(deps.clock.now(), state));
    return sendJson(
      reply,
      200,
      JSON.stringify({ data: { now, ahead: `PT${(state.clockShift / 1_000_000).toFixed(6)}S` } }),
    );
  };
}
