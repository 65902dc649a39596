import { addressRequest } from '../domain/addresses.ts';
import { linkHash } from '../session/links.ts';
import { failure, isDone, type Outcome, type TaskContext } from './outcome.ts';

/** Publishes the address of the auction and the link of every bidder (auction-room.md 7.3). A repeat is the same text. */
export async function publishLinks(context: TaskContext): Promise<Outcome> {
  const { auction, service, publicUrl, keys } = context;
  const auctionId = auction.plan.id;
  const { method, path, body } = addressRequest(auction, {
    publicUrl,
    linkOf: (bid, generation) => {
      const query = new URLSearchParams({ bidder_id: bid, hash: linkHash(keys, { auctionId, bid, generation }) });
      return `${publicUrl}/tenders/${auctionId}/login?${query.toString()}`;
    },
  });
  const answer = await service.send({ method, path, data: body.data });
  return isDone(answer) ? { commands: [{ type: 'NoteLinks' }] } : failure(answer, context);
}
