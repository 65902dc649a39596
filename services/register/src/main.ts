import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { runService } from '@procurement/kit/runtime/run-service';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';

const settings = config(process.env);

await runService({
  name: 'register',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    return { routes: (app) => mountRoutes(app, deps), subscriptions: [] };
  },
});
