import type { RouteContract } from '@procurement/contracts/api/route';

/** An operation as a description of the API needs it: of a service, or of the gateway itself. */
export type DescribedRoute = Omit<RouteContract, 'owner'> & Partial<Pick<RouteContract, 'owner'>>;

/** Who may call an operation, when, what it changes, and what comes next, as parts of sentences. */
export interface OperationRules {
  readonly who: string;
  readonly when?: string;
  readonly changes?: string;
  readonly next?: string;
}

/** The segment that a description is about. */
export interface DescribedSegment {
  /** The segment as clients write it: `2.4` is another name of `2.5`. */
  readonly segment: string;
  /** Prefix of all paths: scheme, host, `/api/<segment>`. */
  readonly baseUrl: string;
  /** The canonical segment with the same payloads: `0.2` has those of `0.1`. It decides which operations there are. */
  readonly generation: RouteContract['segments'][number];
  readonly release: string;
  /** Sandbox mode accepts more members of a tender. */
  readonly sandbox?: boolean;
}

/** Names of the placeholders in a path, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
