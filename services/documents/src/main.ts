import { askSubjects, streams } from '@procurement/contracts/events/subjects';
import { answer } from '@procurement/kit/ask';
import { JSON_BYTES_MAX } from '@procurement/kit/request-body';
import { runService } from '@procurement/kit/run-service';
import { mountRoutes } from './app.ts';
import { startSweeping } from './clock/sweep.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { bidDocumentsOf } from './events/answer-bid-documents.ts';
import { attachBidDocuments } from './events/attach-bid-documents.ts';
import { followed } from './follows.ts';

const settings = config(process.env);

await runService({
  name: 'documents',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  publishes: streams.documents,
  // Of what is read whole; files stream past it.
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    answer(base.bus, askSubjects.bidDocuments, base.log, bidDocumentsOf(deps));
    answer(base.bus, askSubjects.attachDocuments, base.log, attachBidDocuments(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      follows: followed(deps),
      runs: () => startSweeping({ ...deps, metrics: base.metrics }),
    };
  },
});
