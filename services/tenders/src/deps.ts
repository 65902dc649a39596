import type { Clock } from '@procurement/kit/time';
import type { Mint } from '@procurement/kit/ids';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Instant } from '@procurement/contracts/instant';
import type { Config } from './config.ts';
import type { TenderSettings } from './domain/tender.ts';
import type { FeedSecrets } from './http/list-tenders/feed-query.ts';
import { closings, type Closings } from './store/closings.store.ts';
import { factsStore, type FactsStore } from './store/facts.store.ts';
import { feedStore, type FeedStore } from './store/feed.store.ts';
import { tenderNumbers } from './store/tender-number.ts';
import { tendersStore, type TendersStore } from './store/tenders.store.ts';

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly settings: TenderSettings;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly tenders: TendersStore;
  readonly facts: FactsStore;
  readonly closings: Closings;
  readonly feed: FeedStore;
  readonly feedSecrets: FeedSecrets;
}

/** The composition root. `due` is told whenever a deadline is stored. */
export function makeDeps(config: Config, base: ServiceBase, due: (at: Instant) => void): Deps {
  const { clock, mint, pool, outbox, log } = base;
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const settings: TenderSettings = {
    sandbox: config.SANDBOX_MODE,
    strictTestMode: config.STRICT_TEST_MODE,
    complaintsMode: config.COMPLAINTS_MODE,
    legacyGuardsOpen: guards === 'open',
    serverId: config.SERVER_ID,
  };
  const facts = factsStore({ pool, outbox, clock, log, settings, due });
  return {
    config,
    settings,
    clock,
    mint,
    tenders: tendersStore({ pool, outbox, clock, settings, due, mintTenderId: tenderNumbers(pool, config.SERVER_ID) }),
    facts,
    closings: closings(pool, facts),
    feed: feedStore(pool),
    feedSecrets: { epoch: config.FEED_EPOCH, secret: config.FEED_SECRET },
  };
}
