import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { ResponseSettings } from '../answer/response-headers.ts';
import type { TextWork } from '../answer/text-work.ts';
import type { KeyRing } from '../auth/key-ring.ts';
import type { Config } from '../config.ts';
import type { Limits } from '../limits/limits.ts';
import type { RoutesTable } from '../request/routes.table.ts';

/** What the hooks of every request and answer need. */
export interface HookDeps extends Pick<Limits, 'rateLimit' | 'delayRefusal' | 'concurrency' | 'pressure'> {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly table: RoutesTable;
  readonly keys: KeyRing;
  readonly responseSettings: ResponseSettings;
  readonly textWork: TextWork;
  /** Set when the server closes: requests that still come are refused. */
  readonly state: { readonly closing: boolean };
}
