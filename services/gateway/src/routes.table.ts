import type { Method, Owner, RouteContract, Segment } from '@procurement/contracts/api/route';
import { allowOf } from '@procurement/kit/mount';

/**
 * Path segments that are served, as clients may write them, and the generation that each stands for (generations.md 1).
 * Segments 0 and 0.1 (with its alias 0.2) come with their codecs.
 */
export const SEGMENTS = { '2.5': '2.5', '2.4': '2.5', '2.3': '2.3' } as const satisfies Readonly<
  Record<string, Segment>
>;

export type PublicSegment = keyof typeof SEGMENTS;

/** Everything routed at one path of one segment. */
export interface PathEntry {
  /** As in the contracts: `/tenders/:tender_id`. */
  readonly path: string;
  readonly segment: PublicSegment;
  readonly owner: Owner;
  readonly methods: ReadonlyMap<Method, RouteContract>;
  /** Value of the `Allow` header. */
  readonly allow: string;
}

/** Segment as written, and what it has. */
export type RoutesTable = ReadonlyMap<PublicSegment, readonly PathEntry[]>;

/** Sorts the contracts into segments and paths. Throws when one path is claimed by two services. */
export function routesTable(contracts: readonly RouteContract[]): RoutesTable {
  // The keys of a constant object are its type's keys.
  const segments = Object.keys(SEGMENTS) as PublicSegment[];
  return new Map(segments.map((segment) => [segment, pathsOf(segment, contracts)]));
}

function pathsOf(segment: PublicSegment, contracts: readonly RouteContract[]): readonly PathEntry[] {
  const byPath = new Map<string, RouteContract[]>();
  for (const contract of contracts) {
    if (!contract.segments.includes(SEGMENTS[segment])) continue;
    byPath.set(contract.path, [...(byPath.get(contract.path) ?? []), contract]);
  }
  return [...byPath].map(([path, routes]) => {
    const owners = new Set(routes.map((route) => route.owner));
    const [owner, rival] = owners;
    if (owner === undefined || rival !== undefined)
      throw new Error(`${path} has several owners: ${[...owners].join()}`);
    const methods = new Map(routes.map((route) => [route.method, route]));
    return { path, segment, owner, methods, allow: allowOf([...methods.keys()]) };
  });
}

/** What is routed at a public path; for methods that the router itself does not know. */
export function entryAt(table: RoutesTable, path: string): PathEntry | undefined {
  const [, api, segment = '', ...parts] = path.split('/');
  if (api !== 'api') return undefined;
  // A segment that is not served is not in the map, whatever text it is.
  const entries = table.get(segment as PublicSegment) ?? [];
  return entries.find((entry) => {
    const pattern = entry.path.slice(1).split('/');
    return pattern.length === parts.length && pattern.every((part, n) => part.startsWith(':') || part === parts[n]);
  });
}

/** The contract that a request asks for; HEAD asks for its GET. Undefined: the method is not defined at that path. */
export function contractOf(entry: PathEntry, method: string): RouteContract | undefined {
  // A method that is not in the map is the answer "undefined", whatever text it is.
  return entry.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
}
