/** One JetStream stream per owner; subjects are `<owner>.<event-type>.<subject id>`. */
export const streams = {
  tenders: { name: 'tenders', subjects: ['tenders.>'] },
  bids: { name: 'bids', subjects: ['bids.>'] },
  awards: { name: 'awards', subjects: ['awards.>'] },
  documents: { name: 'documents', subjects: ['documents.>'] },
  auction: { name: 'auction', subjects: ['auction.>'] },
  brokers: { name: 'brokers', subjects: ['brokers.>'] },
} as const;

/**
 * Subject on which the publisher of a stream responds with parts of the data of its large events: `ask.bids.event-data`
 * (docs/decisions/0057-size-of-events-and-streams.md).
 */
export function eventDataSubject(stream: string): string {
  return `ask.${stream}.event-data`;
}

/**
 * Subject on which the publisher of a stream responds whether it has lost what it told: `ask.bids.loss`
 * (docs/decisions/0059-positions-and-rebuilds.md).
 */
export function lossSubject(stream: string): string {
  return `ask.${stream}.loss`;
}

/**
 * Subject on which the processes of a service wake each other: an empty message for the relay, or the instant of a deadline
 * (decision 0010).
 */
export function wakeSubject(service: string): string {
  return `wake.${service}`;
}

/** The consumer by which a service reads a stream again, beside its durable (decision 0059). */
export function readerName(durable: string): string {
  return `${durable}--reader`;
}

/**
 * The time in which a responder may answer, and so the longest time that a requester waits. nats-server keeps the reply subject of
 * every message that a service receives for that time, events included; versions before 2.10.27 look through all of them with each
 * message once they are more than 4,096.
 */
export const RESPONSE_MS_MAX = 5_000;

/**
 * Subjects on which the owner of facts responds to other services (core NATS request/reply). Every request has an `id`. Beside
 * them each owner sends all its current facts on `ask.<stream>.fact-pages` (packages/kit/src/messaging/repair/fact-pages.ts).
 */
export const rpcSubjects = {
  /** A tender's facts. */
  tenderFacts: 'ask.tenders.facts',
  /** The public body of GET /tenders/{id}, as text. */
  tenderView: 'ask.tenders.view',
  /** The publication log after a position (`publications.ts`, register.md 2.3). */
  tenderPublications: 'ask.tenders.publications',
  /** The current views of all tenders, for the back-fill of the register. */
  tenderListing: 'ask.tenders.listing',
  /** Count and sum of the tenders in a range of positions, for the verification of the register. */
  tenderCensus: 'ask.tenders.census',
  /** Whether tenders has lost what it told (`lossSubject`), for the register, which reads no stream. */
  tenderLoss: 'ask.tenders.loss',
  /** What the register has removed from public texts by law, for the ledger (`redactions.ts`, proof.md 3.2). */
  registerRedactions: 'ask.register.redactions',
  /** The sealed set of a tender with amounts, for the auction. The requester neither logs nor stores it. */
  sealedBids: 'ask.bids.sealed',
  /** Whether the bids have the newest links of the auction. */
  bidLinks: 'ask.bids.links',
  /** The public facts of one bid, as its events carry them. */
  bidFacts: 'ask.bids.facts',
  /** The awards and contracts of a tender, as its events carry them. */
  awardFacts: 'ask.awards.facts',
  /** The id of the tender of a contract: `{tenderId}`, or `{}` for no contract (`contract-place.ts`, contracting.md 6). */
  contractPlace: 'ask.awards.contract-place',
  /** Runs what is due of a tender whose clock was moved, before the answer (`run-due.ts`). */
  runDueAwards: 'ask.awards.run-due',
  runDueAuction: 'ask.auction.run-due',
  /** Results of an auction. */
  auctionResults: 'ask.auction.results',
  /** Participation links of the bidders. */
  auctionUrls: 'ask.auction.urls',
  /** Documents of some bids of a tender, also of sealed ones (`bid-documents.ts`). */
  bidDocuments: 'ask.documents.bids',
  /** Makes the documents of opened bids public, if `bid.opened` has not done it. */
  openBidDocuments: 'ask.documents.open',
  /** Stores documents from the body of a bid, before the bid is stored (`bid-documents.ts`). */
  attachDocuments: 'ask.documents.attach',
  /** Shows them as they would be stored, or refuses them, without storing (`bid-documents.ts`). */
  previewDocuments: 'ask.documents.preview',
  /** Freezes decisions about a tender while tenders cancels it, and lifts the freeze again (`freezes.ts`, decision 0060). */
  freezeBids: 'ask.bids.freeze',
  freezeAwards: 'ask.awards.freeze',
  freezeAuction: 'ask.auction.freeze',
  freezeDocuments: 'ask.documents.freeze',
  /** What became of a cancellation under a freeze. */
  cancellationOutcome: 'ask.tenders.cancellation',
  /** Freezes complaints about a tender while awards signs a contract (`freezes.ts`, decision 0060). */
  freezeComplaints: 'ask.tenders.freeze',
  /** Changes of owner (`ownership.ts`, decision 0077): levels of a broker, and transfers of the tenders service. */
  brokerLevels: 'ask.gateway.broker-levels',
  transfer: 'ask.tenders.transfer',
  claimTransfer: 'ask.tenders.claim-transfer',
  /** What became of a signing under a freeze. */
  signingOutcome: 'ask.awards.signing',
} as const;

/** Messages of core NATS that wake readers. They are not stored, and may be lost: readers ask by themselves as well. */
export const signalSubjects = {
  /** The publication log of tenders may have grown. Empty, at most every 5 ms of a process (register.md 2.3). */
  tendersPublished: 'signal.tenders.published',
  /** The register has applied publications. Empty; wakes its other replicas. */
  registerApplied: 'signal.register.applied',
  /** The register has removed a member of public texts by law. Empty; wakes the ledger. */
  registerRedacted: 'signal.register.redacted',
  /** The owner of a webhook has changed it: its id. */
  webhookChanged: 'signal.register.webhook',
} as const;
