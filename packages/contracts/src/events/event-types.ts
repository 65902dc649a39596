import type { z } from 'zod';
import {
  auctionEvents,
  type AuctionFinished,
  type AuctionPlanned,
  type AuctionUrlsPublished,
} from './auction.events.ts';
import { awardEvents } from './award.events.ts';
import {
  bidEvents,
  type BidRegistered,
  type BidResultsApplied,
  type BidSetErased,
  type BidSetSealed,
  type BidsSealFact,
  type BidsOpened,
} from './bid.events.ts';
import { brokerEvents, type BrokerChanged } from './broker.events.ts';
import { documentEvents, type DocumentFacts } from './document.events.ts';
import { streams } from './subjects.ts';
import { tenderEvents, type QualificationDue, type TenderCancelled, type TenderingEnded } from './tender.events.ts';
import type { AwardFacts } from '../resources/award-facts.ts';
import type { TenderFacts } from '../resources/tender-facts.ts';

/** One version of an event type: the stream of its publisher, the schema of its data, and a sample that tests validate. */
export interface EventType {
  readonly stream: (typeof streams)[keyof typeof streams];
  /** Type and version: `tender.changed/1`. A version keeps its meaning and grows by optional members only. */
  readonly schema: string;
  readonly data: z.ZodType;
  readonly sample: unknown;
}

const tenderFactsSample: TenderFacts = {
  id: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
  version: 3,
  tenderID: 'UA-2026-05-04-000001-1',
  status: 'active.enquiries',
  owner: 'broker1',
  ownerTokenHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  awardsVersion: 0,
  documentsVersion: 0,
  procurementMethodType: 'belowThreshold',
  enquiryPeriod: { startDate: '2026-05-04T10:15:00+03:00', endDate: '2026-05-11T10:15:00+03:00' },
  tenderPeriod: { startDate: '2026-05-11T10:15:00+03:00', endDate: '2026-05-18T10:15:00+03:00' },
  value: { amount: 500.5, currency: 'UAH', valueAddedTaxIncluded: true },
  minimalStep: { amount: 35, currency: 'UAH', valueAddedTaxIncluded: true },
  items: [{ id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' }],
};

const bidSample: BidRegistered = {
  id: '1b2c3d4e5f60718293a4b5c6d7e8f901',
  tenderId: tenderFactsSample.id,
  version: 1,
  status: 'pending',
  owner: 'broker2',
  ownerTokenHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  lots: [],
};

const tenderingEndedSample: TenderingEnded = {
  id: tenderFactsSample.id,
  version: 4,
  endDate: '2026-05-18T10:15:00+03:00',
};

const qualificationDueSample: QualificationDue = {
  id: tenderFactsSample.id,
  version: 6,
  at: '2026-05-18T10:15:00.200000+03:00',
};

const tenderCancelledSample: TenderCancelled = { id: tenderFactsSample.id, version: 5, erasesBids: true };

const sealSample: BidsSealFact = { at: '2026-05-18T10:15:00.213000+03:00', hash: 'd9'.repeat(32) };

const bidSetSealedSample: BidSetSealed = {
  id: tenderFactsSample.id,
  bids: [{ id: bidSample.id, lots: [] }],
  seal: sealSample,
};

const bidSetErasedSample: BidSetErased = { id: tenderFactsSample.id };

const bidsOpenedSample: BidsOpened = {
  id: tenderFactsSample.id,
  bids: [{ id: bidSample.id, status: 'active', date: '2026-05-12T09:00:00.000815+03:00', value: { amount: 469.5 } }],
  seal: sealSample,
};

const auctionPlannedSample: AuctionPlanned = {
  id: tenderFactsSample.id,
  startDate: '2026-05-19T11:12:34+03:00',
  version: 1,
};

const auctionUrlsPublishedSample: AuctionUrlsPublished = {
  id: tenderFactsSample.id,
  auctionUrl: 'https://auction.example.org/tenders/7e1b5c2f',
  version: 2,
};

const auctionFinishedSample: AuctionFinished = {
  id: tenderFactsSample.id,
  at: '2026-05-19T11:35:35.000815+03:00',
  version: 3,
};

const bidResultsAppliedSample: BidResultsApplied = { id: tenderFactsSample.id, at: auctionFinishedSample.at };

const documentFactsSample: DocumentFacts = {
  id: tenderFactsSample.id,
  version: 2,
  documents: [
    {
      parent: { kind: 'tender', id: tenderFactsSample.id },
      document: { id: '4e5f60718293a4b5c6d7e8f901122334', title: 'технічне завдання.pdf', format: 'application/pdf' },
    },
  ],
};

const awardFactsSample: AwardFacts = {
  id: tenderFactsSample.id,
  version: 1,
  awards: [
    {
      id: '2c3d4e5f60718293a4b5c6d7e8f90112',
      status: 'pending',
      date: '2026-05-18T10:15:00.200000+03:00',
      bid_id: bidSample.id,
      complaintPeriod: { startDate: '2026-05-18T10:15:00.200000+03:00' },
    },
  ],
  contracts: [],
};

const brokerSample: BrokerChanged = {
  name: 'broker1',
  group: 'brokers',
  levels: '1234',
  keyHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
};

/** All event types that are published. */
export const eventTypes = {
  'tender.created': { stream: streams.tenders, ...tenderEvents['tender.created'], sample: tenderFactsSample },
  'tender.changed': { stream: streams.tenders, ...tenderEvents['tender.changed'], sample: tenderFactsSample },
  'tender.tendering-ended': {
    stream: streams.tenders,
    ...tenderEvents['tender.tendering-ended'],
    sample: tenderingEndedSample,
  },
  'tender.qualification-due': {
    stream: streams.tenders,
    ...tenderEvents['tender.qualification-due'],
    sample: qualificationDueSample,
  },
  'tender.cancelled': { stream: streams.tenders, ...tenderEvents['tender.cancelled'], sample: tenderCancelledSample },
  'bid.registered': { stream: streams.bids, ...bidEvents['bid.registered'], sample: bidSample },
  'bid.changed': { stream: streams.bids, ...bidEvents['bid.changed'], sample: bidSample },
  'bid.withdrawn': { stream: streams.bids, ...bidEvents['bid.withdrawn'], sample: bidSample },
  'bid.set-sealed': { stream: streams.bids, ...bidEvents['bid.set-sealed'], sample: bidSetSealedSample },
  'bid.results-applied': { stream: streams.bids, ...bidEvents['bid.results-applied'], sample: bidResultsAppliedSample },
  'bid.set-erased': { stream: streams.bids, ...bidEvents['bid.set-erased'], sample: bidSetErasedSample },
  'bid.opened': { stream: streams.bids, ...bidEvents['bid.opened'], sample: bidsOpenedSample },
  'award.changed': { stream: streams.awards, ...awardEvents['award.changed'], sample: awardFactsSample },
  'document.changed': { stream: streams.documents, ...documentEvents['document.changed'], sample: documentFactsSample },
  'auction.urls-published': {
    stream: streams.auction,
    ...auctionEvents['auction.urls-published'],
    sample: auctionUrlsPublishedSample,
  },
  'auction.finished': { stream: streams.auction, ...auctionEvents['auction.finished'], sample: auctionFinishedSample },
  'auction.planned': { stream: streams.auction, ...auctionEvents['auction.planned'], sample: auctionPlannedSample },
  'broker.registered': { stream: streams.brokers, ...brokerEvents['broker.registered'], sample: brokerSample },
  'broker.revoked': { stream: streams.brokers, ...brokerEvents['broker.revoked'], sample: brokerSample },
} as const satisfies Record<string, EventType>;
