import { actorOf } from '@procurement/kit/http/actor';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { ChangedTender, ChangeTenderInput } from '../store/tenders.store.ts';
import { tenderIdOf } from './path.ts';

type Command = Pick<ChangeTenderInput, 'makeCommand' | 'precondition'> & Partial<ChangeTenderInput>;

/**
 * Carries out the command of a request about the tender in its path, and tells the gateway how much it has saved. Throws the problem of a
 * refusal.
 */
export async function changeByRequest(deps: Deps, request: FastifyRequest, command: Command): Promise<ChangedTender> {
  const { id: requestId, audit, isDryRun } = request;
  const actor = actorOf(request.identity);
  const outcome = await deps.tenders.change(tenderIdOf(request), {
    actor,
    requestId,
    audit,
    isDryRun,
    ids: deps.ids,
    ...command,
  });
  if ('refused' in outcome) throw new ProblemError(outcome.refused);
  request.savedBytes = outcome.savedBytes ?? 0;
  return outcome;
}
