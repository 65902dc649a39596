import { auctionApi } from './auction.api.ts';
import { awardComplaintsApi } from './award-complaints.api.ts';
import { awardsApi } from './awards.api.ts';
import { bidsApi } from './bids.api.ts';
import { cancellationsApi } from './cancellations.api.ts';
import { complaintsApi } from './complaints.api.ts';
import { documentsApi } from './documents.api.ts';
import { contractFeedApi } from './contract-feed.api.ts';
import { contractsApi } from './contracts.api.ts';
import { exportsApi } from './exports.api.ts';
import { historyApi } from './history.api.ts';
import { implementationApi } from './implementation.api.ts';
import { lookupApi } from './lookup.api.ts';
import { lotsApi } from './lots.api.ts';
import { questionsApi } from './questions.api.ts';
import { ocdsApi } from './ocds.api.ts';
import type { RouteContract } from './route.ts';
import { sandboxApi } from './sandbox.api.ts';
import { searchApi } from './search.api.ts';
import { statisticsApi } from './statistics.api.ts';
import { streamApi } from './stream.api.ts';
import { tendersApi } from './tenders.api.ts';
import {
  awardComplaintOwnershipApi,
  bidOwnershipApi,
  complaintOwnershipApi,
  contractOwnershipApi,
  tenderOwnershipApi,
  transfersApi,
} from './transfers.api.ts';
import { webhooksApi } from './webhooks.api.ts';

/** Every operation of the public API that a service answers. */
export const routes: readonly RouteContract[] = [
  tendersApi,
  questionsApi,
  complaintsApi,
  cancellationsApi,
  lotsApi,
  bidsApi,
  documentsApi,
  awardsApi,
  awardComplaintsApi,
  contractsApi,
  contractFeedApi,
  implementationApi,
  auctionApi,
  transfersApi,
  tenderOwnershipApi,
  complaintOwnershipApi,
  bidOwnershipApi,
  awardComplaintOwnershipApi,
  contractOwnershipApi,
  lookupApi,
  historyApi,
  streamApi,
  searchApi,
  ocdsApi,
  webhooksApi,
  statisticsApi,
  exportsApi,
  sandboxApi,
].flatMap((api) => Object.values(api));

/** The operations of a deployment. Those marked `sandbox` exist in sandbox mode only (rulings R18). */
export function selectRoutes({ sandbox }: { readonly sandbox: boolean }): readonly RouteContract[] {
  return routes.filter((route) => sandbox || route.sandbox !== true);
}
