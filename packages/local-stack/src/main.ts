import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startupMessage } from './startup-message.ts';
import { readLivePid } from './nats-binary.ts';
import type { Part } from './part.ts';
import { portFamily } from './ports.ts';
import { startStack, type Stack } from './stack.ts';
import { removeData } from './user.ts';

const HELP = `npm start                 the whole system in sandbox mode
npm start -- --reset      the same, with all its data thrown away first
PORT=9000 npm start       the gateway on 9000, the services on 9001 to 9005, PostgreSQL on 9011, NATS on 9012
HOST=0.0.0.0 npm start    the gateway open to other machines
NATS_SERVER_BIN=...       the nats-server to run, instead of the one found or fetched
Data, logs and secrets are in .local/`;

const RESTART_FIRST_MS = 500;
const RESTART_MAX_MS = 15_000;

const dataDir = fileURLToPath(new URL('../../../.local', import.meta.url));
const pidFile = join(dataDir, 'owner.pid');
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Settings of services that may be given to `npm start` as well. */
const FORWARDED_SETTINGS = [
  'LOG_LEVEL',
  'LEGACY_GUARDS',
  'PUBLIC_BASE_URL',
  'SERVER_ID',
  'STRICT_TEST_MODE',
  'COMPLAINTS_MODE',
  'CALENDAR_FILE',
  'AUCTION_QUICK_SECONDS',
] as const;

async function run(): Promise<void> {
  const port = Number(process.env['PORT'] ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_500)
    return fail(`PORT must be a number from 1 to 65500, not ${process.env['PORT']}.`);
  const runningPid = readLivePid(pidFile, 'local-stack/dist/main.js');
  if (runningPid !== undefined)
    return fail(`Another npm start (process ${runningPid}) runs on ${dataDir}: stop that one first.`);
  if (process.argv.includes('--reset')) removeData(dataDir);
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(pidFile, String(process.pid));
  const startedMs = performance.now();
  print('Starting the sandbox: PostgreSQL, NATS, six services');
  const stopController = new AbortController();
  const shutdown = stopOnSignals(stopController);
  try {
    const stack = await startStack({
      dataDir,
      ports: portFamily(port),
      host: process.env['HOST'] ?? '127.0.0.1',
      env: Object.fromEntries(FORWARDED_SETTINGS.flatMap((name) => definedEntry(name, process.env[name]))),
      progress: (line) => print(`  ${line}`),
      signal: stopController.signal,
    });
    shutdown.started(stack);
    for (const part of Object.values(stack.parts)) restartOnExit(part, stopController.signal);
    print(`Ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    print(startupMessage(stack.ports, Date.now()));
  } catch (error) {
    if (stopController.signal.aborted) print('Stopped.');
    else fail(error instanceof Error ? error.message : String(error));
    process.exit(process.exitCode ?? 0);
  }
}

function definedEntry(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === '' ? [] : [[name, value]];
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

/** Ctrl-C ends everything in order, at any moment; the second one kills. */
function stopOnSignals(stopController: AbortController): { started(stack: Stack): void } {
  let running: Stack | undefined;
  const onSignal = (): void => {
    if (stopController.signal.aborted) {
      for (const part of Object.values(running?.parts ?? {})) void part.kill('SIGKILL');
      print('Killed.');
      process.exit(130);
    }
    print('\nStopping (Ctrl-C again to kill)');
    stopController.abort();
    // Before everything is up, the start itself notices and cleans up after itself.
    running?.stop().then(
      () => {
        print('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        fail(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  return {
    started: (stack) => {
      running = stack;
    },
  };
}

/** A part that dies is told of in one line and started again, after growing pauses. */
function restartOnExit(part: Part, stopSignal: AbortSignal): void {
  let delayMs = RESTART_FIRST_MS;
  const restart = async (line: string): Promise<void> => {
    if (stopSignal.aborted) return;
    print(`! ${line}; starting it again`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(delayMs * 2, RESTART_MAX_MS);
    if (stopSignal.aborted) return;
    try {
      await part.start();
      print(`  ${part.name} is back`);
      delayMs = RESTART_FIRST_MS;
    } catch (error) {
      await restart(error instanceof Error ? error.message : String(error));
    }
  };
  part.onUnexpectedExit((line) => void restart(line));
}

if (process.argv.includes('--help')) {
  print(HELP);
} else {
  await run();
}
