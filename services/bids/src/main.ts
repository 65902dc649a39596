import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { respondSealedBids } from './events/answer-sealed-bids.ts';
import { subscriptions } from './follows.ts';

const settings = config(process.env);

await runService({
  name: 'bids',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.bids,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    respondTo(base.bus, rpcSubjects.sealedBids, base.log, respondSealedBids(deps));
    return { routes: (app) => mountRoutes(app, deps), subscriptions: subscriptions(deps) };
  },
});
