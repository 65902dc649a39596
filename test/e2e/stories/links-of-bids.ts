import { until, type Broker, type Json } from '../../support/broker.ts';

/** A bid with the client of its owner; `path` has the token. */
export interface OwnBid {
  readonly client: Broker;
  readonly path: string;
}

/** The bid that an answer to its POST created. */
export function ownBid(client: Broker, path: string, { data, access }: Json): OwnBid {
  return { client, path: `${path}/bids/${data.id}?acc_token=${access.token}` };
}

/** Waits until every bid has its link; with `lot`, the link of that place in `lotValues`. */
export async function linksOfBids(bids: readonly OwnBid[], lot?: number): Promise<readonly string[]> {
  return Promise.all(
    bids.map(async ({ client, path }) =>
      until('the link of a bidder', async () => {
        const { data } = (await client.get(path)).body;
        return lot === undefined ? data.participationUrl : data.lotValues[lot].participationUrl;
      }),
    ),
  );
}
