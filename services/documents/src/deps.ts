import { bidReplica } from '@procurement/contracts/events/bid-replica';
import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { PrismaPg } from '@prisma/adapter-pg';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeDecisionFreeze, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import { openReplica, type Replica } from '@procurement/kit/messaging/consume/replica';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Config } from './config.ts';
import { makeDocumentView, type Audience, type DocumentView } from './document-view.ts';
import type { DocumentSettings, DocumentVersion } from './domain/document.ts';
import { awardReplica } from './events/on-award-changed.ts';
import { makeSignedUrls, type SignedUrls } from './files/signed-urls.ts';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { PrismaClient } from './gen/client.ts';
import { openStorage } from '@procurement/kit/files/open-storage';
import { derivedSeed, publicKey, signingKey } from './files/signing-keys.ts';
import { contractPlaceReader, type TenderOfContract } from './store/contract-place.ts';
import { documentsStore, type DocumentsStore } from './store/documents.store.ts';
import { fileRecordsStore, type FileRecordsStore } from './store/file-records.store.ts';

/** Dependencies of the routes and event handlers: plain objects, made once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly log: Logger;
  readonly settings: DocumentSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly bids: Replica<BidRegistered>;
  readonly awards: Replica<AwardFacts>;
  readonly tenderOfContract: TenderOfContract;
  readonly freeze: DecisionFreeze;
  readonly documents: DocumentsStore;
  /** Database records of files. */
  readonly fileRecords: FileRecordsStore;
  /** The bytes of files. */
  readonly fileStorage: FileStorage;
  readonly signedUrls: SignedUrls;
  documentView(version: DocumentVersion, audience: Audience): DocumentView;
}

/** The composition root. */
export function makeDeps(
  config: Config,
  base: ServiceContext,
  fileStorage: FileStorage = fileStorageFrom(config),
): Deps {
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const signedUrls = signedUrlsFrom(config);
  const { clock, ids, log, pool } = base;
  // For rare queries; what requests run is prepared statements on the same pool (decision 0005).
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const tenders = openReplica(tenderReplica, base);
  const outcomeSubject = rpcSubjects.cancellationOutcome;
  const freeze = makeDecisionFreeze({ ...base, table: 'tender_documents', idColumn: 'tender_id', outcomeSubject });
  return {
    config,
    clock,
    ids,
    log,
    settings: { legacyGuardsOpen: guards === 'open' },
    tenders,
    freeze,
    bids: openReplica(bidReplica, base),
    awards: openReplica(awardReplica, base),
    tenderOfContract: contractPlaceReader(base.bus),
    documents: documentsStore({ ...base, prisma, permanent: signedUrls.permanent, freeze, tenders }),
    fileRecords: fileRecordsStore(pool, prisma),
    fileStorage,
    signedUrls,
    documentView: makeDocumentView(config.PUBLIC_BASE_URL, signedUrls),
  };
}

function fileStorageFrom({ STORAGE, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION }: Config): FileStorage {
  return openStorage({
    setting: 'STORAGE',
    storage: STORAGE,
    s3: { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION },
  });
}

function signedUrlsFrom(config: Config): SignedUrls {
  const { FILE_SECRET, SERVICE_SIGNING_SEED, API_SIGNING_SEED } = config;
  return makeSignedUrls(config.DOCUMENT_SERVICE_URL ?? config.PUBLIC_BASE_URL, {
    service: signingKey(SERVICE_SIGNING_SEED ?? derivedSeed(FILE_SECRET, 'document service')),
    api: signingKey(API_SIGNING_SEED ?? derivedSeed(FILE_SECRET, 'permanent addresses of documents')),
    formerService: config.SERVICE_KEYS_FORMER.map(publicKey),
    formerApi: config.API_KEYS_FORMER.map(publicKey),
  });
}
