import type { z } from 'zod';
import type { RateClass } from './rates.ts';

/** The service that answers an operation. */
export type OwnerService = 'tenders' | 'bids' | 'awards' | 'documents' | 'auction' | 'register' | 'ledger';

/** Services whose writes follow `opt_dry_run` (decision 0111); a dry run of another service's write is refused, never done. */
export const DRY_RUN_OWNERS: ReadonlySet<OwnerService> = new Set(['tenders', 'bids', 'awards', 'documents', 'auction']);

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Version segments of the path, newest first. Services work in the payloads of `2.5` only (generations.md 1). */
export type Segment = '2.5' | '2.3' | '0' | '0.1';

/** A request that a service sends to an address of a client. */
export interface SentMessage {
  readonly summary: string;
  readonly description: string;
  readonly body: z.ZodType;
  readonly headers: z.ZodObject;
  /** The body that the client answers with, if the service reads it. */
  readonly answer?: z.ZodType;
  readonly example: unknown;
}

/**
 * One operation of the public API. The gateway routes by it, the owner mounts it, OpenAPI and SPORE are generated from it.
 * Paths are relative to `/api/<segment>`; parameters have the names that errors use (`tender_id`).
 */
export interface RouteContract {
  /** `getTender`: the operationId of OpenAPI. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly owner: OwnerService;
  /** Name in `/spore` (http.md 6.4). */
  readonly spore: string;
  readonly summary: string;
  /** Two or three sentences for developers of clients: who may call it, when, and with what effect. */
  readonly description: string;
  readonly segments: readonly Segment[];
  /** The path is below `/api` and not below a segment; `segments` says whose descriptions show it. */
  readonly outsideSegments?: true;
  /** The answer has no `data` envelope. */
  readonly bare?: boolean;
  /** Media type of a success answer that is not `application/json`. */
  readonly mediaType?: string;
  readonly query?: z.ZodObject;
  /** Parameters that only segment 2.5 has, beside those of `query`. */
  readonly queryOf25?: z.ZodObject;
  /**
   * Schema of `data` in the request body. The owner of the route parses by this very object, so OpenAPI cannot drift from it
   * (`tools/body-schemas.test.ts`). A PATCH is merged into the stored object first, and the schema describes the result.
   */
  readonly body?: z.ZodType;
  /** Schemas of the older segments that may send less (rulings R13, generations.md 5.7); the others send `body`. */
  readonly bodyBySegment?: Readonly<Partial<Record<Segment, z.ZodType>>>;
  /** The schemas that hold for a tender without auction (rulings R44). */
  readonly withoutAuction?: BodySchemas;
  /** Members beside `data` that the service reads on segment 2.5. */
  readonly sentBeside?: Readonly<Record<string, z.ZodType>>;
  /** The body may be a file instead, as multipart/form-data (http.md 2.3). */
  readonly upload?: boolean;
  /** Takes the place of `body` in sandbox mode. */
  readonly sandboxBody?: z.ZodType;
  /** Shape of `data` in the answer, per success status. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** The answer is a stream of server-sent events that does not end; the schemas of `responses` are of the data of one event. */
  readonly stream?: true;
  /** The answer is a file of this type, which the gateway passes on unchanged; ranges of it may be asked for. */
  readonly file?: string;
  /** The gateway passes the answer on unchanged where this parameter is 1: it writes no links, and neither formats nor compresses it. */
  readonly unchangedWith?: string;
  /** The same for every answer. */
  readonly unchanged?: true;
  /** Members of a success answer beside `data`, on segment 2.5. */
  readonly beside?: Readonly<Record<string, z.ZodType>>;
  /** A success answer for the descriptions, of an operation that no recording has. */
  readonly example?: unknown;
  /** The body of the request of such an operation. */
  readonly exampleRequest?: unknown;
  /** Counts by the rate of this class instead of that of reads. */
  readonly rateClass?: RateClass;
  /** The answer may hold what is sealed: reads by privileged callers are recorded (decision 0071). */
  readonly sealed?: true;
  /** The answer to the owner carries the header `Procurement-Receipt` (proof.md 5.3). */
  readonly receipt?: true;
  /** The answer carries `access.token` beside `data`. */
  readonly access?: boolean;
  /** What the service sends to an address that the operation has set, by name. */
  readonly sends?: Readonly<Record<string, SentMessage>>;
  /** Exists in sandbox mode only. */
  readonly sandbox?: boolean;
}

type BodySchemas = Pick<RouteContract, 'body' | 'bodyBySegment' | 'sandboxBody'>;

/** The schema of `data` that clients of a segment send; undefined for a route without a body. */
export function bodySchema(
  { body, bodyBySegment, sandboxBody }: BodySchemas,
  segment: Segment,
  { sandbox }: { readonly sandbox: boolean },
): z.ZodType | undefined {
  return bodyBySegment?.[segment] ?? (sandbox ? sandboxBody : undefined) ?? body;
}
