/** One JetStream stream per owner; subjects are `<owner>.<event-type>.<subject id>`. */
export const streams = {
  tenders: { name: 'tenders', subjects: ['tenders.>'] },
  bids: { name: 'bids', subjects: ['bids.>'] },
  awards: { name: 'awards', subjects: ['awards.>'] },
  documents: { name: 'documents', subjects: ['documents.>'] },
  auction: { name: 'auction', subjects: ['auction.>'] },
  brokers: { name: 'brokers', subjects: ['brokers.>'] },
} as const;

/** Where the owner of facts answers a service that misses some (core NATS request and reply). Every question names an `id`. */
export const rpcSubjects = {
  /** A tender's facts. */
  tenderFacts: 'ask.tenders.facts',
  /** The public answer of GET /tenders/{id}, as text. */
  tenderView: 'ask.tenders.view',
  /** The sealed set of a tender with its amounts, for the auction: never logged, never stored by who asks. */
  sealedBids: 'ask.bids.sealed',
  /** Results of an auction. */
  auctionResults: 'ask.auction.results',
  /** Links of the bidders to their auctions. */
  auctionUrls: 'ask.auction.urls',
  /** Documents of some bids of a tender, sealed ones too (`bid-documents.ts`). */
  bidDocuments: 'ask.documents.bids',
  /** To keep the documents that come in the body of a bid, before the bid is there (`bid-documents.ts`). */
  attachDocuments: 'ask.documents.attach',
} as const;
