import { exportsApi } from '@procurement/contracts/api/exports.api';
import { historyApi } from '@procurement/contracts/api/history.api';
import { lookupApi } from '@procurement/contracts/api/lookup.api';
import { ocdsApi, tenderReleaseApi } from '@procurement/contracts/api/ocds.api';
import { searchApi } from '@procurement/contracts/api/search.api';
import { statisticsApi } from '@procurement/contracts/api/statistics.api';
import { streamApi } from '@procurement/contracts/api/stream.api';
import { webhooksApi } from '@procurement/contracts/api/webhooks.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { downloadOcds } from './ocds/download-ocds.ts';
import { getOcdsIndex } from './ocds/get-ocds-index.ts';
import { getOcdsRecord, getOcdsRelease, getOcdsReleases } from './ocds/get-ocds-process.ts';
import { getTenderRelease } from './ocds/get-tender-release.ts';
import { listOcdsPage } from './ocds/list-ocds-page.ts';
import { unpublished } from './ocds/ocds-answer.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { exportMissing, getExport } from './exports/get-export.ts';
import { getExportFile } from './exports/get-export-file.ts';
import { getRevision } from './history/get-revision.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { getStatistics } from './statistics/get-statistics.ts';
import { listChanges } from './history/list-changes.ts';
import { listExports } from './exports/list-exports.ts';
import { listRevisions } from './history/list-revisions.ts';
import { listWebhookDeadLetters } from './webhooks/list-webhook-dead-letters.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { lookupTenders } from './search/lookup-tenders.ts';
import { openStream } from './stream/open-stream.ts';
import { patchWebhook } from './webhooks/patch-webhook.ts';
import { redeliverWebhook } from './webhooks/redeliver-webhook.ts';
import { retryWebhookDeadLetter } from './webhooks/retry-webhook-dead-letter.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { searchBuyers } from './search/search-buyers.ts';
import { searchTenders } from './search/search-tenders.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { webhookMissing } from './webhooks/webhook-path.ts';
import { tenderMissing } from './history/revision-path.ts';

/** Mounts every operation of this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(app, lookupApi, { lookupTenders: lookupTenders(deps) }, async () => undefined);
  mountContracts(
    app,
    historyApi,
    { listRevisions: listRevisions(deps), getRevision: getRevision(deps), listChanges: listChanges(deps) },
    tenderMissing(deps),
  );
  mountContracts(
    app,
    searchApi,
    { searchTenders: searchTenders(deps), searchBuyers: searchBuyers(deps) },
    async () => undefined,
  );
  mountContracts(app, statisticsApi, { getStatistics: getStatistics(deps) }, async () => undefined);
  mountContracts(
    app,
    exportsApi,
    { listExports: listExports(deps), getExport: getExport(deps), getExportFile: getExportFile(deps) },
    exportMissing(deps),
  );
  mountContracts(app, streamApi, { openStream: openStream(deps) }, async () => undefined);
  mountOcds(app, deps);
  if (deps.config.WEBHOOKS) mountWebhooks(app, deps);
  // Open streams would hold the server back from closing.
  app.addHook('preClose', async () => deps.hub.stop());
  app.addHook('onClose', async () => deps.workers.stop());
}

function mountOcds(app: FastifyInstance, deps: Deps): void {
  const handlers = {
    getOcdsIndex: getOcdsIndex(deps),
    listOcdsReleases: listOcdsPage(deps, 'releases'),
    getOcdsReleases: getOcdsReleases(deps),
    getOcdsRelease: getOcdsRelease(deps),
    listOcdsRecords: listOcdsPage(deps, 'records'),
    getOcdsRecord: getOcdsRecord(deps),
    downloadOcdsReleases: downloadOcds(deps, 'releases'),
    downloadOcdsRecords: downloadOcds(deps, 'records'),
  };
  mountContracts(app, ocdsApi, handlers, unpublished(deps));
  mountContracts(app, tenderReleaseApi, { getTenderRelease: getTenderRelease(deps) }, unpublished(deps));
}

function mountWebhooks(app: FastifyInstance, deps: Deps): void {
  mountContracts(
    app,
    webhooksApi,
    {
      listWebhooks: listWebhooks(deps),
      createWebhook: createWebhook(deps),
      getWebhook: getWebhook(deps),
      patchWebhook: patchWebhook(deps),
      deleteWebhook: deleteWebhook(deps),
      rotateWebhookSecret: rotateWebhookSecret(deps),
      testWebhook: testWebhook(deps),
      redeliverWebhook: redeliverWebhook(deps),
      listWebhookDeliveries: listWebhookDeliveries(deps),
      listWebhookDeadLetters: listWebhookDeadLetters(deps),
      retryWebhookDeadLetter: retryWebhookDeadLetter(deps),
    },
    webhookMissing(deps),
  );
  app.addHook('onClose', async () => deps.webhookTransport.close());
}
