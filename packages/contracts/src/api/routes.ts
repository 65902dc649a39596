import { bidsApi } from './bids.api.ts';
import type { RouteContract } from './route.ts';
import { tendersApi } from './tenders.api.ts';

/** Every operation of the public API. The gateway routes, `/spore` and OpenAPI are made of this one list. */
export const routes: readonly RouteContract[] = [...Object.values(tendersApi), ...Object.values(bidsApi)];
