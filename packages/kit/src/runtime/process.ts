import type { FastifyInstance } from 'fastify';
import type { Logger } from './log.ts';
import { makeSignal } from './signal.ts';

/** How long a process that was told to end goes on. */
export interface ShutdownSettings {
  readonly SHUTDOWN_LINGER_SECONDS: number;
  readonly SHUTDOWN_GRACE_SECONDS: number;
}

/** Time for what ends after the server: schedulers, consumers, stored events, connections. */
export const CLOSE_SECONDS = 10;

/**
 * Ends the process on SIGTERM and SIGINT, and with EXIT_WITH_PARENT when standard input closes. `close` finishes what is
 * running (http.md 7). A second signal ends the process at once.
 */
export function exitOnSignal(
  settings: { readonly EXIT_WITH_PARENT: boolean } & ShutdownSettings,
  log: Logger,
  close: () => Promise<void>,
): void {
  const { SHUTDOWN_LINGER_SECONDS, SHUTDOWN_GRACE_SECONDS } = settings;
  const limitMs = (SHUTDOWN_LINGER_SECONDS + SHUTDOWN_GRACE_SECONDS + CLOSE_SECONDS) * 1_000;
  let isShuttingDown = false;
  const shutDown = (reason: string): void => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    log.info({ reason }, 'shutting down');
    setTimeout(() => {
      log.error('shutdown timed out');
      process.exit(1);
    }, limitMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // That of the bundle (tools/bundle.ts), which ends a process that still loads.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (isShuttingDown) process.exit(1);
      shutDown(signal);
    });
  }
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  if (!settings.EXIT_WITH_PARENT) return;
  process.stdin.on('close', () => shutDown('supervisor ended'));
  process.stdin.resume();
}

export interface CloseTimes {
  /** Time in which requests are still answered, each as the last one of its connection. */
  readonly lingerMs: number;
  /** Time for which running requests may go on after that. */
  readonly graceMs: number;
}

export function closeTimesOf(settings: ShutdownSettings): CloseTimes {
  return { lingerMs: settings.SHUTDOWN_LINGER_SECONDS * 1_000, graceMs: settings.SHUTDOWN_GRACE_SECONDS * 1_000 };
}

/**
 * Closes a server. Balancers and clients keep connections open, and a client that sends a request while the server closes its
 * connection gets no answer. So for `lingerMs` every answer has `Connection: close`, and the next request goes elsewhere. Then:
 * no new connections, and running requests are answered. After `graceMs` all connections are closed: a client that never reads
 * its response to the end would otherwise keep the process alive.
 */
export async function closeServer(app: FastifyInstance, { lingerMs, graceMs }: CloseTimes): Promise<void> {
  if (lingerMs > 0) {
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    await makeSignal().wait(lingerMs);
  }
  const cutTimer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cutTimer);
  }
}
