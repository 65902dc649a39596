import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { refusingWrites } from '@procurement/kit/messaging/publish/told-events';
import { respondFactPages } from '@procurement/kit/messaging/repair/fact-pages';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import { mountRoutes } from './app.ts';
import { askAgain } from './clock/ask-again.ts';
import { startSweeping } from './clock/sweep-files.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { respondBidDocuments } from './events/respond-bid-documents.ts';
import { respondOpenBidDocuments } from './events/respond-open-bid-documents.ts';
import { respondAttachBidDocuments } from './events/respond-attach-bid-documents.ts';
import { respondPreviewBidDocuments } from './events/respond-preview-bid-documents.ts';
import { respondFreeze } from './events/respond-freeze.ts';
import { subscriptions } from './subscriptions.ts';
import { factSources } from './store/fact-sources.ts';

const settings = settingsOrExit(config);

await runService({
  name: 'documents',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.documents,
  versioned: ['tender_documents'],
  // Limit of bodies that are read whole; files are streamed.
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    respondTo(base.bus, rpcSubjects.bidDocuments, base.log, respondBidDocuments(deps));
    respondTo(
      base.bus,
      rpcSubjects.attachDocuments,
      base.log,
      refusingWrites(base.relay, respondAttachBidDocuments(deps)),
    );
    respondTo(base.bus, rpcSubjects.previewDocuments, base.log, respondPreviewBidDocuments(deps));
    respondTo(base.bus, rpcSubjects.freezeDocuments, base.log, respondFreeze(deps));
    respondFactPages(base, streams.documents, factSources(base.pool, deps.signedUrls.permanent));
    respondTo(base.bus, rpcSubjects.openBidDocuments, base.log, respondOpenBidDocuments(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: subscriptions(deps),
      freeze: deps.freeze,
      flows: askAgain(deps),
      startBackground: () => startSweeping({ ...deps, metrics: base.metrics }),
    };
  },
});
