import { z } from 'zod';

/**
 * Request to run what is due of one tender, at its own time. The owner first requests the tender's facts, with its clock, so it does not
 * matter whether the event of the moved clock has arrived.
 */
export const RunDueRequest = z.object({
  /** Id of the tender. */
  id: z.string(),
});
export type RunDueRequest = z.infer<typeof RunDueRequest>;

/** Response to `ask.awards.run-due`: the version of the newest `award.changed` of the tender; 0 before the first. */
export const AwardsRun = z.object({ version: z.int() });
export type AwardsRun = z.infer<typeof AwardsRun>;

const Auctions = z.array(z.object({ lot: z.string().optional() }));

/** Response to `ask.auction.run-due`: auctions of a special mode whose address, or whose results, are published. */
export const AuctionRun = z.object({ published: Auctions, reported: Auctions });
export type AuctionRun = z.infer<typeof AuctionRun>;
