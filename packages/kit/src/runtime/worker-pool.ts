import { availableParallelism } from 'node:os';
import { Worker, type Transferable } from 'node:worker_threads';
import { makeFairQueue, type FairQueueOptions } from './fair-queue.ts';
import { monotonicMs } from './clock.ts';
import { toError } from './to-error.ts';

/** Does one job in a thread of its own. `transfer`: buffers of the job that are given away instead of copied. */
export type DoJob<Job, Result> = (job: Job, transfer?: readonly Transferable[]) => Promise<Result>;

/** Threads for work that would stop the event loop for longer than other requests should wait. */
export interface WorkerPool<Job, Result> {
  /**
   * Calls `use` with a thread when it is the turn of the client; what the job needs is best read there, so that only running jobs hold
   * memory. Rejects with QueueFullError.
   */
  run<T>(client: string, use: (doJob: DoJob<Job, Result>) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export interface WorkerPoolOptions extends Omit<FairQueueOptions, 'runningMax'> {
  /** Its module calls `answerJobs`. */
  readonly script: URL;
  /** Threads are ended when nothing was asked of them for so long: each takes 10 to 20 MB. */
  readonly idleMsMax?: number;
}

/** What a thread answers. */
export type JobAnswer = { readonly result: unknown } | { readonly error: string };

/** Tests and `npm run dev` run the sources: a thread needs a loader of its own. */
const LOAD_SOURCE = `const { workerData } = require('node:worker_threads');
import('tsx/esm/api').then(({ register }) => {
  register();
  return import(workerData);
});`;

const THREADS_MAX = 4;
const IDLE_MS_MAX = 60_000;

/** The module `worker` beside the one that asks: of sources, of a build and of a bundle. */
export function workerBeside(moduleUrl: string): URL {
  return new URL(moduleUrl.endsWith('.ts') ? './worker.ts' : './worker.js', moduleUrl);
}

/** Leaves one processor to the event loop where there are several. Threads are started when they are needed. */
export function makeWorkerPool<Job, Result>(options: WorkerPoolOptions): WorkerPool<Job, Result> {
  const { script, idleMsMax = IDLE_MS_MAX, ...queued } = options;
  const threads = Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1));
  const queue = makeFairQueue({ ...queued, runningMax: threads });
  const idle: Worker[] = [];
  let usedMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = script.pathname.endsWith('.ts')
      ? new Worker(LOAD_SOURCE, { eval: true, workerData: script.href, execArgv: ['--conditions=source'] })
      : new Worker(script);
    worker.unref();
    // A thread that ends by itself is not used again. `doJob` hears of it too.
    worker.once('exit', () => remove(worker));
    worker.on('error', () => remove(worker));
    return worker;
  }

  function remove(worker: Worker): void {
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
  }

  async function doJob(job: Job, transfer: readonly Transferable[] = []): Promise<Result> {
    const worker = idle.pop() ?? start();
    return new Promise<Result>((resolve, reject) => {
      const settle = (then: () => void): void => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        then();
      };
      const onMessage = (answer: JobAnswer): void =>
        settle(() => {
          keep(worker);
          // The other side is the same program: `answerJobs` of the module that `Job` and `Result` are of.
          if ('result' in answer) resolve(answer.result as Result);
          else reject(new Error(answer.error));
        });
      const onError = (error: unknown): void => settle(() => reject(toError(error)));
      const onExit = (): void => settle(() => reject(new Error('a thread has ended')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage(job, transfer);
    });
  }

  function keep(worker: Worker): void {
    idle.push(worker);
    usedMs = monotonicMs();
    timer ??= setInterval(() => {
      if (monotonicMs() - usedMs >= idleMsMax) void endIdle();
    }, idleMsMax).unref();
  }

  async function endIdle(): Promise<void> {
    clearInterval(timer);
    timer = undefined;
    await Promise.all(idle.splice(0).map(async (worker) => worker.terminate()));
  }

  return { run: async (client, use) => queue.run(client, async () => use(doJob)), stop: endIdle };
}
