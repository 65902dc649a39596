import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { answer } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { sealedBidsOf } from './events/answer-sealed-bids.ts';
import { followed } from './follows.ts';

const settings = config(process.env);

await runService({
  name: 'bids',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.bids,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    answer(base.bus, askSubjects.sealedBids, base.log, sealedBidsOf(deps));
    return { routes: (app) => mountRoutes(app, deps), follows: followed(deps) };
  },
});
