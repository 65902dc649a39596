import type { OwnerService } from '@procurement/contracts/api/route';
import { Pool } from 'undici';
import type { Config } from '../config.ts';

/** The services behind the gateway. Each has its own connection pool, so that one failing service does not block the others. */
export interface Upstreams {
  readonly url: (owner: OwnerService) => string;
  readonly pool: (owner: OwnerService) => Pool;
  /** State of every service by `GET /live`. Takes less than a second and never rejects. */
  states(): Promise<Readonly<Record<string, 'up' | 'down'>>>;
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 2_000;
/** Below the 72 s for which services keep idle connections, so that no request meets a socket that is being closed. */
const KEEP_ALIVE_MS = 60_000;
const STATE_MS_MAX = 800;

/** Makes the pools. Connections open with the first request. */
export function makeUpstreams(config: Config): Upstreams {
  const urls: Readonly<Record<OwnerService, string>> = {
    tenders: config.TENDERS_URL,
    bids: config.BIDS_URL,
    awards: config.AWARDS_URL,
    documents: config.DOCUMENTS_URL,
    auction: config.AUCTION_URL,
  };
  const pools = new Map(Object.entries(urls).map(([owner, url]) => [owner, makePool(url, config)]));
  const pool = (owner: OwnerService): Pool => {
    const ownerPool = pools.get(owner);
    if (ownerPool === undefined) throw new Error(`unknown service ${owner}`);
    return ownerPool;
  };
  return {
    url: (owner) => urls[owner],
    pool,
    states: async () =>
      Object.fromEntries(
        await Promise.all([...pools].map(async ([owner, one]) => [owner, await stateOf(one)] as const)),
      ),
    close: async () => {
      await Promise.all([...pools.values()].map(async (one) => one.destroy()));
    },
  };
}

function makePool(url: string, config: Config): Pool {
  return new Pool(new URL(url).origin, {
    connections: config.UPSTREAM_CONNECTIONS_MAX,
    // With pipelining a slow response would delay those behind it.
    pipelining: 1,
    connect: { timeout: CONNECT_MS_MAX },
    headersTimeout: config.UPSTREAM_TIMEOUT_MS,
    bodyTimeout: config.UPSTREAM_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
}

async function stateOf(pool: Pool): Promise<'up' | 'down'> {
  try {
    const signal = AbortSignal.timeout(STATE_MS_MAX);
    const { statusCode, body } = await pool.request({ path: '/live', method: 'GET', signal });
    await body.dump();
    return statusCode === 200 ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
