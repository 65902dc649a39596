import { streams } from '@procurement/contracts/events/subjects';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';

const settings = config(process.env);

await runService({
  name: 'auction',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.auction,
  bodyBytesMax: JSON_BYTES_MAX,
  // No operation of its own yet: it follows tenders, plans their auctions, and tells in /ready how far it is.
  assemble: (base) => ({ routes: () => undefined, follows: [onTenderChanged(makeDeps(settings, base))] }),
});
