import type { FastifyInstance } from 'fastify';
import type { Logger } from './log.ts';
import { monotonicMs } from './clock.ts';

const DRAIN_MS = 30_000;
const CONNECT_GIVE_UP_MS = 60_000;
const UNAVAILABLE =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|starting up|shutting down|timeout|no responders|not there yet|503/i;

/** Tries again until it works: what this process stands on may start after it. Gives up after a minute. */
export async function waitForDependency<T>(log: Logger, dependency: string, connect: () => Promise<T>): Promise<T> {
  const giveUpAt = monotonicMs() + CONNECT_GIVE_UP_MS;
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
    try {
      return await connect();
    } catch (error) {
      if (monotonicMs() > giveUpAt || !UNAVAILABLE.test(String(error))) throw error;
      log.warn({ err: error }, `${dependency} not there yet`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Ends the process on SIGTERM and SIGINT, and when its supervisor is gone if it is asked to watch for that: `close` lets
 * what runs finish, for at most 30 seconds (http.md 7).
 */
export function exitOnSignal(
  settings: { readonly EXIT_WITH_PARENT: boolean },
  log: Logger,
  close: () => Promise<void>,
): void {
  let isShuttingDown = false;
  const shutDown = (reason: string): void => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    log.info({ reason }, 'ending');
    setTimeout(() => {
      log.error('did not end in time');
      process.exit(1);
    }, DRAIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not end cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => shutDown('SIGTERM'));
  process.on('SIGINT', () => shutDown('SIGINT'));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  if (!settings.EXIT_WITH_PARENT) return;
  process.stdin.on('close', () => shutDown('the supervisor is gone'));
  process.stdin.resume();
}

/**
 * Stops a server: no new connections, and what runs is answered, for so long at most. Then every connection is cut: a client
 * that never reads its answer to the end would otherwise hold the process.
 */
export async function closeServer(app: FastifyInstance, graceMs = DRAIN_MS / 2): Promise<void> {
  const cutTimer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cutTimer);
  }
}
