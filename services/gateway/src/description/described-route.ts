import type { RouteContract } from '@procurement/contracts/api/route';

/** What a description of the API needs to know of an operation, whoever answers it. */
export interface DescribedRoute extends Omit<RouteContract, 'owner'> {
  /** The answer is the shape itself, without the `data` envelope. */
  readonly bare?: boolean;
}

/** One segment, as a description of it begins. */
export interface DescribedSegment {
  /** As clients write it. */
  readonly segment: string;
  /** Prefix of all paths: scheme, host, `/api/<segment>`. */
  readonly baseUrl: string;
  /** The generation it shows, by its proper segment: decides which operations it has. */
  readonly generation: RouteContract['segments'][number];
  readonly release: string;
}

/** Names of the placeholders in a path, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
