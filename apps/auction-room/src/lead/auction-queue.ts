/** `first`: stages and offers, before what else happens to the auction. */
export type Lane = 'first' | 'rest';

/** Runs the work on one auction one by one, in the order in which it came to its lane; different auctions run beside each other. */
export interface AuctionQueue {
  run<T>(auctionId: string, lane: Lane, work: () => Promise<T>): Promise<T>;
}

type Waiting = Readonly<Record<Lane, (() => Promise<void>)[]>>;

export function makeAuctionQueue(): AuctionQueue {
  const waiting = new Map<string, Waiting>();

  async function work(auctionId: string, { first, rest }: Waiting): Promise<void> {
    for (let next = first.shift() ?? rest.shift(); next !== undefined; next = first.shift() ?? rest.shift())
      await next();
    waiting.delete(auctionId);
  }

  return {
    async run(auctionId, lane, own) {
      return new Promise((resolve, reject) => {
        const queue = waiting.get(auctionId) ?? { first: [], rest: [] };
        // Work that failed is its caller's matter, not that of the next in the queue.
        queue[lane].push(async () => own().then(resolve, reject));
        if (waiting.has(auctionId)) return;
        waiting.set(auctionId, queue);
        void work(auctionId, queue);
      });
    },
  };
}
