import { buildSystem } from './build.ts';
import type { Part } from './part.ts';
import { makeHomeFolder } from './private-folder.ts';
import { freeFamily, portFamily, PortInUseError, requireFreePorts, SERVICES } from './ports.ts';
import { DATA_DIR, recordSandbox, runningSandbox } from './sandbox.ts';
import { startStack, type Stack, type StackOptions } from './stack.ts';
import { startupMessage } from './startup-message.ts';
import { removeData } from './user.ts';

/** Settings of services that `npm start` and `npm run dev` pass on. */
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

const RESTART_FIRST_MS = 500;
const RESTART_MAX_MS = 15_000;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function fail(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

/** Whether this argument was given on the command line. */
export function hasFlag(name: string): boolean {
  return process.argv.includes(name);
}

/** Builds the system as far as it has changed. A terminal shows the progress in one line. */
export async function buildWithProgress(stopSignal?: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  print('Building what has changed (everything at the first start: some minutes on a small machine)');
  const { isTTY } = process.stdout;
  await buildSystem((line) => (isTTY ? process.stdout.write(`\r\x1b[K  ${line}`) : print(`  ${line}`)), stopSignal);
  print(`${isTTY ? '\r\x1b[K' : ''}Built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}

export interface LocalRunOptions extends Pick<StackOptions, 'launch' | 'onServiceFailed'> {
  /** Called before the parts are started, with a signal that aborts at Ctrl-C. */
  readonly prepare?: (stopSignal: AbortSignal) => Promise<void>;
}

/**
 * Runs the whole system on DATA_DIR until Ctrl-C: checks the ports, starts all parts, prints the addresses. `onReady` is called with
 * the stack and a signal that aborts at Ctrl-C.
 */
export async function runLocalStack(
  { prepare, ...options }: LocalRunOptions,
  onReady: (stack: Stack, stopSignal: AbortSignal) => void | Promise<void>,
): Promise<void> {
  const port = Number(process.env['PORT'] ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_500)
    return fail(`PORT must be a number from 1 to 65500, not ${process.env['PORT']}.`);
  const running = runningSandbox();
  if (running !== undefined)
    return fail(
      `Process ${running.pid} already runs npm start or npm run dev on ${DATA_DIR}. Stop that process first.`,
    );
  const stopController = new AbortController();
  const shutdown = stopOnSignals(stopController);
  try {
    // Before the data folder is touched and anything is built.
    await requireFreePorts(portFamily(port));
    if (hasFlag('--reset')) removeData(DATA_DIR);
    makeHomeFolder(DATA_DIR);
    recordSandbox({ pid: process.pid, gatewayPort: port });
    await prepare?.(stopController.signal);
    const startedMs = performance.now();
    const hasPortal = process.env['PORTAL'] !== 'off';
    print(`Starting the sandbox: PostgreSQL, NATS, ${SERVICES.length} services${hasPortal ? ', portal' : ''}`);
    const stack = await startStack({
      ...options,
      dataDir: DATA_DIR,
      ports: portFamily(port),
      host: process.env['HOST'] ?? '127.0.0.1',
      portal: hasPortal,
      env: Object.fromEntries(FORWARDED_SETTINGS.flatMap((name) => definedEntry(name, process.env[name]))),
      progress: (line) => print(`  ${line}`),
      signal: stopController.signal,
    });
    shutdown.onStarted(stack);
    await onReady(stack, stopController.signal);
    print(`Ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    print(startupMessage(stack, Date.now(), hasPortal));
  } catch (error) {
    if (stopController.signal.aborted) print('Stopped.');
    else if (error instanceof PortInUseError)
      fail(`${error.message} Stop that program, or choose free ports: PORT=${await freeFamily(port)} npm start`);
    else fail(error instanceof Error ? error.message : String(error));
    process.exit(process.exitCode ?? 0);
  }
}

function definedEntry(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === '' ? [] : [[name, value]];
}

/** Ctrl-C stops all parts in order, also during the start. A second Ctrl-C kills them. */
function stopOnSignals(stopController: AbortController): { onStarted(stack: Stack): void } {
  let running: Stack | undefined;
  onStopSignal(() => {
    if (stopController.signal.aborted) {
      for (const part of Object.values(running?.parts ?? {})) void part.kill('SIGKILL');
      print('Killed.');
      process.exit(130);
    }
    print('\nStopping (Ctrl-C again to kill)');
    stopController.abort();
    // Before all parts are ready, the aborted start stops them.
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
  });
  return {
    onStarted: (stack) => {
      running = stack;
    },
  };
}

/** Calls the listener at Ctrl-C, SIGTERM and when the terminal closes. */
export function onStopSignal(listener: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener);
}

/** Reports an unexpected end of a part in one line and starts it again, after growing pauses. */
export function restartOnExit(part: Part, stopSignal: AbortSignal): void {
  let delayMs = RESTART_FIRST_MS;
  const restart = async (line: string): Promise<void> => {
    if (stopSignal.aborted) return;
    print(`! ${line}; starting it again`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(delayMs * 2, RESTART_MAX_MS);
    if (stopSignal.aborted) return;
    try {
      await part.start();
      print(`  ${part.name} is ready again`);
      delayMs = RESTART_FIRST_MS;
    } catch (error) {
      await restart(error instanceof Error ? error.message : String(error));
    }
  };
  part.onUnexpectedExit((line) => void restart(line));
}
