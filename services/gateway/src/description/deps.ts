import type { RouteContract } from '@procurement/contracts/api/route';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { ResponseSettings } from '../answer/response-headers.ts';
import type { Config } from '../config.ts';
import type { HealthWatch } from './health-watch.ts';

/** What the gateway's own endpoints and pages need. */
export interface DescriptionDeps {
  readonly config: Config;
  readonly metrics: Metrics;
  readonly contracts: readonly RouteContract[];
  readonly responseSettings: ResponseSettings;
  readonly health: HealthWatch;
  /** True from when the process listens to the signal to end. */
  readonly isServing: () => boolean;
}
