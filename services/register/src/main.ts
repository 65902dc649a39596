import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { runService } from '@procurement/kit/runtime/run-service';
import { mountRoutes } from './app.ts';
import { reindex, startIndexing } from './clock/index-terms.ts';
import { packDay, startPacking } from './clock/pack-texts.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { startFollower, type Follower } from './events/follow-publications.ts';
import { verify } from './events/verify.ts';
import { followDetails, followUnready } from './store/follow-health.ts';
import { packingStore } from './store/packing.store.ts';

const settings = config(process.env);

await runService({
  name: 'register',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  bodyBytesMax: JSON_BYTES_MAX,
  commands: {
    verify: async (args, context, print) => verify(args, { ...context, print }),
    pack: async (args, { pool, log }, print) => packDay(args, packingStore({ pool, log }), print),
    reindex: async (args, { pool, log }, print) => reindex(args, { pool, log }, print),
  },
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    let follower: Follower | undefined;
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [],
      unready: async () => followUnready(base.pool),
      details: async () => [...(follower?.problems() ?? []), ...(await followDetails(base.pool))],
      startBackground: () => {
        const following = startFollower({ ...base, databaseUrl: settings.DATABASE_URL });
        follower = following;
        const packing = startPacking({ ...base, packing: packingStore(base) });
        const indexing = startIndexing(base);
        return {
          stop: async () => void (await Promise.all([following, packing, indexing].map(async (one) => one.stop()))),
        };
      },
    };
  },
});
