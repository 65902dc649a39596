import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ANSWER_MS_MAX = 60_000;

/** A process of the benchmark, with the answer to its first message. */
export interface ForkedProcess {
  readonly pid: number;
  readonly answer: unknown;
  /** Sends another message and waits for its answer. */
  ask(message: object | string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Runs a module in a process of its own. Rejects if an answer does not come, or the process ends before it. */
export async function forkWith(
  module: URL,
  message: object | string,
  args: readonly string[] = [],
): Promise<ForkedProcess> {
  const file = fileURLToPath(module);
  const child = fork(file, args, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ask = async (sent: object | string): Promise<unknown> => {
    if (child.exitCode !== null) throw new Error(`${file} has ended`);
    child.send(sent);
    return awaitAnswer(child, file);
  };
  return { pid: child.pid ?? 0, answer: await ask(message), ask, stop: async () => terminate(child) };
}

async function awaitAnswer(child: ChildProcess, file: string): Promise<unknown> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${file} ended without an answer`);
  });
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
    return answer;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    ended.catch(() => undefined);
    done.abort();
  }
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
