import autocannon, { type Client } from 'autocannon';

export interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly url: string;
  readonly seconds?: number;
  readonly connections?: number;
  /** Every request is the first of its kind: the gateway has no answer in its memory. */
  readonly first?: true;
}

/** Requests per second that an address answers with 200. Bounded in time; throws when anything else was answered. */
export async function measureRate({ url, seconds = 4, connections = 32, first }: Load): Promise<Rate> {
  const setup = first === true ? { setupClient: (client: Client) => client.setRequests(uniqueRequests(url)) } : {};
  const result = await autocannon({ url, connections, duration: seconds, ...setup });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url} answered ${result.non2xx} times with another status, and ${result.errors} times not at all`,
    );
  }
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

/** Of one connection. All connections together make more than the memory holds, so that those that come again are first again. */
const UNIQUE_REQUESTS_PER_CONNECTION = 256;
let uniqueRequestCount = 0;

/** Told apart by a parameter that nobody reads. */
function uniqueRequests(url: string): { path: string }[] {
  const { pathname } = new URL(url);
  return Array.from({ length: UNIQUE_REQUESTS_PER_CONNECTION }, () => ({
    path: `${pathname}?first=${(uniqueRequestCount += 1)}`,
  }));
}

/** Measures several loads in turns, so that a noisy moment hits all of them; gives the median of each. */
export async function measureInTurns<K extends string>(
  loads: Readonly<Record<K, Load>>,
  rounds = 3,
): Promise<Record<K, Rate>> {
  // The keys of a record literal are its K.
  const names = Object.keys(loads) as K[];
  const measured = new Map<K, Rate[]>(names.map((name) => [name, []]));
  for (const name of names) await measureRate({ ...loads[name], seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) measured.get(name)?.push(await measureRate(loads[name]));
  }
  const medians = names.map((name) => [name, median(measured.get(name) ?? [], (rate) => rate.perSecond)] as const);
  return Object.fromEntries(medians) as Record<K, Rate>;
}

/** The one in the middle by that number. */
export function median<T>(measured: readonly T[], numberOf: (one: T) => number): T {
  const sorted = [...measured].sort((a, b) => numberOf(a) - numberOf(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}
