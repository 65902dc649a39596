import type { AuctionPlan } from '../src/domain/auction.ts';
import { buildPlan, plannedAt, type Fixture } from './fixtures.ts';
import type { TestReplica } from './replica.ts';

/** The plan of a fixture under another id. */
export function planAs(fixture: Fixture, auctionId: string): AuctionPlan {
  return { ...buildPlan(fixture), id: auctionId, tenderId: auctionId };
}

/** Plans the auction of a fixture under this id. */
export async function planFixture({ auctions }: TestReplica, fixture: Fixture, auctionId: string): Promise<void> {
  await auctions.run({
    auctionId,
    command: { type: 'Plan', plan: planAs(fixture, auctionId) },
    now: plannedAt(fixture),
    actor: 'follower',
  });
}
