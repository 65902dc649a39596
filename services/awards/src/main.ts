import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { respondFactPages } from '@procurement/kit/messaging/repair/fact-pages';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import type { Scheduler } from '@procurement/kit/service/scheduler';
import { startServiceClock } from '@procurement/kit/service/service-clock';
import { mountRoutes } from './app.ts';
import { askAgain } from './clock/ask-again.ts';
import { respondRunDue } from './clock/respond-run-due.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { onBidChanged } from './events/on-bid-changed.ts';
import { onBidOpened } from './events/on-bid-opened.ts';
import { onDocumentChanged } from './events/on-document-changed.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';
import { respondFreeze } from './events/respond-freeze.ts';
import { respondContractPlace } from './events/respond-contract-place.ts';
import { respondAwardFacts } from './events/respond-award-facts.ts';
import { republishContracts } from './store/republish-contracts.ts';
import { nextDue } from './store/load-awardings.ts';
import { tenderReader } from './store/tender-reader.ts';
import { factSources } from './store/fact-sources.ts';

const settings = settingsOrExit(config);

await runService({
  name: 'awards',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.awards,
  versioned: ['awarding'],
  bodyBytesMax: JSON_BYTES_MAX,
  commands: {
    'republish-contracts': async (args, { pool, log, bus }, print) =>
      republishContracts(args, { pool, log, currentTenders: tenderReader(bus) }, print),
  },
  assemble: (base) => {
    let scheduler: Scheduler | undefined;
    const deps = makeDeps(settings, base, (at) => scheduler?.wake(at));
    respondTo(base.bus, rpcSubjects.freezeAwards, base.log, respondFreeze(deps));
    respondTo(base.bus, rpcSubjects.runDueAwards, base.log, respondRunDue(deps));
    respondTo(base.bus, rpcSubjects.signingOutcome, base.log, async (request) => deps.signings.respondOutcome(request));
    respondFactPages(base, streams.awards, factSources(base.pool));
    respondTo(base.bus, rpcSubjects.awardFacts, base.log, respondAwardFacts(deps));
    respondTo(base.bus, rpcSubjects.contractPlace, base.log, respondContractPlace(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [onTenderChanged(deps), onBidChanged, onBidOpened(deps.externalInputs), onDocumentChanged(deps)],
      freeze: deps.freeze,
      flows: askAgain({ ...base, ...deps }),
      details: deps.clockFailures.details,
      onEventsApplied: () => scheduler?.checkSoon(),
      startBackground: () => {
        const { externalInputs: rows, clockFailures: failures } = deps;
        scheduler = startServiceClock({ service: 'awards', base, rows, failures, nextDue });
        return scheduler;
      },
    };
  },
});
