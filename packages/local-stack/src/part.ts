import { lastLoggedError, type Child } from './child.ts';

/** A part of the stack that can be ended and started again, as a fault test does. */
export interface Part {
  readonly name: string;
  pid(): number;
  isRunning(): boolean;
  /** Starts it, again with the same data, and waits until it is ready. */
  start(): Promise<void>;
  /** Ends it gracefully. */
  stop(): Promise<void>;
  /** Ends it by a signal, and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Tells in one line of every end that nobody asked for. */
  onUnexpectedExit(listener: (line: string) => void): void;
}

const NOT_READY_GRACE_MS = 3_000;

/** What starting gives: the process, and how to end it gracefully. */
export interface RunningPart {
  readonly child: Child;
  stop(): Promise<void>;
}

/** How a part is started. `spawned` is told of its process before anything is waited for, so that it can always be ended. */
export type StartPart = (onSpawn: (child: Child) => void) => Promise<RunningPart>;

/** Wraps a way to start something. */
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
      // It had not come up yet: nothing of it is worth waiting for.
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
