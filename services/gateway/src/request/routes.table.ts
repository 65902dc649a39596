import type { Method, OwnerService, RouteContract, Segment } from '@procurement/contracts/api/route';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { allowHeader } from '@procurement/kit/http/mount';
import type { Generation01 } from '../generations/codec.ts';
import { SEGMENTS, type PublicSegment } from '../generations/segments.ts';
import { toContract01, toPath01, hasMethodOn01 } from '../generations/v0.1/paths.ts';

/** The routes at one path of one segment. */
export interface PathEntry<S extends string = PublicSegment> {
  /** The path as clients write it, in the syntax of the contracts: `/tenders/:tender_id`. */
  readonly path: string;
  readonly segment: S;
  readonly owner: OwnerService;
  readonly methods: ReadonlyMap<Method, RouteContract>;
  /** Value of the `Allow` header. */
  readonly allow: string;
}

/** Router pattern of a path. */
export function patternOf(entry: PathEntry): string {
  return `/api/${entry.segment}${entry.path}`;
}

/** Paths by segment as written in the address. */
export type RoutesTable = ReadonlyMap<PublicSegment, readonly PathEntry[]>;

/** Sorts the contracts into segments and paths. Throws when one path is claimed by two services. */
export function routesTable(contracts: readonly RouteContract[]): RoutesTable {
  // The keys of a constant object are its type's keys.
  const segments = Object.keys(SEGMENTS) as PublicSegment[];
  return new Map(segments.map((segment) => [segment, buildEntries(segment, SEGMENTS[segment], contracts)]));
}

/** What a generation has, at the paths that its clients write: for routing, and for its descriptions. */
export function selectContracts<
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
export function buildEntries<S extends string>(
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

/** Paths that the gateway answers itself, in every segment: reads. */
export const DESCRIPTION_PATHS = ['/spore', '/version', '/openapi.json', '/health'] as const;

/** `Allow` of paths that can only be read. */
export const READ_ONLY = 'GET, HEAD';

/** Methods that the router knows. It has no route of any other, and Node's parser refuses most of them as words. */
const ROUTER_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Says how a request with a method that the router does not know (TRACE, QUERY, any word) is refused: at a documented path with 405.
 * `otherReads`: patterns of the router that can only be read.
 */
export function methodRefusals(
  table: RoutesTable,
  contracts: readonly RouteContract[],
  otherReads: readonly string[] = [],
): (method: string, path: string) => Problem | undefined {
  const readOnly = [
    ...otherReads,
    ...[...table.keys()].flatMap((segment) => DESCRIPTION_PATHS.map((path) => `/api/${segment}${path}`)),
    ...contracts.filter(({ outsideSegments }) => outsideSegments === true).map(({ path }) => `/api${path}`),
  ];
  const routed = [...table.values()]
    .flat()
    .map(({ segment, path, allow }) => ({ path: `/api/${segment}${path}`, allow }));
  const places = [...routed, ...readOnly.map((path) => ({ path, allow: READ_ONLY }))];
  return (method, path) => {
    if (ROUTER_METHODS.has(method)) return undefined;
    const place = places.find((one) => isAt(one.path, path));
    return place === undefined ? problem('request.not-found') : problem('request.method', {}, { allow: place.allow });
  };
}

function isAt(pattern: string, path: string): boolean {
  if (pattern.endsWith('/*')) return path.startsWith(pattern.slice(0, -1));
  const parts = path.split('/');
  const patternParts = pattern.split('/');
  return (
    patternParts.length === parts.length && patternParts.every((part, n) => part.startsWith(':') || part === parts[n])
  );
}

/** The contract of a method at a path; HEAD has that of GET. Undefined when the path lacks the method. */
export function findContract(entry: PathEntry, method: string): RouteContract | undefined {
  // Safe cast: an unknown method just misses the map.
  return entry.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
}
