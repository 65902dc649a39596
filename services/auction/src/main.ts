import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { answer } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { startScheduler } from '@procurement/kit/scheduler';
import { mountRoutes } from './app.ts';
import { runTasks } from './clock/run-tasks.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { auctionResultsOf, auctionUrlsOf } from './events/answer-auctions.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';

const settings = config(process.env);

await runService({
  name: 'auction',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.auction,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    answer(base.bus, askSubjects.auctionResults, base.log, auctionResultsOf(deps));
    answer(base.bus, askSubjects.auctionUrls, base.log, auctionUrlsOf(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      follows: [onTenderChanged(deps)],
      runs: () =>
        startScheduler({
          ...base,
          runDue: async (max) => runTasks(deps, max),
          nextDue: async () => deps.tasks.nextDue(),
        }),
    };
  },
});
