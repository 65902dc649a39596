import { contractAtItsAddress, type ContractAtItsAddress } from './contract.ts';
import { feedEnd, readFeed, type FeedItem, type FeedOptions } from './feed.ts';
import { uploadFile, type FileContent, type UploadOptions } from './files.ts';
import { below, callAt, collectionAt } from './resources.ts';
import { makeRegister, type Register } from './register.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { readStream, type StreamItem, type StreamOptions } from './stream.ts';
import { tenderItem, type TenderItem } from './tender.ts';
import { memoryTokens, type TokenStore } from './tokens.ts';
import type {
  ClockMoveInput,
  DocumentInput,
  Tender,
  TenderClock,
  TenderInput,
  TenderWithoutAuctionInput,
} from './resources.golden.ts';
import {
  makeSend,
  type Fetch,
  type RequestOptions,
  type IgnoredEvent,
  type ReceiptEvent,
  type RetryEvent,
  type Send,
  type TransportSettings,
} from './transport.ts';

export type * from './resources.golden.ts';
export type { ContractAtItsAddress, ContractChangeItem, ContractDocuments, TransactionItem } from './contract.ts';
export type { FeedItem, FeedOptions } from './feed.ts';
export type { Download, FileContent, UploadOptions } from './files.ts';
export type { Collection, DeletableItem, DocumentItem, Documents, Item } from './resources.ts';
export type { ExportItem, FoundTenders, History, LookedUp, Register, TenderRevision } from './register.ts';
export type { RetryPolicy } from './retry.ts';
export type { StreamItem, StreamOptions } from './stream.ts';
export type {
  AuctionItem,
  AwardItem,
  BidItem,
  CancellationItem,
  ComplaintItem,
  ContractItem,
  TenderItem,
} from './tender.ts';
export type { TokenStore } from './tokens.ts';
export type { WatchOptions } from './watch.ts';
export type {
  ApiAnswer,
  ApiRequest,
  Fetch,
  IgnoredEvent,
  ReceiptEvent,
  RequestOptions,
  RetryEvent,
  Send,
} from './transport.ts';
export { ConnectionError, isProblem, ProblemError, type ApiError, type Fault, type ProblemKind } from './problem.ts';
export { memoryTokens } from './tokens.ts';

export interface ClientOptions {
  /** Address of the installation: `https://api.example.org`. */
  readonly url: string;
  /** API key of the broker. Without it the client reads what is public. Keys do not belong in browsers. */
  readonly key?: string;
  /** Where owner tokens are kept. Default: in this process. */
  readonly tokens?: TokenStore;
  readonly retry?: Partial<RetryPolicy>;
  /** Time for one attempt. Default 30 s. */
  readonly timeoutMs?: number;
  /** Time for one attempt to upload. Default 30 min, as long as the service waits. */
  readonly uploadTimeoutMs?: number;
  /** Called before each repetition. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Called after a change that was done without members that may not change now. `strict` refuses such a change instead. */
  readonly onIgnored?: (event: IgnoredEvent) => void;
  /** Called with the signed receipt of each accepted write of a bid. Keep it: a bid without a receipt was not accepted. */
  readonly onReceipt?: (event: ReceiptEvent) => void;
  readonly fetch?: Fetch;
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Contracts of all tenders. */
export interface Contracts {
  /** Every contract, in the order of its last change. */
  feed(options?: FeedOptions): AsyncGenerator<FeedItem, void>;
  /** The position at the end of their feed. */
  feedEnd(options?: Pick<FeedOptions, 'mode' | 'signal'>): Promise<string>;
}

/** Segment 2.5 of the API. */
export interface ProcurementClient extends Register {
  readonly tokens: TokenStore;
  /** Publishes a tender, or stores it as a draft. Its owner token is kept in `tokens`. */
  createTender(data: TenderInput, options?: RequestOptions): Promise<Tender>;
  /** The same for a tender without auction: the best of the opened bids is awarded. */
  createTenderWithoutAuction(data: TenderWithoutAuctionInput, options?: RequestOptions): Promise<Tender>;
  tender(id: string): TenderItem;
  readonly contracts: Contracts;
  /** The contract at its own address. `tender(id).contract(id)` is the same one inside its tender, until it is signed. */
  contract(id: string): ContractAtItsAddress;
  /** Every tender, in the order of its last change. */
  feed(options?: FeedOptions): AsyncGenerator<FeedItem, void>;
  /** Every public change as it happens, for ever. */
  stream(options?: StreamOptions): AsyncGenerator<StreamItem, void>;
  /** The position at the end of the feed. */
  feedEnd(options?: Pick<FeedOptions, 'mode' | 'signal'>): Promise<string>;
  /** Sends a file to the document service, for `documents` of a bid or for `register`. */
  uploadFile(file: FileContent, options?: UploadOptions): Promise<DocumentInput>;
  /** Sandbox only: moves the time of one tender, `{ advance: 'PT30M' }` or `{ to: 'next_check' }`. */
  moveClock(tenderId: string, move: ClockMoveInput): Promise<Tender>;
  /** Sandbox only: the time of one tender. */
  readClock(tenderId: string): Promise<TenderClock>;
  /** Any other request, with the same credentials and repetitions. */
  readonly send: Send;
}

const TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

export function createClient(options: ClientOptions): ProcurementClient {
  const settings = buildSettings(options);
  const send = makeSend(settings);
  const tenders = below({ path: '', owners: [] }, 'tenders');
  return {
    tokens: settings.tokens,
    createTender: collectionAt<Tender, TenderInput>(send, tenders).create,
    createTenderWithoutAuction: async (data, options = {}) =>
      callAt(send, tenders)<Tender>('POST', { data, config: { hasAuction: false }, options }),
    tender: (id) => tenderItem(send, settings, id),
    contracts: {
      feed: (how) => readFeed(send, settings.wait, 'contracts', how),
      feedEnd: async (how) => feedEnd(send, 'contracts', how),
    },
    contract: (id) => contractAtItsAddress(send, settings, id),
    feed: (how) => readFeed(send, settings.wait, 'tenders', how),
    stream: (how) => readStream(settings, how),
    feedEnd: async (how) => feedEnd(send, 'tenders', how),
    ...makeRegister(send, settings),
    uploadFile: async (file, how) => uploadFile(send, file, how),
    async moveClock(tenderId, move) {
      // The contract of the route.
      return callAt(send, clockPlace(tenderId))<Tender>('POST', { data: move });
    },
    readClock: async (tenderId) => callAt(send, clockPlace(tenderId))<TenderClock>('GET', {}),
    send,
  };
}

function clockPlace(tenderId: string): { readonly path: string; readonly owners: readonly string[] } {
  return { path: `/sandbox/tenders/${encodeURIComponent(tenderId)}/clock`, owners: [] };
}

function buildSettings(options: ClientOptions): TransportSettings {
  return {
    url: options.url.replace(/\/+$/, ''),
    key: options.key,
    tokens: options.tokens ?? memoryTokens(),
    retry: { ...DEFAULT_RETRY, ...options.retry },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    uploadTimeoutMs: options.uploadTimeoutMs ?? UPLOAD_TIMEOUT_MS,
    fetch: options.fetch ?? (async (address, init) => fetch(address, init)),
    wait: options.wait ?? wait,
    onRetry: options.onRetry ?? (() => undefined),
    onIgnored: options.onIgnored ?? (() => undefined),
    onReceipt: options.onReceipt ?? (() => undefined),
  };
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      // The reason that the caller gave.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
