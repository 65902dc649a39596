import { rpcSubjects, signalSubjects, streams } from '@procurement/contracts/events/subjects';
import { answerLines } from '@procurement/kit/messaging/request/request-lines';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { refusingWrites } from '@procurement/kit/messaging/publish/told-events';
import { respondFactPages } from '@procurement/kit/messaging/repair/fact-pages';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import type { Scheduler } from '@procurement/kit/service/scheduler';
import { startServiceClock } from '@procurement/kit/service/service-clock';
import { mountRoutes } from './app.ts';
import { askAgain } from './clock/ask-again.ts';
import { startPurging } from './clock/purge.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { respondComplaintsFreeze } from './events/respond-complaints-freeze.ts';
import { respondClaimTransfer, respondTransfer } from './events/respond-transfer.ts';
import { respondCensus, respondListing, respondPublications } from './events/respond-publications.ts';
import { respondTenderFacts, respondTenderView } from './events/respond-tender.ts';
import { onAuctionPlanned } from './events/on-auction-planned.ts';
import { onAuctionPublished } from './events/on-auction-published.ts';
import { onAwardChanged } from './events/on-award-changed.ts';
import { onBidOpened } from './events/on-bid-opened.ts';
import { onBidResultsApplied } from './events/on-bid-results-applied.ts';
import { onBidSetErased } from './events/on-bid-set-erased.ts';
import { onBidSetSealed } from './events/on-bid-set-sealed.ts';
import { onDocumentChanged } from './events/on-document-changed.ts';
import { nextDue } from './store/load-tenders.ts';
import { factSources } from './store/fact-sources.ts';
import { beginFeedEpoch } from './store/publication-log.ts';
import { skipTenderNumbers } from './store/tender-number.ts';
import { publicationPages } from './store/publication-pages.ts';

const settings = settingsOrExit(config);

/** One handle for several background workers. */
function stopAll(...workers: readonly { stop(): Promise<void> }[]): { stop(): Promise<void> } {
  return {
    stop: async () => {
      await Promise.all(workers.map(async (worker) => worker.stop()));
    },
  };
}

await runService({
  name: 'tenders',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.tenders,
  versioned: ['tender'],
  skipNumbers: skipTenderNumbers,
  commitSignal: signalSubjects.tendersPublished,
  bodyBytesMax: JSON_BYTES_MAX,
  assemble: (base) => {
    let scheduler: Scheduler | undefined;
    const deps = makeDeps(settings, base, (at) => scheduler?.wake(at));
    respondTo(base.bus, rpcSubjects.tenderFacts, base.log, respondTenderFacts(deps));
    respondTo(base.bus, rpcSubjects.tenderView, base.log, respondTenderView(deps));
    respondTo(base.bus, rpcSubjects.transfer, base.log, respondTransfer(deps));
    respondTo(base.bus, rpcSubjects.claimTransfer, base.log, refusingWrites(base.relay, respondClaimTransfer(deps)));
    respondTo(base.bus, rpcSubjects.cancellationOutcome, base.log, async (request) =>
      deps.cancellations.respondOutcome(request),
    );
    respondTo(base.bus, rpcSubjects.freezeComplaints, base.log, respondComplaintsFreeze(deps));
    respondFactPages(base, streams.tenders, factSources(base.pool));
    const pages = publicationPages(base.pool);
    answerLines(base.bus, rpcSubjects.tenderPublications, base.log, respondPublications(pages));
    answerLines(base.bus, rpcSubjects.tenderListing, base.log, respondListing(pages));
    respondTo(base.bus, rpcSubjects.tenderCensus, base.log, respondCensus(pages));
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [
        onBidSetSealed(deps.externalInputs),
        onBidSetErased,
        onBidOpened(deps.externalInputs),
        onAwardChanged(deps.externalInputs),
        onAuctionPlanned(deps.externalInputs),
        onAuctionPublished(deps.externalInputs),
        onBidResultsApplied(deps.externalInputs),
        onDocumentChanged(deps.externalInputs),
      ],
      prepare: async () => beginFeedEpoch(base.pool, settings.FEED_EPOCH),
      freeze: deps.complaintsFreeze,
      flows: askAgain({ ...base, settings: deps.settings }),
      details: deps.clockFailures.details,
      onEventsApplied: () => scheduler?.checkSoon(),
      startBackground: () => {
        const { externalInputs: rows, clockFailures: failures, transfers } = deps;
        scheduler = startServiceClock({ service: 'tenders', base, rows, failures, nextDue });
        return stopAll(scheduler, startPurging({ ...base, transfers, publicationDays: settings.PUBLICATION_DAYS }));
      },
    };
  },
});
