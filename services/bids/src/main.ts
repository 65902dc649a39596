import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { respondFactPages } from '@procurement/kit/messaging/repair/fact-pages';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import { mountRoutes } from './app.ts';
import { askAgain } from './clock/ask-again.ts';
import { config } from './config.ts';
import { bidEncryption, makeDeps } from './deps.ts';
import { respondFreeze } from './events/respond-freeze.ts';
import { respondBidLinks, respondSealedBids } from './events/respond-sealed-bids.ts';
import { respondBidFacts } from './events/respond-bid-facts.ts';
import { databaseClock } from './store/database-clock.ts';
import { rekey } from './store/encrypt-bids.ts';
import { redactSeal } from './store/redact-seal.ts';
import { subscriptions } from './subscriptions.ts';
import { factSources } from './store/fact-sources.ts';

const settings = settingsOrExit(config);

await runService({
  name: 'bids',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.bids,
  versioned: ['bid', 'bidding'],
  bodyBytesMax: JSON_BYTES_MAX,
  commands: {
    'redact-seal': async (args, base, print) => redactSeal(args, base, print),
    rekey: async (args, base, print) => rekey(args, { ...base, ...bidEncryption(settings, base) }, print),
  },
  assemble: (base) => {
    if (!settings.SEAL_BIDS) base.log.warn('SEAL_BIDS is off: bids are stored in clear text');
    const { receiptSigner } = settings;
    if (receiptSigner === undefined)
      base.log.warn('bids get no receipts: BIDS_RECEIPT_KEY is not set, or SEAL_BIDS is off');
    else base.log.info({ vkey: receiptSigner.signer.verifier.vkey }, 'receipts of bids are signed with this key');
    const clock = databaseClock(base);
    const deps = makeDeps(settings, { ...base, clock });
    respondTo(base.bus, rpcSubjects.bidFacts, base.log, respondBidFacts(deps));
    respondTo(base.bus, rpcSubjects.sealedBids, base.log, respondSealedBids(deps));
    respondTo(base.bus, rpcSubjects.freezeBids, base.log, respondFreeze(deps));
    respondFactPages(base, streams.bids, factSources(base.pool, deps));
    respondTo(base.bus, rpcSubjects.bidLinks, base.log, respondBidLinks(deps));
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: subscriptions(deps),
      freeze: deps.freeze,
      flows: askAgain(deps),
      startBackground: () => clock.start(),
    };
  },
});
