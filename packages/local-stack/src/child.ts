import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { User } from './user.ts';

/** How a child ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the stack. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when it has ended, whatever the reason. */
  readonly exited: Promise<ExitStatus>;
  isRunning(): boolean;
  /** Sends a signal and waits for the end. After the grace it is killed. */
  stop(signal: NodeJS.Signals, graceMs?: number): Promise<ExitStatus>;
}

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly user?: User | undefined;
  readonly logFile: string;
}

const GRACE_MS = 15_000;

/**
 * Starts a process of its own group, so that Ctrl-C in the terminal reaches the supervisor only, which then ends the parts
 * in order. Its standard input is a pipe that closes when the supervisor dies, whatever it dies of.
 */
export function startChild({ name, command, args, env, cwd, user, logFile }: ChildOptions): Child {
  const log = openSync(logFile, 'a');
  const child: ChildProcess = spawn(command, args, {
    env: env === undefined ? process.env : { PATH: process.env['PATH'] ?? '', ...env },
    detached: true,
    stdio: ['pipe', log, log],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  closeSync(log);
  let running = true;
  const exited = new Promise<ExitStatus>((resolve) => {
    const finish = (status: ExitStatus): void => {
      running = false;
      resolve(status);
    };
    child.once('exit', (code, signal) => finish({ code, signal }));
    child.once('error', () => finish({ code: 127, signal: null }));
  });
  // Writing to it is not meant; a closed pipe must not throw.
  child.stdin?.on('error', () => undefined);
  return {
    name,
    pid: child.pid ?? -1,
    logFile,
    exited,
    isRunning: () => running,
    async stop(signal, graceMs = GRACE_MS) {
      if (!running) return exited;
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const ending = await exited;
      clearTimeout(timer);
      return ending;
    },
  };
}

/** What a dead child complained of last, in one line: of JSON logs the message and the error in it. Empty when of nothing. */
export function lastLoggedError(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-50);
  const line = lines.findLast((one) => /error|fatal|\[FTL\]|\[ERR\]/i.test(one)) ?? '';
  try {
    const logEntry = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [logEntry.msg, logEntry.err?.message?.split('\n')[0]].filter((part) => part !== undefined).join(': ');
  } catch {
    return line.slice(0, 300).trim();
  }
}
