import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Auction } from '../domain/auction.ts';
import { isLinkHash, linkName } from '../session/links.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { refuse } from './refuse.ts';
import { readAgain } from './request.ts';

/** Generation to compare with for bidders that do not exist, so that the answer takes the same time. */
const NOBODY = 1;

/** What a secret opens, by the newest state. */
export interface LinkCheck {
  readonly auction: Auction;
  /** Generation of the bid's link; undefined for an unknown bidder. */
  readonly generation: number | undefined;
  readonly isRight: boolean;
}

/**
 * Checks the secret of a link. The newest state decides: a link may have been renewed at another replica. A secret that the
 * last seen state accepts is not counted for its address, so nobody locks out the others of an office. Throws RateExceededError.
 */
export async function checkLink(
  deps: Deps,
  request: FastifyRequest,
  seen: SeenAuction,
  { bid, hash }: { readonly bid: string; readonly hash: string },
): Promise<LinkCheck> {
  const before = compare(deps, seen.auction, bid, hash);
  const { generation, isRight } = before;
  const reader =
    isRight && generation !== undefined ? linkName({ auctionId: seen.auction.plan.id, bid, generation }) : request.ip;
  const { auction } = await readAgain(deps, seen, reader);
  return compare(deps, auction, bid, hash);
}

/** Refuses an address, or everybody at an auction, that sends too many wrong secrets. */
export function maySendWrongSecret({ limits }: Deps, request: FastifyRequest, auctionId: string): boolean {
  return limits.logins.take(request.ip) && limits.loginsOfAuction.take(auctionId);
}

/** 429 for one that `maySendWrongSecret` refuses. */
export function refuseWrongSecret({ limits }: Deps, reply: FastifyReply): FastifyReply {
  return refuse(reply, 'rate.exceeded', limits.logins.retryAfterSeconds);
}

function compare({ settings }: Deps, auction: Auction, bid: string, hash: string): LinkCheck {
  const generation = auction.bids.find(({ id }) => id === bid)?.generation;
  const owner = { auctionId: auction.plan.id, bid, generation: generation ?? NOBODY };
  const isRight = isLinkHash(settings.ROOM_SECRETS, owner, hash) && generation !== undefined;
  return { auction, generation, isRight };
}
