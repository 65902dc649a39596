import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
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
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<ExitStatus>;
  isRunning(): boolean;
  /** Sends a signal and waits for the end. After `graceMs` it sends SIGKILL. */
  stop(signal: NodeJS.Signals, graceMs?: number): Promise<ExitStatus>;
}

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment except PATH; the parent's environment when absent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly user?: User | undefined;
  readonly logFile: string;
  /** Receives the output as well. Without it the child writes to the log file directly. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

const GRACE_MS = 15_000;

/**
 * Starts a process in a process group of its own, so that Ctrl-C in the terminal reaches only the supervisor, which then stops
 * the parts in order. Its standard input is a pipe that closes when the supervisor dies, even by SIGKILL.
 */
export function startChild({ name, command, args, env, cwd, user, logFile, onOutput }: ChildOptions): Child {
  const log = openSync(logFile, 'a', 0o600);
  const output = onOutput === undefined ? log : 'pipe';
  const child: ChildProcess = spawn(command, args, {
    env: env === undefined ? process.env : { PATH: process.env['PATH'] ?? '', ...env },
    detached: true,
    stdio: ['pipe', output, output],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  if (onOutput === undefined) closeSync(log);
  else {
    const onData = (chunk: Buffer): void => {
      writeSync(log, chunk);
      onOutput(chunk);
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    // `close` comes after the last output, `exit` may come before it.
    child.once('close', () => closeSync(log));
  }
  let running = true;
  const exited = new Promise<ExitStatus>((resolve) => {
    const finish = (status: ExitStatus): void => {
      running = false;
      resolve(status);
    };
    child.once(onOutput === undefined ? 'exit' : 'close', (code: number | null, signal: NodeJS.Signals | null) =>
      finish({ code, signal }),
    );
    child.once('error', () => finish({ code: 127, signal: null }));
  });
  // Nothing is written to the pipe, but its end may close first, which must not throw.
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
      const status = await exited;
      clearTimeout(timer);
      return status;
    },
  };
}

/** The last error in a log file, in one line: message and cause of a JSON log entry, else the text. Empty without an error. */
export function lastLoggedError(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-50);
  const line = lines.findLast((one) => !/^\s*at /.test(one) && /error\b|fatal|\[FTL\]|\[ERR\]/i.test(one)) ?? '';
  try {
    const logEntry = JSON.parse(line) as { msg?: string; err?: { message?: string } };
    return [logEntry.msg, logEntry.err?.message?.split('\n')[0]].filter((part) => part !== undefined).join(': ');
  } catch {
    return line.slice(0, 300).trim();
  }
}
