/** Runs the work on one auction in the order in which it came; different auctions run beside each other. */
export interface AuctionQueue {
  run<T>(auctionId: string, work: () => Promise<T>): Promise<T>;
}

export function makeAuctionQueue(): AuctionQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(auctionId, work) {
      const before = last.get(auctionId) ?? Promise.resolve();
      // Work that failed is its caller's matter, not that of the next in the queue.
      const done = before.then(work, work);
      last.set(auctionId, done);
      try {
        return await done;
      } finally {
        if (last.get(auctionId) === done) last.delete(auctionId);
      }
    },
  };
}
