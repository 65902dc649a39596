import { readFileSync } from 'node:fs';
import type { DocumentFacts } from '@procurement/contracts/events/document.events';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { NO_HOLIDAYS, readCalendar } from '@procurement/contracts/working-days';
import type { Mint } from '@procurement/kit/ids';
import { readReplica, type Replica } from '@procurement/kit/replica';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Config } from './config.ts';
import type { AwardSettings } from './domain/awarding.ts';
import { documentReplica } from './events/on-document-changed.ts';
import { awardingsStore, type AwardingsStore } from './store/awardings.store.ts';
import { bidders, type BiddersOf } from './store/bidders.ts';
import { factsStore, type FactsStore } from './store/facts.store.ts';
import { tenderItems, type ItemsOf } from './store/tender-items.ts';

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly mint: Mint;
  readonly settings: AwardSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly documents: Replica<DocumentFacts>;
  readonly biddersOf: BiddersOf;
  readonly itemsOf: ItemsOf;
  readonly awardings: AwardingsStore;
  readonly facts: FactsStore;
}

/**
 * The composition root. `due` is told whenever a deadline is stored. Throws when CALENDAR_FILE names a file that cannot be
 * read: dates would be wrong without it.
 */
export function makeDeps(config: Config, base: ServiceBase, due: (at: Instant) => void): Deps {
  const { clock, mint, pool, outbox, log, bus } = base;
  const { CALENDAR_FILE: calendar } = config;
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const settings: AwardSettings = {
    sandbox: config.SANDBOX_MODE,
    complaintsMode: config.COMPLAINTS_MODE,
    legacyGuardsOpen: guards === 'open',
    serverId: config.SERVER_ID,
    calendar: calendar === undefined ? NO_HOLIDAYS : readCalendar(readFileSync(calendar, 'utf8')),
  };
  const tenders = readReplica(tenderReplica, base);
  const itemsOf = tenderItems(bus);
  return {
    config,
    mint,
    settings,
    tenders,
    documents: readReplica(documentReplica, base),
    biddersOf: bidders(pool),
    itemsOf,
    awardings: awardingsStore({ pool, outbox, clock, mint, settings, due }),
    facts: factsStore({ pool, outbox, clock, mint, log, settings, tenders, itemsOf, due }),
  };
}
