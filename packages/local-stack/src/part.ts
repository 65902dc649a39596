import { lastLoggedError, type Child } from './child.ts';

/** A process of the stack that can be stopped and started again. */
export interface Part {
  readonly name: string;
  pid(): number;
  isRunning(): boolean;
  /** Starts it and waits until it is ready. A second start finds the same data. */
  start(): Promise<void>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Calls the listener with one line for every end that neither `stop` nor `kill` caused. */
  onUnexpectedExit(listener: (line: string) => void): void;
}

const NOT_READY_GRACE_MS = 3_000;

/** The process of a part, and how to stop it gracefully. */
export interface RunningPart {
  readonly child: Child;
  stop(): Promise<void>;
}

/** Starts a part. Calls `onSpawn` with its process before it waits for anything, so that the process can always be ended. */
export type StartPart = (onSpawn: (child: Child) => void) => Promise<RunningPart>;

/** Makes a part from the function that starts its process. */
export function makePart(name: string, startProcess: StartPart): Part {
  let running: RunningPart | undefined;
  let latestChild: Child | undefined;
  let shouldRun = false;
  let exitListener: (line: string) => void = () => undefined;
  return {
    name,
    pid: () => latestChild?.pid ?? -1,
    isRunning: () => latestChild?.isRunning() ?? false,
    async start() {
      const started = await startProcess((child) => {
        latestChild = child;
      });
      running = started;
      shouldRun = true;
      void started.child.exited.then(({ code, signal }) => {
        if (!shouldRun || running !== started) return;
        const outcome = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
        const reason = lastLoggedError(started.child.logFile);
        exitListener(`${name} ${outcome}${reason === '' ? '' : ` (${reason})`}`);
      });
    },
    async stop() {
      shouldRun = false;
      if (running?.child === latestChild) await running?.stop();
      // Not ready yet: it has no requests to finish.
      else await latestChild?.stop('SIGTERM', NOT_READY_GRACE_MS);
    },
    async kill(signal) {
      shouldRun = false;
      await latestChild?.stop(signal);
    },
    onUnexpectedExit(listener) {
      exitListener = listener;
    },
  };
}
