import { RunDueRequest, type AwardsRun } from '@procurement/contracts/events/run-due';
import type { Deps } from '../deps.ts';

/** Runs what is due of one tender whose clock was moved (ruling R18). */
export function respondRunDue({ externalInputs }: Pick<Deps, 'externalInputs'>) {
  return async (request: unknown): Promise<AwardsRun> => ({
    version: await externalInputs.runOne(RunDueRequest.parse(request).id),
  });
}
