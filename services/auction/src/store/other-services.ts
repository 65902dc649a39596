import { BidLinks } from '@procurement/contracts/events/bid.events';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { problem, unavailable } from '@procurement/contracts/problems/problems';
import { AuctionBid } from '@procurement/contracts/resources/auction';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { remainingMs, type Caller } from '@procurement/kit/runtime/caller';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { z } from 'zod';
import type { PublicTender } from '../domain/auction-record.ts';
import type { OfferedBid } from '../domain/hand-off.ts';

/** The public view of a tender: the text of the answer, and the parsed `data`. */
export interface TenderView {
  readonly text: string;
  readonly publicTender: PublicTender;
}

/** Requests to other services, which wait as long as `caller` does. Responses are neither stored nor logged. */
export interface OtherServices {
  /** The factor of the bus (`Bus.waitFactor`). */
  readonly waitFactor: number;
  /** The sealed bids with their offers, in order of registration. Throws 503 when the bids service is unavailable. */
  offeredBids(tenderId: string, caller?: Caller): Promise<readonly OfferedBid[]>;
  /** Version of the auction's links that the bids have; null before the first. Throws 503 when the bids service is unavailable. */
  linksVersion(tenderId: string): Promise<number | null>;
  /** The public view of the tender. Throws 503 when the tenders service is unavailable, 404 for an unknown tender. */
  view(tenderId: string, caller?: Caller): Promise<TenderView>;
}

const SealedSet = z.object({ bids: z.array(AuctionBid.extend({ id: z.string() })) });
const period = z.looseObject({ startDate: z.string().optional(), endDate: z.string().optional() });
const PublicTenderSchema = z.looseObject({
  tenderID: z.string(),
  dateModified: z.string(),
  status: z.string(),
  auctionPeriod: period.optional(),
  auctionUrl: z.string().optional(),
  features: z.array(z.unknown()).optional(),
  lots: z
    .array(
      z.looseObject({
        id: z.string(),
        status: z.string(),
        auctionPeriod: period.optional(),
        auctionUrl: z.string().optional(),
      }),
    )
    .optional(),
  awards: z.array(z.looseObject({ id: z.string(), status: z.string(), lotID: z.string().optional() })).optional(),
});
const ViewSchema = z.object({ data: PublicTenderSchema });

const UNAVAILABLE = unavailable(5);

export function otherServices(bus: Bus): OtherServices {
  async function requestById(subject: string, id: string, caller?: Caller): Promise<unknown> {
    const timeoutMs = caller === undefined ? undefined : remainingMs(caller);
    const response = await sendRequest(bus, subject, { id }, timeoutMs, caller?.trace);
    if (response.kind === 'unavailable') throw new ProblemError(UNAVAILABLE);
    return response.value;
  }

  return {
    waitFactor: bus.waitFactor,

    async offeredBids(tenderId, caller) {
      return SealedSet.parse(await requestById(rpcSubjects.sealedBids, tenderId, caller)).bids;
    },

    async linksVersion(tenderId) {
      return BidLinks.parse(await requestById(rpcSubjects.bidLinks, tenderId)).version;
    },

    async view(tenderId, caller) {
      const text = await requestById(rpcSubjects.tenderView, tenderId, caller);
      if (typeof text !== 'string') throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
      return { text, publicTender: ViewSchema.parse(JSON.parse(text)).data };
    },
  };
}
