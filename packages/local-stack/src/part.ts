import { lastWords, type Child } from './child.ts';

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
  onDeath(tell: (line: string) => void): void;
}

const NOT_READY_GRACE_MS = 3_000;

/** What starting gives: the process, and how to end it gracefully. */
export interface Running {
  readonly child: Child;
  stop(): Promise<void>;
}

/** How a part is started. `spawned` is told of its process before anything is waited for, so that it can always be ended. */
export type Begin = (spawned: (child: Child) => void) => Promise<Running>;

/** Wraps a way to start something. */
export function makePart(name: string, begin: Begin): Part {
  let running: Running | undefined;
  let newest: Child | undefined;
  let isWanted = false;
  let tellDeath: (line: string) => void = () => undefined;
  return {
    name,
    pid: () => newest?.pid ?? -1,
    isRunning: () => newest?.isRunning() ?? false,
    async start() {
      const started = await begin((child) => {
        newest = child;
      });
      running = started;
      isWanted = true;
      void started.child.ended.then(({ code, signal }) => {
        if (!isWanted || running !== started) return;
        const how = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
        const why = lastWords(started.child.logFile);
        tellDeath(`${name} ${how}${why === '' ? '' : ` (${why})`}`);
      });
    },
    async stop() {
      isWanted = false;
      if (running?.child === newest) await running?.stop();
      // It had not come up yet: nothing of it is worth waiting for.
      else await newest?.stop('SIGTERM', NOT_READY_GRACE_MS);
    },
    async kill(signal) {
      isWanted = false;
      await newest?.stop(signal);
    },
    onDeath(tell) {
      tellDeath = tell;
    },
  };
}
