import { isProblem } from './problem.ts';
import { historyAt, type History } from './register.ts';
import {
  below,
  callAt,
  collectionAt,
  deletableAt,
  documentsAt,
  itemAt,
  type Collection,
  type DeletableItem,
  type Documents,
  type Item,
  type ResourcePath,
} from './resources.ts';
import type {
  Auction,
  AuctionInput,
  AuctionPatch,
  Award,
  AwardInput,
  AwardPatch,
  Bid,
  BidInput,
  BidPatch,
  BidReceipt,
  Cancellation,
  CancellationInput,
  CancellationPatch,
  Complaint,
  ComplaintInput,
  ComplaintPatch,
  Contract,
  ContractInput,
  ContractPatch,
  DisclosedSeal,
  Lot,
  LotInput,
  LotPatch,
  Question,
  QuestionInput,
  QuestionPatch,
  Tender,
  TenderPatch,
} from './resources.golden.ts';
import type { RequestOptions, Send, TransportSettings } from './transport.ts';
import { watchTender, type WatchOptions } from './watch.ts';

interface WithDocuments {
  readonly documents: Documents;
}

export interface BidItem extends DeletableItem<Bid, BidPatch>, WithDocuments {
  /** A new receipt of the stored bid, with its text, for the owner, until the bids are opened. */
  receipt(options?: RequestOptions): Promise<BidReceipt>;
}

export type ComplaintItem = Item<Complaint, ComplaintPatch> & WithDocuments;
export type CancellationItem = Item<Cancellation, CancellationPatch> & WithDocuments;
export type ContractItem = Item<Contract, ContractPatch> & WithDocuments;

export interface AwardItem extends Item<Award, AwardPatch>, WithDocuments {
  /** A bidder complains with `as`: the id of its bid. */
  readonly complaints: Collection<Complaint, ComplaintInput>;
  complaint(id: string): ComplaintItem;
}

/** The auction of a tender, for the auction component. */
export interface AuctionItem {
  get(options?: RequestOptions): Promise<Auction>;
  /** Publishes the addresses of the auction and of the bidders. */
  patch(data: AuctionPatch, options?: RequestOptions): Promise<Auction>;
  report(data: AuctionInput, options?: RequestOptions): Promise<Tender>;
  /** The auction of one lot. */
  lot(id: string): Pick<AuctionItem, 'patch' | 'report'>;
}

/** A tender and all that belongs to it. Making one sends nothing. */
export interface TenderItem extends Item<Tender, TenderPatch>, WithDocuments {
  readonly id: string;
  /**
   * Changes the tender by what it is now: `change` gets the tender and returns the PATCH, or undefined to leave it. When somebody else
   * changes it in between (412), both are done again. Needs a public tender.
   */
  update(change: (tender: Tender) => TenderPatch | undefined, options?: RequestOptions): Promise<Tender>;
  /** The tender now, and again after each change, by the stream where there is one. Failures that pass are waited for without limit. */
  watch(options?: WatchOptions): AsyncGenerator<Tender, void>;
  readonly lots: Collection<Lot, LotInput>;
  lot(id: string): DeletableItem<Lot, LotPatch>;
  readonly questions: Collection<Question, QuestionInput>;
  question(id: string): Item<Question, QuestionPatch>;
  readonly complaints: Collection<Complaint, ComplaintInput>;
  complaint(id: string): ComplaintItem;
  readonly cancellations: Collection<Cancellation, CancellationInput>;
  cancellation(id: string): CancellationItem;
  readonly bids: Collection<Bid, BidInput>;
  bid(id: string): BidItem;
  /** The bids as they were closed, once they are opened, and the text whose hash the tender shows as `bidsSeal`. */
  bidsSeal(options?: RequestOptions): Promise<DisclosedSeal>;
  readonly awards: Collection<Award, AwardInput>;
  award(id: string): AwardItem;
  readonly contracts: Collection<Contract, ContractInput>;
  contract(id: string): ContractItem;
  readonly auction: AuctionItem;
  /** Every public state that the tender had. */
  readonly history: History;
}

