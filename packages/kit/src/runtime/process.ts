import type { FastifyInstance } from 'fastify';
import type { Logger } from './log.ts';
import { monotonicMs } from './clock.ts';

const DRAIN_MS = 30_000;
const CONNECT_GIVE_UP_MS = 60_000;
const UNAVAILABLE =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|starting up|shutting down|timeout|no responders|not connected yet|503/i;

/** Retries `connect` while the dependency is unavailable: it may start after this process. Throws after a minute. */
export async function waitForDependency<T>(log: Logger, dependency: string, connect: () => Promise<T>): Promise<T> {
  const giveUpAt = monotonicMs() + CONNECT_GIVE_UP_MS;
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
    try {
      return await connect();
    } catch (error) {
      if (monotonicMs() > giveUpAt || !UNAVAILABLE.test(String(error))) throw error;
      log.warn({ err: error }, `${dependency} not available yet`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Ends the process on SIGTERM and SIGINT, and with EXIT_WITH_PARENT when standard input closes. `close` finishes what is
 * running, for at most 30 seconds (http.md 7).
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
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error('shutdown timed out');
      process.exit(1);
    }, DRAIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
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
  process.stdin.on('close', () => shutDown('supervisor ended'));
  process.stdin.resume();
}

/**
 * Closes a server: no new connections, and running requests are answered. After `graceMs` all connections are closed: a client
 * that never reads its response to the end would otherwise keep the process alive.
 */
export async function closeServer(app: FastifyInstance, graceMs = DRAIN_MS / 2): Promise<void> {
  const cutTimer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cutTimer);
  }
}
