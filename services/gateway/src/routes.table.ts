import type { Method, OwnerService, RouteContract, Segment } from '@procurement/contracts/api/route';
import { allowHeader } from '@procurement/kit/http/mount';
import type { Generation01 } from './generations/codec.ts';
import { toContract01, toPath01, hasMethodOn01 } from './generations/v0.1/paths.ts';

/** Path segments that clients may use, and the generation of each (generations.md 1). */
export const SEGMENTS = {
  '2.5': '2.5',
  '2.4': '2.5',
  '2.3': '2.3',
  '0': '0',
  '0.1': '0.1',
  '0.2': '0.1',
} as const satisfies Readonly<Record<string, Segment>>;

export type PublicSegment = keyof typeof SEGMENTS;

/** The routes at one path of one segment. */
export interface PathEntry<S extends string = PublicSegment> {
  /** As clients write it, in the syntax of the contracts: `/tenders/:tender_id`. */
  readonly path: string;
  readonly segment: S;
  readonly owner: OwnerService;
  readonly methods: ReadonlyMap<Method, RouteContract>;
  /** Value of the `Allow` header. */
  readonly allow: string;
}

/** Paths by segment as written in the address. */
export type RoutesTable = ReadonlyMap<PublicSegment, readonly PathEntry[]>;

/** Sorts the contracts into segments and paths. Throws when one path is claimed by two services. */
export function routesTable(contracts: readonly RouteContract[]): RoutesTable {
  // The keys of a constant object are its type's keys.
  const segments = Object.keys(SEGMENTS) as PublicSegment[];
  return new Map(segments.map((segment) => [segment, entriesOf(segment, SEGMENTS[segment], contracts)]));
}

/** What a generation has, at the paths that its clients write: for routing, and for its descriptions. */
export function contractsOf<
  C extends Pick<RouteContract, 'path' | 'spore' | 'segments' | 'method' | 'query' | 'queryOf25'>,
>(generation: Segment, contracts: readonly C[], generation01: Generation01 = 'middle'): readonly C[] {
  const own = contracts.filter((contract) => contract.segments.includes(generation));
  if (generation === '2.5') return own.map(withQueryOf25);
  if (generation !== '0.1') return own;
  return own.map(toContract01).filter(({ path, method }) => hasMethodOn01(path, method, generation01));
}

function withQueryOf25<C extends Pick<RouteContract, 'query' | 'queryOf25'>>(contract: C): C {
  const { query, queryOf25 } = contract;
  return query === undefined || queryOf25 === undefined
    ? contract
    : { ...contract, query: query.extend(queryOf25.shape) };
}

/** The paths of one segment. The contracts keep the paths of the services. */
export function entriesOf<S extends string>(
  segment: S,
  generation: Segment,
  contracts: readonly RouteContract[],
): readonly PathEntry<S>[] {
  const byPath = new Map<string, RouteContract[]>();
  for (const contract of contracts) {
    if (!contract.segments.includes(generation) || contract.outsideSegments === true) continue;
    const path = generation === '0.1' ? toPath01(contract.path) : contract.path;
    byPath.set(path, [...(byPath.get(path) ?? []), contract]);
  }
  return [...byPath].map(([path, routes]) => {
    const owners = new Set(routes.map((route) => route.owner));
    const [owner, otherOwner] = owners;
    if (owner === undefined || otherOwner !== undefined)
      throw new Error(`${path} has several owners: ${[...owners].join()}`);
    const methods = new Map(routes.map((route) => [route.method, route]));
    return { path, segment, owner, methods, allow: allowHeader([...methods.keys()]) };
  });
}

/**
 * The entry of a path in one generation of segment 0.1: the earliest lacks some methods. An absent method is answered with 405
 * and this `allow`.
 */
export function entryOfGeneration<S extends string>(entry: PathEntry<S>, generation01: Generation01): PathEntry<S> {
  const methods = new Map([...entry.methods].filter(([method]) => hasMethodOn01(entry.path, method, generation01)));
  if (methods.size === entry.methods.size) return entry;
  return { ...entry, methods, allow: allowHeader([...methods.keys()]) };
}

/** The entry of a public path; for methods that the router does not support. */
export function findEntry(table: RoutesTable, path: string): PathEntry | undefined {
  const [, api, segment = '', ...parts] = path.split('/');
  if (api !== 'api') return undefined;
  // Safe cast: an unknown segment just misses the map.
  const entries = table.get(segment as PublicSegment) ?? [];
  return entries.find((entry) => {
    const pattern = entry.path.slice(1).split('/');
    return pattern.length === parts.length && pattern.every((part, n) => part.startsWith(':') || part === parts[n]);
  });
}

/** The contract of a method at a path; HEAD has that of GET. Undefined when the path lacks the method. */
export function contractOf(entry: PathEntry, method: string): RouteContract | undefined {
  // Safe cast: an unknown method just misses the map.
  return entry.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
}
