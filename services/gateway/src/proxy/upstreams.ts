import type { OwnerService } from '@procurement/contracts/api/route';
import { Readable } from 'node:stream';
import { Dispatcher, Pool } from 'undici';
import type { Config } from '../config.ts';

/** The services behind the gateway. Each has its own connection pool, so that one failing service does not block the others. */
export interface Upstreams {
  readonly url: (owner: OwnerService) => string;
  readonly pool: (owner: OwnerService) => Pool;
  /** Connections for files of documents only, so that slow files do not delay other requests. */
  readonly filePool: Pool;
  /** Dispatcher for the proxy plugin: `pool`, with separate pools for uploads, streams and files of exports. */
  readonly dispatcher: (owner: OwnerService) => Dispatcher;
  /** State of every service by `GET /live`. Takes less than a second and never rejects. */
  states(): Promise<Readonly<Record<string, 'up' | 'down'>>>;
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 2_000;
/** Shorter than the 72 s for which services keep idle connections, so that no request meets a socket that is being closed. */
const KEEP_ALIVE_MS = 60_000;
const STATE_MS_MAX = 800;
const STREAM_PATH = /^\/stream(?:\?|$)|^\/ocds\/\w+\.jsonl(?:\?|$)/;
const EXPORT_FILE_PATH = /^\/exports\/[^/?]+\/[^/?]+/;
const STREAM_HEADERS_MS_MAX = 10_000;

/** Makes the pools. Connections open with the first request. */
export function makeUpstreams(config: Config): Upstreams {
  const urls: Readonly<Record<Exclude<OwnerService, 'ledger'>, string> & { readonly ledger?: string }> = {
    tenders: config.TENDERS_URL,
    bids: config.BIDS_URL,
    awards: config.AWARDS_URL,
    documents: config.DOCUMENTS_URL,
    auction: config.AUCTION_URL,
    register: config.REGISTER_URL,
    ...(config.LEDGER_URL === undefined ? {} : { ledger: config.LEDGER_URL }),
  };
  const pools = new Map(
    Object.entries(urls).map(([owner, url]) => [owner, makePool(url, config, config.UPSTREAM_CONNECTIONS_MAX)]),
  );
  // Apart from the requests of clients: full pools do not mean that a service is down.
  const probes = new Map(Object.entries(urls).map(([owner, url]) => [owner, makePool(url, config, 1)]));
  const filePool = makePool(urls.documents, config, config.FILE_CONNECTIONS_MAX);
  const exportFilePool = makePool(urls.register, config, config.FILE_CONNECTIONS_MAX);
  const streamPool = makeStreamPool(urls.register);
  const pool = (owner: OwnerService): Pool => {
    const ownerPool = pools.get(owner);
    if (ownerPool === undefined) throw new Error(`unknown service ${owner}`);
    return ownerPool;
  };
  return {
    url: (owner) => {
      const url = urls[owner];
      if (url === undefined) throw new Error(`no address of ${owner}`);
      return url;
    },
    pool,
    filePool,
    dispatcher: (owner) => {
      if (owner === 'documents')
        return new PoolsApart(pool(owner), ({ body }) => (body instanceof Readable ? filePool : undefined));
      if (owner === 'register')
        return new PoolsApart(pool(owner), ({ path }) => {
          if (EXPORT_FILE_PATH.test(path)) return exportFilePool;
          return STREAM_PATH.test(path) ? streamPool : undefined;
        });
      return pool(owner);
    },
    states: async () =>
      Object.fromEntries(
        await Promise.all([...probes].map(async ([owner, probe]) => [owner, await probeState(probe)] as const)),
      ),
    close: async () => {
      await Promise.all(
        [...pools.values(), ...probes.values(), filePool, exportFilePool, streamPool].map(async (one) => one.destroy()),
      );
    },
  };
}

/** Sends requests that take long through a pool of their own. */
class PoolsApart extends Dispatcher {
  readonly #pool: Pool;
  readonly #longPoolOf: (options: Dispatcher.DispatchOptions) => Pool | undefined;

  constructor(pool: Pool, longPoolOf: (options: Dispatcher.DispatchOptions) => Pool | undefined) {
    super();
    this.#pool = pool;
    this.#longPoolOf = longPoolOf;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return (this.#longPoolOf(options) ?? this.#pool).dispatch(options, handler);
  }

  /** The plugin ends its dispatcher when the server is closed; the pools are closed with the process. */
  override async destroy(): Promise<void> {}
}

function makePool(url: string, config: Config, connections: number): Pool {
  return new Pool(new URL(url).origin, {
    connections,
    // With pipelining a slow response would delay those behind it.
    pipelining: 1,
    connect: { timeout: CONNECT_MS_MAX },
    headersTimeout: config.UPSTREAM_TIMEOUT_MS,
    bodyTimeout: config.UPSTREAM_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
}

/** Streams do not end: each takes a connection, and heartbeats are further apart than the time-out of other answers. */
function makeStreamPool(url: string): Pool {
  return new Pool(new URL(url).origin, {
    connections: null,
    pipelining: 1,
    connect: { timeout: CONNECT_MS_MAX },
    headersTimeout: STREAM_HEADERS_MS_MAX,
    bodyTimeout: 0,
  });
}

async function probeState(pool: Pool): Promise<'up' | 'down'> {
  try {
    const signal = AbortSignal.timeout(STATE_MS_MAX);
    const { statusCode, body } = await pool.request({ path: '/live', method: 'GET', signal });
    await body.dump();
    return statusCode === 200 ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
