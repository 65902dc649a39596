import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startChild, lastWords, type Child } from './child.ts';
import { keptPid, versionOf, type NatsBinary } from './nats-binary.ts';
import { isListening, PortTaken } from './ports.ts';

export interface NatsWish {
  readonly binary: NatsBinary;
  readonly storeDir: string;
  readonly port: number;
  readonly logFile: string;
}

export interface RunningNats {
  readonly child: Child;
  stop(): Promise<void>;
}

/**
 * Bytes of one message. The default of 1 MiB is less than the largest body that a client may send, and an event that
 * can never be published would hold up all behind it.
 */
const PAYLOAD_MAX = '8MB';

/** A real nats-server with JetStream in a folder of its own. One left there by a killed supervisor is ended first. */
export async function startNats(
  { binary, storeDir, port, logFile }: NatsWish,
  spawned: (child: Child) => void = () => undefined,
): Promise<RunningNats> {
  const home = dirname(storeDir);
  mkdirSync(storeDir, { recursive: true });
  const pidFile = join(home, 'nats.pid');
  const leftover = keptPid(pidFile, 'nats-server');
  if (leftover !== undefined) await ended(leftover);
  if (await isListening(port)) throw new PortTaken('nats', port);
  const configFile = join(home, 'nats.conf');
  const store = binary.isContainer ? '/store' : storeDir;
  writeFileSync(configFile, configText(port, store, versionOf(binary), binary.isContainer));
  const args = binary.isContainer ? containerArgs(binary, configFile, storeDir, port) : ['-c', configFile];
  const child = startChild({ name: 'nats', command: binary.command, args, logFile });
  spawned(child);
  writeFileSync(pidFile, String(child.pid));
  const giveUpAt = Date.now() + 30_000;
  while (!(await isListening(port))) {
    if (!child.isRunning() || Date.now() > giveUpAt) {
      throw new Error(`nats-server did not start: ${lastWords(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return {
    child,
    stop: async () => {
      await child.stop('SIGTERM');
      rmSync(pidFile, { force: true });
    },
  };
}

function configText(
  port: number,
  store: string,
  [major, minor]: readonly [number, number],
  inContainer: boolean,
): string {
  // nats-server 2.9 knows no sync_interval and refuses a file that has one.
  const knowsSync = major > 2 || minor >= 10;
  return [
    `host: ${inContainer ? '0.0.0.0' : '127.0.0.1'}`,
    `port: ${port}`,
    `max_payload: ${PAYLOAD_MAX}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(store)}`,
    ...(knowsSync ? ['  sync_interval: "10s"'] : []),
    '}',
    '',
  ].join('\n');
}

function containerArgs({ prefix }: NatsBinary, configFile: string, storeDir: string, port: number): readonly string[] {
  const mounts = ['-v', `${storeDir}:/store`, '-v', `${configFile}:/nats.conf:ro`];
  return ['run', '--rm', '-p', `127.0.0.1:${port}:${port}`, ...mounts, ...prefix, '-c', '/nats.conf'];
}

async function ended(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  const giveUpAt = Date.now() + 10_000;
  while (isAlive(pid) && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
