import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { respondFactPages } from '@procurement/kit/messaging/repair/fact-pages';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import { startScheduler, type Scheduler } from '@procurement/kit/service/scheduler';
import { mountRoutes } from './app.ts';
import { askAgain } from './clock/ask-again.ts';
import { respondRunDue } from './clock/respond-run-due.ts';
import { runTasks } from './clock/run-tasks.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { respondAuctionResults, respondAuctionUrls } from './events/respond-auctions.ts';
import { respondFreeze } from './events/respond-freeze.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';
import { factSources } from './store/fact-sources.ts';

const settings = settingsOrExit(config);

await runService({
  name: 'auction',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.auction,
  versioned: ['auction_version'],
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    let scheduler: Scheduler | undefined;
    const deps = makeDeps(settings, base);
    respondTo(base.bus, rpcSubjects.auctionResults, base.log, respondAuctionResults(deps));
    respondTo(base.bus, rpcSubjects.auctionUrls, base.log, respondAuctionUrls(deps));
    respondTo(base.bus, rpcSubjects.runDueAuction, base.log, respondRunDue(deps));
    respondTo(base.bus, rpcSubjects.freezeAuction, base.log, respondFreeze(deps));
    respondFactPages(base, streams.auction, factSources(base.pool));
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [onTenderChanged(deps)],
      freeze: deps.freeze,
      flows: askAgain(deps),
      // Events schedule tasks.
      onEventsApplied: () => scheduler?.checkSoon(),
      startBackground: () => {
        scheduler = startScheduler({
          ...base,
          runDue: async (max) => runTasks(deps, max),
          nextDue: async () => deps.tasks.nextDue(),
        });
        return scheduler;
      },
    };
  },
});
