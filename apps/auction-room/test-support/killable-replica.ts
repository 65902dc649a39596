import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ReplicaAnswer, ReplicaRequest } from './replica-process.ts';

/** A process that leads auctions, and may be killed at any moment. */
export interface KillableReplica {
  /** Resolves with the answer; never when the process is killed before. */
  run(run: ReplicaRequest['run']): Promise<ReplicaAnswer>;
  /** Sends the command and kills the process, at whatever point of the transaction it is then. */
  runAndKill(run: ReplicaRequest['run']): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
}

/** The program of the replicas as one file: it starts in a tenth of the time of its sources. */
export interface ReplicaBundle {
  start(databaseUrl: string): Promise<KillableReplica>;
  remove(): void;
}

export async function bundleReplica(): Promise<ReplicaBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'auction-room-'));
  const outfile = join(folder, 'replica.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'replica-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    external: ['pg-native'],
    // Packages in CommonJS call it.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  return {
    start: async (databaseUrl) => startReplica(outfile, databaseUrl),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function startReplica(program: string, databaseUrl: string): Promise<KillableReplica> {
  const child = fork(program, { env: { ...process.env, DATABASE_URL: databaseUrl }, execArgv: [] });
  const waiting = new Map<number, (answer: ReplicaAnswer) => void>();
  let count = 0;
  const started = new Promise<ReplicaAnswer>((resolve) => waiting.set(-1, resolve));
  child.on('message', (answer: ReplicaAnswer) => waiting.get(answer.number)?.(answer));
  await Promise.race([started, once(child, 'exit').then(() => Promise.reject(new Error('the replica ended')))]);

  const send = (run: ReplicaRequest['run']): number => {
    count += 1;
    child.send({ number: count, run } satisfies ReplicaRequest);
    return count;
  };
  return {
    run: async (run) => new Promise((resolve) => waiting.set(send(run), resolve)),
    async runAndKill(run) {
      send(run);
      // Within the transaction more often than not: reading the message takes as long as a statement.
      await new Promise((resolve) => setImmediate(resolve));
      await killed(child);
    },
    signal: (name) => void child.kill(name),
    kill: async () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
