import type { Clock } from '@procurement/kit/time';
import type { Mint } from '@procurement/kit/ids';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Config } from './config.ts';
import type { FeedSecrets } from './http/list-tenders/feed-query.ts';
import { feedStore, type FeedStore } from './store/feed.store.ts';
import { tenderNumbers } from './store/tender-number.ts';
import { tendersStore, type TendersStore } from './store/tenders.store.ts';

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly tenders: TendersStore;
  readonly feed: FeedStore;
  readonly feedSecrets: FeedSecrets;
}

/** The composition root. */
export function makeDeps(config: Config, base: ServiceBase): Deps {
  const { clock, mint, pool, outbox } = base;
  return {
    config,
    clock,
    mint,
    tenders: tendersStore({
      pool,
      outbox,
      clock,
      mint,
      mintTenderId: tenderNumbers(pool, config.SERVER_ID),
      settings: { sandbox: config.SANDBOX_MODE, strictTestMode: config.STRICT_TEST_MODE },
    }),
    feed: feedStore(pool),
    feedSecrets: { epoch: config.FEED_EPOCH, secret: config.FEED_SECRET },
  };
}
