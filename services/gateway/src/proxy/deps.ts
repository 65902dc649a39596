import type { ServerResponse } from 'node:http';
import type { RouteContract } from '@procurement/contracts/api/route';
import type { ResponseSettings } from '../answer/response-headers.ts';
import type { TextWork } from '../answer/text-work.ts';
import type { IdentityClaims } from '../auth/caller.ts';
import type { Config } from '../config.ts';
import type { Codec } from '../generations/codec.ts';
import type { PublicSegment } from '../generations/segments.ts';
import type { IdempotencyDeps } from '../idempotency/replay.ts';
import type { Limits } from '../limits/limits.ts';
import type { RoutesTable } from '../request/routes.table.ts';
import type { ReadTogether } from './read-together.ts';
import type { Upstreams } from './upstreams.ts';

/** What forwarding a request needs. */
export interface ProxyDeps extends IdempotencyDeps, Omit<Limits, 'pressure'> {
  readonly config: Config;
  readonly contracts: readonly RouteContract[];
  readonly table: RoutesTable;
  readonly codecs: (segment: PublicSegment) => Codec;
  readonly responseSettings: ResponseSettings;
  readonly upstreams: Upstreams;
  /** Hot reads, all of which tenders answers. */
  readonly readTogether: ReadTogether;
  readonly signIdentity: (claims: IdentityClaims) => string;
  readonly textWork: TextWork;
  /** Answers that have no end of their own: closed with the server. */
  readonly openStreams: Set<ServerResponse>;
}
