import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Mint } from '@procurement/kit/ids';
import type { Logger } from '@procurement/kit/log';
import { readReplica, type Replica } from '@procurement/kit/replica';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Clock } from '@procurement/kit/time';
import type { Config } from './config.ts';
import { documentView, type ShownAs, type ShownDocument } from './document-view.ts';
import type { DocumentSettings, DocumentVersion } from './domain/document.ts';
import { awardReplica } from './events/on-award-changed.ts';
import { bidReplica } from './events/on-bid-changed.ts';
import { makeAddresses, type Addresses } from './files/addresses.ts';
import type { FileStore } from './files/file-store.ts';
import { openStore } from './files/open-store.ts';
import { derivedSeed, publicKey, signingKey } from './files/signing.ts';
import { documentsStore, type DocumentsStore } from './store/documents.store.ts';
import { filesStore, type FilesStore } from './store/files.store.ts';

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly log: Logger;
  readonly settings: DocumentSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly bids: Replica<BidRegistered>;
  readonly awards: Replica<AwardFacts>;
  readonly documents: DocumentsStore;
  /** What is on record of files. */
  readonly files: FilesStore;
  /** The files. */
  readonly store: FileStore;
  readonly addresses: Addresses;
  show(version: DocumentVersion, as: ShownAs): ShownDocument;
}

/** The composition root. */
export function makeDeps(config: Config, base: ServiceBase, store: FileStore = storeOf(config)): Deps {
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const addresses = addressesOf(config);
  const { clock, mint, log, pool } = base;
  return {
    config,
    clock,
    mint,
    log,
    settings: { legacyGuardsOpen: guards === 'open' },
    tenders: readReplica(tenderReplica, base),
    bids: readReplica(bidReplica, base),
    awards: readReplica(awardReplica, base),
    documents: documentsStore({ ...base, permanent: addresses.permanent }),
    files: filesStore(pool),
    store,
    addresses,
    show: documentView(config.PUBLIC_BASE_URL, addresses),
  };
}

function storeOf({ STORAGE, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION }: Config): FileStore {
  return openStore({
    storage: STORAGE,
    s3: { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION },
  });
}

function addressesOf(config: Config): Addresses {
  const { IDENTITY_SECRET, SERVICE_SIGNING_SEED, API_SIGNING_SEED } = config;
  return makeAddresses(config.DOCUMENT_SERVICE_URL ?? config.PUBLIC_BASE_URL, {
    service: signingKey(SERVICE_SIGNING_SEED ?? derivedSeed(IDENTITY_SECRET, 'document service')),
    api: signingKey(API_SIGNING_SEED ?? derivedSeed(IDENTITY_SECRET, 'permanent addresses of documents')),
    formerService: config.SERVICE_KEYS_FORMER.map(publicKey),
    formerApi: config.API_KEYS_FORMER.map(publicKey),
  });
}
