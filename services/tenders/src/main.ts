import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { answer } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { tenderFactsOf } from './events/answer-facts.ts';
import { onBidChanged } from './events/on-bid-changed.ts';

const settings = config(process.env);

await runService({
  name: 'tenders',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.tenders,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    answer(base.bus, askSubjects.tenderFacts, base.log, tenderFactsOf(deps));
    return { routes: (app) => mountRoutes(app, deps), follows: [onBidChanged] };
  },
});
