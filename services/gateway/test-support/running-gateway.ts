import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { closeServer } from '@procurement/kit/runtime/process';
import { makeLog, type Logger } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { buildApp } from '../src/app.ts';
import { makeKeyRing, type KeyRing, type KeySource } from '../src/auth/key-ring.ts';
import { SANDBOX_BROKERS } from '../src/auth/sandbox-keys.ts';
import { config } from '../src/config.ts';
import { buildOperations } from '../src/description/health-endpoints.ts';
import type { HealthChecks } from '../src/description/health-watch.ts';
import { makeDeps, type Deps } from '../src/deps.ts';
import { fakeService, IDENTITY_SETTINGS, type FakeService } from './fake-service.ts';

export interface RunningGateway {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly keys: KeyRing;
  readonly tenders: FakeService;
  readonly bids: FakeService;
  /** Lines of the access log, oldest first. */
  readonly accessLog: Record<string, unknown>[];
  checks: HealthChecks;
  /** A request to `OPERATIONS_PORT`. */
  operations(path: string): Promise<{ readonly status: number; readonly text: string }>;
  close(): Promise<void>;
}

/** Public address in responses, independent of the port of a test. */
export const PUBLIC_BASE_URL = 'https://api.example.org';

/** What a test replaces. */
interface GatewayParts {
  readonly pool?: pg.Pool;
  /** Reads a key that is not in memory. */
  readonly findKey?: KeySource['find'];
}

/** A gateway on a real port, with the keys of the sandbox in memory and two fake services behind it. */
export async function runningGateway(
  settings: Readonly<Record<string, string>> = {},
  { pool, findKey = async () => undefined }: GatewayParts = {},
): Promise<RunningGateway> {
  const [tenders, bids] = [await fakeService(), await fakeService()];
  const read = config({
    DATABASE_URL: 'postgres://unused',
    NATS_URL: 'nats://unused',
    ...IDENTITY_SETTINGS,
    PUBLIC_BASE_URL,
    TENDERS_URL: tenders.url,
    BIDS_URL: bids.url,
    // Port 9 (discard) is closed. The default ports may be in use by a stack on the same machine.
    AWARDS_URL: 'http://127.0.0.1:9',
    DOCUMENTS_URL: 'http://127.0.0.1:9',
    AUCTION_URL: 'http://127.0.0.1:9',
    REGISTER_URL: 'http://127.0.0.1:9',
    RATE_READS_PER_SECOND: '0',
    RATE_WRITES_PER_SECOND: '0',
    UPLOADS_MAX: '0',
    ...settings,
  });
  const known = new Map(SANDBOX_BROKERS.map((broker) => [sha256Hex(broker.name), broker]));
  const keys = makeKeyRing({
    source: { all: async () => known, find: findKey },
    unknownMs: 60_000,
    nowMs: () => 0,
  });
  await keys.refresh();
  const accessLog: Record<string, unknown>[] = [];
  let healthMs = 0;
  const deps = makeDeps(read, {
    log: recordingLog(accessLog),
    metrics: makeMetrics('gateway'),
    keys,
    checks: async () => running.checks,
    // Each question is a second after the one before.
    healthMs: () => (healthMs += 1_000),
    ...(pool === undefined ? {} : { pool }),
  });
  const app = await buildApp(deps);
  const operations = buildOperations(deps);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const running: RunningGateway = {
    url,
    app,
    deps,
    keys,
    tenders,
    bids,
    accessLog,
    checks: { database: 'ok', stream: 'ok' },
    operations: async (path) => {
      const { statusCode, payload } = await operations.inject(path);
      return { status: statusCode, text: payload };
    },
    close: async () => {
      // Tests may leave the body of a response unread.
      await closeServer(app, { lingerMs: 0, graceMs: 100 });
      deps.pressure.stop();
      await deps.textWork.stop();
      await deps.upstreams.close();
      await Promise.all([tenders.close(), bids.close()]);
    },
  };
  return running;
}

/** A silent log that records the lines of the access log. */
function recordingLog(lines: Record<string, unknown>[]): Logger {
  const log = makeLog('gateway', 'silent');
  const recording = Object.create(log) as Logger;
  // pino's signature has several overloads; the access log uses this one.
  recording.info = ((fields: unknown, message: unknown) => {
    if (message === 'request') lines.push({ ...(fields as object) });
  }) as Logger['info'];
  return recording;
}

/** Authorization of a sandbox key. */
export function basic(key: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
}

/** Sends requests to a gateway without following redirects. */
export function requestsTo(gateway: () => RunningGateway) {
  return async (path: string, init: RequestInit = {}, to = gateway()): Promise<Response> =>
    fetch(`${to.url}${path}`, { redirect: 'manual', ...init });
}

/** An answer to `sendTo`. */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with any headers, `Host` included, which `fetch` sets by itself. */
export async function sendTo(
  { url }: RunningGateway,
  path: string,
  { body, ...options }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, options, (response) => {
      const { statusCode: status, headers } = response;
      readText(response).then((text) => resolve({ status, headers, text }), reject);
    });
    sent.once('error', reject).end(body);
  });
}
