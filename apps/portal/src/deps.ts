import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Fetch } from '@procurement/client';
import { monotonicMs, systemClock, type Clock } from '@procurement/kit/runtime/clock';
import { secureIds } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { makeReadApi, type Answer, type ReadApi } from './api/read-api.ts';
import type { Config } from './config.ts';
import { makePortalMetrics, type PortalMetrics } from './portal-metrics.ts';
import type { Origins } from './origins.ts';
import type { Site } from './parts/page-context.ts';

/** Everything that routes need. */
export interface Deps {
  readonly settings: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly monotonicMs: () => number;
  readonly pause: (ms: number) => Promise<undefined>;
  readonly metrics: PortalMetrics;
  readonly readApi: ReadApi;
  /** Sends the requests of `/play`. */
  readonly fetch: Fetch;
  /** Visitors whose steps are being played now. */
  readonly playing: Set<string>;
  /** Ids of tenders by their numbers, which never change. */
  readonly tenderIds: LRUCache<string, string>;
  /** Changes with the program, and so with what it renders. */
  readonly release: string;
  /** Whether the API is a sandbox, by its last answer; `known` is undefined before the first one. */
  readonly sandbox: { seen(answers: readonly Answer[]): boolean; known(): boolean | undefined };
  siteOf(origins: Origins, isSandbox: boolean): Site;
  close(): Promise<void>;
}

const MEGABYTE = 1_000_000;
const CONNECTIONS_MAX = 64;
const NUMBERS_MAX = 10_000;

/** Real dependencies; a test replaces what it needs. */
export function makeDeps(settings: Config, log: Logger): Deps {
  const dispatcher = new Agent({ connections: CONNECTIONS_MAX });
  const metrics = makePortalMetrics();
  const clock = systemClock;
  let isSandbox: boolean | undefined;
  return {
    settings,
    log,
    clock,
    newId: () => secureIds.nextUuid(),
    monotonicMs,
    pause: async (ms) => new Promise((resolve) => void setTimeout(() => resolve(undefined), ms)),
    metrics,
    fetch: async (address, init) => fetch(address, init),
    playing: new Set(),
    readApi: makeReadApi({
      dispatcher,
      apiUrl: settings.API_URL,
      cacheBytes: settings.CACHE_MB * MEGABYTE,
      clock,
      monotonicMs,
      onCall: (call, status, seconds) => metrics.callSeconds.observe({ call, status }, seconds),
    }),
    tenderIds: new LRUCache({ max: NUMBERS_MAX }),
    release: createHash('sha1')
      .update(readFileSync(process.argv[1] ?? ''))
      .digest('base64url'),
    sandbox: {
      seen(answers) {
        const [last] = answers;
        if (last !== undefined) ({ isSandbox } = last);
        return isSandbox ?? false;
      },
      known: () => isSandbox,
    },
    siteOf: ({ own, api }, sandbox) => ({
      name: { uk: settings.SITE_NAME_UK, en: settings.SITE_NAME_EN },
      ownUrl: own,
      apiUrl: api,
      auctionsUrl: settings.AUCTIONS_PUBLIC_URL,
      fileHosts: [api, settings.API_URL].map((address) => new URL(address).host),
      contact: settings.CONTACT,
      licence: settings.DATA_LICENCE,
      indexing: settings.INDEXING,
      isSandbox: sandbox,
      canPlay: sandbox && settings.PLAY === 'auto',
    }),
    close: async () => dispatcher.close(),
  };
}
