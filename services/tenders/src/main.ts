import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { answer } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { startScheduler, type Scheduler } from '@procurement/kit/scheduler';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { tenderFactsOf, tenderViewOf } from './events/answer-facts.ts';
import { onAuctionPlanned } from './events/on-auction-planned.ts';
import { onAuctionPublished } from './events/on-auction-published.ts';
import { onAwardChanged } from './events/on-award-changed.ts';
import { onBidChanged } from './events/on-bid-changed.ts';
import { onBidOpened } from './events/on-bid-opened.ts';
import { onBidResultsApplied } from './events/on-bid-results-applied.ts';
import { onBidSetSealed } from './events/on-bid-set-sealed.ts';
import { onDocumentChanged } from './events/on-document-changed.ts';
import { nextDue } from './store/load-tenders.ts';

const settings = config(process.env);

await runService({
  name: 'tenders',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.tenders,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    let scheduler: Scheduler | undefined;
    const deps = makeDeps(settings, base, (at) => scheduler?.wake(at));
    answer(base.bus, askSubjects.tenderFacts, base.log, tenderFactsOf(deps));
    answer(base.bus, askSubjects.tenderView, base.log, tenderViewOf(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      follows: [
        onBidChanged,
        onBidSetSealed(deps.facts),
        onBidOpened(deps.facts),
        onAwardChanged(deps.facts),
        onAuctionPlanned(deps.facts),
        onAuctionPublished(deps.facts),
        onBidResultsApplied(deps.facts),
        onDocumentChanged(deps.facts),
      ],
      runs: () => {
        scheduler = startScheduler({
          ...base,
          runDue: async (max) => deps.facts.runDue(max),
          nextDue: async () => nextDue(base.pool),
        });
        return scheduler;
      },
    };
  },
});
