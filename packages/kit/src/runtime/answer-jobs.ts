import { setPriority } from 'node:os';
import { parentPort, type Transferable } from 'node:worker_threads';
import type { JobAnswer } from './worker-pool.ts';

/** What a thread has made of a job, and the buffers that it gives away. */
export interface DoneJob<Result> {
  readonly result: Result;
  readonly transfer?: readonly Transferable[];
}

/** A lower priority than that of the event loop, so that the loop does not wait for the threads where they share a processor. */
const NICE = 19;

/** Answers the jobs of a pool, in its thread. Called once by the module that the pool starts. */
export function answerJobs<Job, Result>(handle: (job: Job) => DoneJob<Result>): void {
  // On Linux a priority is that of a thread; elsewhere it would be that of the process.
  if (process.platform === 'linux') setPriority(NICE);
  parentPort?.on('message', (job: Job) => {
    const [answer, transfer] = runJob(handle, job);
    parentPort?.postMessage(answer, transfer);
  });
}

function runJob<Job, Result>(
  handle: (job: Job) => DoneJob<Result>,
  job: Job,
): readonly [JobAnswer, readonly Transferable[]] {
  try {
    const { result, transfer = [] } = handle(job);
    return [{ result }, transfer];
  } catch (error) {
    return [{ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, []];
  }
}
