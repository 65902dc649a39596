import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { greeting } from './greeting.ts';
import { keptPid } from './nats-binary.ts';
import type { Part } from './part.ts';
import { portsFrom } from './ports.ts';
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
const ownerFile = join(dataDir, 'owner.pid');
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Settings of services that may be given to `npm start` as well. */
const PASSED_ON = [
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
  const owner = keptPid(ownerFile, 'local-stack/dist/main.js');
  if (owner !== undefined) return fail(`Another npm start (process ${owner}) runs on ${dataDir}: stop that one first.`);
  if (process.argv.includes('--reset')) removeData(dataDir);
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(ownerFile, String(process.pid));
  const startedMs = performance.now();
  say('Starting the sandbox: PostgreSQL, NATS, six services');
  const stopping = new AbortController();
  const ending = endOnSignals(stopping);
  try {
    const stack = await startStack({
      dataDir,
      ports: portsFrom(port),
      host: process.env['HOST'] ?? '127.0.0.1',
      env: Object.fromEntries(PASSED_ON.flatMap((name) => passedOn(name, process.env[name]))),
      progress: (line) => say(`  ${line}`),
      signal: stopping.signal,
    });
    ending.started(stack);
    for (const part of Object.values(stack.parts)) keepAlive(part, stopping.signal);
    say(`Ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    say(greeting(stack.ports, Date.now()));
  } catch (error) {
    if (stopping.signal.aborted) say('Stopped.');
    else fail(error instanceof Error ? error.message : String(error));
    process.exit(process.exitCode ?? 0);
  }
}

function passedOn(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === '' ? [] : [[name, value]];
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

/** Ctrl-C ends everything in order, at any moment; the second one kills. */
function endOnSignals(stopping: AbortController): { started(stack: Stack): void } {
  let running: Stack | undefined;
  const end = (): void => {
    if (stopping.signal.aborted) {
      for (const part of Object.values(running?.parts ?? {})) void part.kill('SIGKILL');
      say('Killed.');
      process.exit(130);
    }
    say('\nStopping (Ctrl-C again to kill)');
    stopping.abort();
    // Before everything is up, the start itself notices and cleans up after itself.
    running?.stop().then(
      () => {
        say('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        fail(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  return {
    started: (stack) => {
      running = stack;
    },
  };
}

/** A part that dies is told of in one line and started again, after growing pauses. */
function keepAlive(part: Part, stopping: AbortSignal): void {
  let waitMs = RESTART_FIRST_MS;
  const again = async (line: string): Promise<void> => {
    if (stopping.aborted) return;
    say(`! ${line}; starting it again`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, RESTART_MAX_MS);
    if (stopping.aborted) return;
    try {
      await part.start();
      say(`  ${part.name} is back`);
      waitMs = RESTART_FIRST_MS;
    } catch (error) {
      await again(error instanceof Error ? error.message : String(error));
    }
  };
  part.onDeath((line) => void again(line));
}

if (process.argv.includes('--help')) {
  say(HELP);
} else {
  await run();
}
