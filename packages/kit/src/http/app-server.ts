import { LogController, type FastifyBaseLogger } from 'fastify';
import type { Logger } from '../runtime/log.ts';

/** Options of Fastify that make it write to our log, and no line of its own for each request. */
export function logOptions(log: Logger) {
  return {
    // Safe cast: pino's Logger implements Fastify's logger interface.
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  };
}

const REQUEST_MS_MAX = 10_000;

export interface AppServerOptions {
  readonly log: Logger;
  readonly bodyBytesMax: number;
  readonly headerBytesMax: number;
  /** Addresses and networks whose `X-Forwarded-For`, `-Host` and `-Proto` count. */
  readonly trustedProxies: readonly string[];
  readonly newId: () => string;
}

/** Options of Fastify for a program that serves browsers from an origin of its own, such as the portal. */
export function appServerOptions(options: AppServerOptions) {
  const { log, bodyBytesMax, headerBytesMax, trustedProxies, newId } = options;
  return {
    ...logOptions(log),
    bodyLimit: bodyBytesMax,
    http: { maxHeaderSize: headerBytesMax },
    requestTimeout: REQUEST_MS_MAX,
    forceCloseConnections: 'idle' as const,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    genReqId: () => newId(),
  };
}

/** `2xx` and so on, as the label of a metric. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
