import { RunDueRequest, type AuctionRun } from '@procurement/contracts/events/run-due';
import { realTime } from '@procurement/domain/tender-time';
import { playsSpecialModes } from '../config.ts';
import type { Deps } from '../deps.ts';
import { isBeforeAuction, specialTasks } from '../domain/special-mode.ts';
import { runDueTask } from './run-tasks.ts';

const CLOCK_REQUEST_ID = 'clock';

/**
 * Runs the due tasks of one tender whose clock was moved (ruling R18), by the facts of its owner: the event that schedules them may not have
 * arrived, and the scheduler may have claimed them before the clock was moved.
 */
export function respondRunDue(deps: Deps) {
  return async (request: unknown): Promise<AuctionRun> => {
    const { id } = RunDueRequest.parse(request);
    const run: AuctionRun = { published: [], reported: [] };
    const tender = await deps.tenders.refresh(id);
    if (tender === undefined || isBeforeAuction(tender)) return run;
    for (const { kind, lot, dueAt } of specialTasks(tender, playsSpecialModes(deps.config))) {
      const task = { tenderId: id, kind, lot, dueAt: realTime(dueAt, tender), requestId: CLOCK_REQUEST_ID };
      if (task.dueAt > deps.clock.now()) continue;
      await runDueTask(deps, tender, task);
      await deps.tasks.drop(task);
      if (kind === 'publish') run.published.push({ lot });
      // A refused report has no results.
      else if ((await deps.handOff.results(id, { lot })) !== undefined) run.reported.push({ lot });
    }
    return run;
  };
}
