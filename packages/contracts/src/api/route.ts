import type { z } from 'zod';

/** Which service answers. */
export type OwnerService = 'tenders' | 'bids' | 'awards' | 'documents' | 'auction';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Path segments of the versions, oldest shape last. `2.5` is the canonical one (spec generations.md 1). */
export type Segment = '2.5' | '2.3' | '0' | '0.1';

/**
 * One operation of the public API, as plain data. The gateway routes by it, the services mount it, OpenAPI and SPORE are
 * generated from it. Paths are relative to `/api/<segment>` and name their parameters as errors do (`tender_id`).
 */
export interface RouteContract {
  /** Our name of the operation, `getTender`; also OpenAPI's operationId. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly owner: OwnerService;
  /** Name in `/spore` (http.md 6.4). */
  readonly spore: string;
  readonly summary: string;
  readonly segments: readonly Segment[];
  readonly query?: z.ZodObject;
  /** Shape of `data` in the request body. */
  readonly body?: z.ZodType;
  /** Shape of `data` in the answer, per success status. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** The answer carries `access.token` beside `data`. */
  readonly access?: boolean;
  /** Exists in sandbox mode only. */
  readonly sandbox?: boolean;
}
