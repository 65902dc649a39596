import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { rpcSubjects, signalSubjects } from '@procurement/contracts/events/subjects';
import { makeCommitSignal } from '@procurement/kit/messaging/publish/commit-signal';
import { answerLines } from '@procurement/kit/messaging/request/request-lines';
import { runService } from '@procurement/kit/service/run-service';
import type { OcdsSettings } from '@procurement/ocds/settings';
import { mountRoutes } from './app.ts';
import { exportsCommand } from './exports/exports-command.ts';
import { archiveCommand } from './exports/load-archive.ts';
import { reindex } from './follow/index-terms.ts';
import { startExports } from './exports/make-exports.ts';
import { packDay, startPacking, type Packing } from './follow/pack-texts.ts';
import { redactCommand } from './redaction/redact-command.ts';
import { respondRedactions } from './redaction/respond-redactions.ts';
import { makeFileRedaction } from './redaction/redact-files.ts';
import { rekey } from './webhooks/rekey-secrets.ts';
import { senderDeps, webhookSecretBox } from './webhooks/deps.ts';
import { startSendingWebhooks, type WebhookSender } from './webhooks/send-webhooks.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { exportFiles } from './exports/deps.ts';
import { endStreamsOfRevoked } from './stream/on-broker-revoked.ts';
import { startFollower, type Follower } from './follow/follow-publications.ts';
import { rebuildReleases, startProjector, type ProjectorDeps } from './ocds/project-releases.ts';
import { verify } from './follow/verify.ts';
import { isOcdsKind } from './exports/domain/export-schedule.ts';
import type { WithTests } from './exports/export-runs.store.ts';
import { requireLocale } from './search/check-locale.ts';
import { exportDetails } from './exports/exports.store.ts';
import { followDetails, followUnready } from './follow/follow-health.ts';
import { projectionDetails } from './ocds/ocds-position.store.ts';
import { packingStore, type PackingSettings } from './revisions/packing.store.ts';
import { releasePackingStore } from './ocds/release-packing.store.ts';

const settings = settingsOrExit(config);
const isOcdsOn = 'settings' in settings.ocds;
/** Releases of test tenders are made or not by a setting of their own. */
const withTests: WithTests = (kind) =>
  isOcdsKind(kind) ? 'settings' in settings.ocds && settings.ocds.settings.includeTest : settings.SANDBOX_MODE;
const isScheduled = (settings.EXPORTS ?? (settings.SANDBOX_MODE ? 'manual' : 'clock')) === 'clock';

function ocdsSettings(): OcdsSettings {
  if ('settings' in settings.ocds) return settings.ocds.settings;
  throw new Error(`no releases: ${settings.ocds.offBecause}`);
}

function makePacking({ pool, log }: Omit<PackingSettings, 'waitsForArchive'>): Packing {
  const packing: PackingSettings = { pool, log, waitsForArchive: isScheduled };
  return { texts: packingStore(packing), releases: releasePackingStore(packing) };
}

/** Nothing may be published under a sample ocid, so an installation without a prefix runs without releases (ocds.md 5). */
function startProjecting(base: Omit<ProjectorDeps, 'settings'>): readonly { stop(): Promise<void> }[] {
  if ('settings' in settings.ocds) return [startProjector({ ...base, settings: settings.ocds.settings })];
  base.log.warn({ because: settings.ocds.offBecause }, 'releases are neither made nor served');
  return [];
}

await runService({
  name: 'register',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  bodyBytesMax: JSON_BYTES_MAX,
  commands: {
    verify: async (args, context, print) => verify(args, { ...context, print }),
    pack: async (args, { pool, log }, print) => packDay(args, makePacking({ pool, log }), print),
    rekey: async (args, { pool }, print) =>
      rekey(args, { pool, secretBox: webhookSecretBox(settings.REGISTER_KEYS) }, print),
    exports: async (args, { pool }, print) =>
      exportsCommand(args, { pool, files: exportFiles(settings), withTests, isOcdsOn }, print),
    archive: async (args, { pool, log }, print) =>
      archiveCommand(args, { pool, log, files: exportFiles(settings) }, print),
    redact: async (args, { pool, log, bus }, print) => {
      const signalRedacted = makeCommitSignal(bus, signalSubjects.registerRedacted);
      return redactCommand(args, { pool, log, signalRedacted }, print);
    },
    reindex: async (args, { pool, log }, print) => reindex(args, { pool, log }, print),
    'ocds-rebuild': async (_args, { pool, log }, print) =>
      rebuildReleases({ pool, log, settings: ocdsSettings() }, print),
  },
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    answerLines(base.bus, rpcSubjects.registerRedactions, base.log, respondRedactions(base.pool));
    let follower: Follower | undefined;
    let sender: WebhookSender | undefined;
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [],
      lossSubjects: [rpcSubjects.tenderLoss],
      prepare: async () => requireLocale(base.pool),
      unready: async () => followUnready(base.pool),
      details: async () => [
        ...(follower?.problems() ?? []),
        ...(isOcdsOn ? await projectionDetails(base.pool) : []),
        ...(sender?.details() ?? []),
        ...(await followDetails(base.pool)),
        ...(await exportDetails(base.pool)),
      ],
      startBackground: () => {
        const following = startFollower({ ...base, databaseUrl: settings.DATABASE_URL });
        follower = following;
        const packing = startPacking({ ...base, packing: makePacking(base) });
        const projecting = startProjecting(base);
        sender = settings.WEBHOOKS ? startSendingWebhooks(senderDeps(deps, base)) : undefined;
        const sending = sender === undefined ? [] : [sender];
        const exporting = startExports({
          ...base,
          databaseUrl: settings.DATABASE_URL,
          publicBaseUrl: settings.PUBLIC_BASE_URL,
          history: deps.history,
          ocds: deps.ocds,
          files: deps.exportFiles,
          isScheduled,
          isZstdOn: settings.EXPORT_ZSTD,
          withTests,
          isOcdsOn,
          redactFiles: makeFileRedaction({ files: deps.exportFiles, log: base.log }),
        });
        const streaming = endStreamsOfRevoked({ ...base, hub: deps.hub });
        const background = [following, packing, exporting, streaming, ...projecting, ...sending];
        return { stop: async () => void (await Promise.all(background.map(async (one) => one.stop()))) };
      },
    };
  },
});
