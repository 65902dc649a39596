import { streams } from '@procurement/contracts/events/subjects';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { config } from './config.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';

await runService({
  name: 'documents',
  config: config(process.env),
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.documents,
  bodyBytesMax: JSON_BYTES_MAX,
  // No operation of its own yet: it follows tenders, and tells in /ready how far it is.
  assemble: () => ({ routes: () => undefined, follows: [onTenderChanged] }),
});