export function tenderItem(send: Send, settings: TransportSettings, id: string): TenderItem {
  const place = below({ path: '', owners: [] }, 'tenders', id);
  const at = (collection: string): ResourcePath => below(place, collection);
  const withDocuments = (of: ResourcePath): WithDocuments => ({ documents: documentsAt(send, settings, of) });
  const complaintAt = (parent: ResourcePath, complaintId: string): ComplaintItem => {
    const complaint = below(parent, 'complaints', complaintId);
    return { ...itemAt(send, complaint), ...withDocuments(complaint) };
  };
  return {
    id,
    ...itemAt<Tender, TenderPatch>(send, place),
    ...withDocuments(place),
    update: async (change, options = {}) => updateTender(send, settings, place, change, options),
    watch: (options) =>
      watchTender(
        settings,
        { id, read: async (signal) => itemAt<Tender, TenderPatch>(send, place).get({ signal }) },
        options,
      ),
    lots: collectionAt(send, at('lots')),
    lot: (lotId) => deletableAt(send, below(place, 'lots', lotId)),
    questions: collectionAt(send, at('questions')),
    question: (questionId) => itemAt(send, below(place, 'questions', questionId)),
    complaints: collectionAt(send, at('complaints')),
    complaint: (complaintId) => complaintAt(place, complaintId),
    cancellations: collectionAt(send, at('cancellations')),
    cancellation(cancellationId) {
      const cancellation = below(place, 'cancellations', cancellationId);
      return { ...itemAt(send, cancellation), ...withDocuments(cancellation) };
    },
    bids: collectionAt(send, at('bids')),
    bid(bidId) {
      const bid = below(place, 'bids', bidId);
      return {
        ...deletableAt(send, bid),
        ...withDocuments(bid),
        receipt: async (options = {}) => callAt(send, below(bid, 'receipt'))<BidReceipt>('GET', { options }),
      };
    },
    bidsSeal: async (options = {}) => callAt(send, at('bids_seal'))<DisclosedSeal>('GET', { options }),
    awards: collectionAt(send, at('awards')),
    award(awardId) {
      const award = below(place, 'awards', awardId);
      return {
        ...itemAt(send, award),
        ...withDocuments(award),
        complaints: collectionAt(send, below(award, 'complaints')),
        complaint: (complaintId) => complaintAt(award, complaintId),
      };
    },
    contracts: collectionAt(send, at('contracts')),
    contract(contractId) {
      // The token of a contract (`credentials`) is for its own address; inside the tender that of the tender counts.
      const contract = { ...below(place, 'contracts', contractId), owners: place.owners };
      return { ...itemAt(send, contract), ...withDocuments(contract) };
    },
    auction: auctionAt(send, at('auction')),
    history: historyAt(send, place.path),
  };
}

function auctionAt(send: Send, place: ResourcePath): AuctionItem {
  const whole = auctionCalls(send, place);
  return {
    ...whole,
    get: async (options = {}) => callAt(send, place)<Auction>('GET', { options }),
    lot: (id) => auctionCalls(send, { ...place, path: `${place.path}/${encodeURIComponent(id)}` }),
  };
}

function auctionCalls(send: Send, place: ResourcePath): Pick<AuctionItem, 'patch' | 'report'> {
  const call = callAt(send, place);
  return {
    patch: async (data, options = {}) => call<Auction>('PATCH', { data, options }),
    report: async (data, options = {}) => call<Tender>('POST', { data, options }),
  };
}

async function updateTender(
  send: Send,
  { retry }: TransportSettings,
  place: ResourcePath,
  change: (tender: Tender) => TenderPatch | undefined,
  options: RequestOptions,
): Promise<Tender> {
  for (let attempts = 1; ; attempts += 1) {
    // The view of the chronograph has no entity tag (http.md 5.4).
    const read = await send({ method: 'GET', path: `/api/2.5${place.path}`, isAnonymous: true, options });
    // The contract of the route.
    const tender = read.body.data as Tender;
    const patch = change(tender);
    if (patch === undefined) return tender;
    const etag = read.headers.get('etag');
    if (etag === null) throw new Error('the answer has no ETag: the change of another writer could be lost');
    try {
      return await itemAt<Tender, TenderPatch>(send, place).patch(patch, { ...options, ifMatch: etag });
    } catch (error) {
      if (!isProblem(error, 'stale') || attempts >= retry.attemptsMax) throw error;
    }
  }
}
