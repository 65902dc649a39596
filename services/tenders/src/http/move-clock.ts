import { admitWrite } from '@procurement/domain/admission';
import { problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { readJsonBody } from '@procurement/kit/http/body';
import { sendJson } from '@procurement/kit/http/server';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Deps } from '../deps.ts';
import type { TenderState } from '../domain/tender.ts';
import { nextCheck } from '../domain/tender.timers.ts';
import { tenderIdOf } from './path.ts';
import { readClockAdvance } from './clock-advance.ts';
import { tenderText } from './tender-text.ts';

/**
 * `POST /sandbox/tenders/{id}/clock`: moves the time of one tender forward, in every service, and answers with the tender after
 * everything due has been applied (rulings R18). Mounted in sandbox mode only.
 */
export function moveClock(deps: Deps): Handler {
  return async (request, reply) => {
    const id = tenderIdOf(request);
    const missing = problem('object.not-found', { kind: 'tender' });
    if ((await deps.tenders.view(id)) === undefined) throw new ProblemError(missing);
    const body = readJsonBody(request.headers['content-type'], request.body);
    const admission = admitWrite(body, actorOf(request.identity), true);
    if ('refused' in admission) throw new ProblemError(admission.refused);
    const advance = readClockAdvance(admission.data);
    if ('refused' in advance) throw new ProblemError(advance.refused);
    const shiftMicros = (state: TenderState, now: Instant): number =>
      advance.advanceMicros(now, nextCheck(state, now, deps.settings));
    if (request.isDryRun)
      return sendJson(reply, 200, tenderText(request, (await deps.externalInputs.previewOne(id, shiftMicros)) ?? ''));
    await deps.externalInputs.runOne(id, shiftMicros);
    await deps.handshakes.awaitDone(id);
    const view = await deps.tenders.view(id);
    if (view === undefined) throw new ProblemError(missing);
    return sendJson(reply, 200, tenderText(request, view.bytes));
  };
}
