import autocannon, { type Client, type Result } from 'autocannon';

export interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of a request in microseconds; absent where it is not measured. */
  readonly cpuUs?: number;
}

export interface Load {
  readonly url: string;
  readonly seconds?: number;
  readonly connections?: number;
  /** Every request is different, so that the gateway has no cached answer. */
  readonly first?: true;
  /** Paths that are asked for in turn, instead of that of the address. Each connection begins at another one. */
  readonly paths?: readonly string[];
  /** Processor time that the measured processes have used. */
  readonly cpuMs?: () => number;
}

/** Requests per second with status 200. Throws on any other status. */
export async function measureRate(load: Load): Promise<Rate> {
  const { url, seconds = 4, connections = 32, first, paths, cpuMs } = load;
  const requests = first === true ? () => uniqueRequests(url) : paths && requestsInTurn(paths, connections);
  const setup = requests === undefined ? {} : { setupClient: (client: Client) => client.setRequests(requests()) };
  const cpuBeforeMs = cpuMs?.() ?? 0;
  const durationsMs: number[] = [];
  const result = await new Promise<Result>((resolve, reject) => {
    const options = { url, connections, duration: seconds, ...setup };
    autocannon(options, (error, ended) => (error === null ? resolve(ended) : reject(error))).on(
      'response',
      (_client, _status, _bytes, durationMs) => durationsMs.push(durationMs),
    );
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url} answered ${result.non2xx} times with another status, and ${result.errors} times not at all`,
    );
  }
  return {
    perSecond: result.requests.average,
    ...percentilesOf(durationsMs),
    ...(cpuMs === undefined ? {} : { cpuUs: ((cpuMs() - cpuBeforeMs) * 1_000) / result.requests.total }),
  };
}

/** autocannon itself tells whole milliseconds, of which the median of a read has three. */
export function percentilesOf(durationsMs: readonly number[]): Pick<Rate, 'p50Ms' | 'p99Ms'> {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Connections that begin at the same path would go on to ask for the same at the same time. */
function requestsInTurn(paths: readonly string[], connections: number): () => { path: string }[] {
  let connection = 0;
  return () => {
    const from = Math.floor((connection * paths.length) / connections);
    connection += 1;
    return [...paths.slice(from), ...paths.slice(0, from)].map((path) => ({ path }));
  };
}

/** All connections together make more requests than the gateway caches, so that repeats miss the cache too. */
const UNIQUE_REQUESTS_PER_CONNECTION = 256;
let uniqueRequestCount = 0;

/** The requests differ in a parameter that no service reads. */
function uniqueRequests(url: string): { path: string }[] {
  const { pathname } = new URL(url);
  return Array.from({ length: UNIQUE_REQUESTS_PER_CONNECTION }, () => ({
    path: `${pathname}?first=${(uniqueRequestCount += 1)}`,
  }));
}

/** Measures several loads in turns, so that noise of the machine affects all of them. Answers the median of each. */
export async function measureInTurns<K extends string>(
  loads: Readonly<Record<K, Load>>,
  rounds = 3,
): Promise<Record<K, Rate>> {
  // The keys of the record are K.
  const names = Object.keys(loads) as K[];
  const measured = new Map<K, Rate[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const rate = await measureRate(loads[name]);
      // In the first round V8 still compiles: its longest latencies are a third longer.
      if (round > 0) measured.get(name)?.push(rate);
    }
  }
  const medians = names.map((name) => [name, median(measured.get(name) ?? [], (rate) => rate.perSecond)] as const);
  return Object.fromEntries(medians) as Record<K, Rate>;
}

/** The element in the middle of the order by that number. */
export function median<T>(measured: readonly T[], numberOf: (one: T) => number): T {
  const sorted = [...measured].sort((a, b) => numberOf(a) - numberOf(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}
