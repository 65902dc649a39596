import { expect } from 'vitest';
import type { Json } from './broker.ts';
import { interfaceTender, PARTY } from './request-bodies.ts';

/** A payload generation: the bodies that its clients send, and the answers that they get (interface.md). */
export interface Generation {
  readonly name: string;
  readonly segment: string;
  /** Select one of the two generations of segment 0.1. */
  readonly headers: Readonly<Record<string, string>>;
  readonly names: Names;
  /** A tender with everything that interface.md shows for the generation. */
  readonly tender: Json;
  /** The answer to a POST of `tender`: `data` and `access`. */
  readonly shown: Json;
  readonly access: Json;
  /** The results of an auction for one bid, as sent and as answered, and the period with the start of the auction. */
  readonly auctionBid: (amount: number) => Json;
  readonly auctionBidShown: (amount: number) => Json;
  readonly auctionStart: 'tenderPeriod' | 'period';
  /** The members of a document. */
  readonly documentMembers: readonly string[];
}

interface Names {
  readonly modified: 'dateModified' | 'modified';
  readonly value: 'value' | 'totalValue';
  readonly bids: 'bids' | 'bidders';
  readonly tenderers: 'tenderers' | 'bidders';
  readonly items: 'items' | 'itemsToBeProcured';
  readonly enquiryPeriod: 'enquiryPeriod' | 'clarificationPeriod';
}

export const HEX_ID = /^[0-9a-f]{32}$/;
export const SERVER_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+0[23]:00$/;

export const hexId = expect.stringMatching(HEX_ID);
export const serverDate = expect.stringMatching(SERVER_DATE);
const amount = (amount: number): Json => ({ amount, currency: 'UAH' });
export const amountWithVat = (sum: number): Json => ({ ...amount(sum), valueAddedTaxIncluded: true });

// Dates without offset, one without time; interface.md shows the answers.
const ENQUIRIES = {
  sent: { endDate: '2031-05-10' },
  shown: { startDate: serverDate, endDate: '2031-05-10T00:00:00+03:00' },
};
const TENDERING = { sent: { endDate: '2031-05-20T18:00:00' }, end: { endDate: '2031-05-20T18:00:00+03:00' } };
const TENDERING_WHOLE = { startDate: ENQUIRIES.shown.endDate, ...TENDERING.end };
const AWARDING = { sent: { endDate: '2031-06-20T18:00:00' }, shown: { endDate: '2031-06-20T18:00:00+03:00' } };
const DELIVERY = {
  sent: { startDate: '2031-07-01', endDate: '2031-07-10T12:00:00' },
  shown: { startDate: '2031-07-01T00:00:00+03:00', endDate: '2031-07-10T12:00:00+03:00' },
};

const baseTender = interfaceTender() as Json;
const [item] = baseTender.items;

const CURRENT_TENDER = {
  ...baseTender,
  value: amount(500),
  minimalStep: amount(35),
  enquiryPeriod: ENQUIRIES.sent,
  tenderPeriod: TENDERING.sent,
  items: [{ ...item, deliveryDate: DELIVERY.sent }],
};

const SHOWN_ON_0 = {
  id: hexId,
  tenderID: expect.stringMatching(/^UA-\d{4}-\d\d-\d\d-\d{6}$/),
  dateModified: serverDate,
  status: 'active.enquiries',
  owner: 'broker1',
  title: `[ТЕСТУВАННЯ] ${baseTender.title}`,
  title_en: `[TESTING] ${baseTender.title_en}`,
  title_ru: `[ТЕСТИРОВАНИЕ] ${baseTender.title_ru}`,
  procuringEntity: baseTender.procuringEntity,
  value: amountWithVat(500),
  minimalStep: amountWithVat(35),
  enquiryPeriod: ENQUIRIES.shown,
  tenderPeriod: TENDERING_WHOLE,
  items: [{ ...item, deliveryDate: DELIVERY.shown }],
};

const SHOWN_ON_2_3 = {
  ...SHOWN_ON_0,
  mode: 'test',
  date: serverDate,
  procurementMethod: 'open',
  procurementMethodType: 'belowThreshold',
  submissionMethod: 'electronicAuction',
  awardCriteria: 'lowestCost',
  next_check: TENDERING_WHOLE.startDate,
  features: baseTender.features,
};

const EARLIEST_TENDER = {
  procuringEntity: PARTY,
  totalValue: amount(500),
  itemsToBeProcured: [
    {
      description: item.description,
      primaryClassification: item.classification,
      additionalClassification: item.additionalClassifications,
      unitOfMeasure: item.unit.name,
      quantity: item.quantity,
    },
  ],
  clarificationPeriod: ENQUIRIES.sent,
  tenderPeriod: TENDERING.sent,
  awardPeriod: AWARDING.sent,
};
const { clarificationPeriod, ...commonMembers } = EARLIEST_TENDER;
const MIDDLE_TENDER = {
  ...commonMembers,
  enquiryPeriod: clarificationPeriod,
  minimalStep: amount(35),
  deliveryDate: { endDate: DELIVERY.sent.endDate },
};

const SHOWN_ON_0_1 = {
  id: hexId,
  modified: serverDate,
  status: 'active.enquiries',
  procuringEntity: PARTY,
  totalValue: amountWithVat(500),
  itemsToBeProcured: EARLIEST_TENDER.itemsToBeProcured,
  awardPeriod: AWARDING.shown,
};

const NAMES = {
  modified: 'dateModified',
  value: 'value',
  bids: 'bids',
  tenderers: 'tenderers',
  items: 'items',
  enquiryPeriod: 'enquiryPeriod',
} as const satisfies Names;

const OLD_NAMES = {
  ...NAMES,
  modified: 'modified',
  value: 'totalValue',
  bids: 'bidders',
  tenderers: 'bidders',
  items: 'itemsToBeProcured',
} as const satisfies Names;

const TOKEN = { token: hexId };

const CURRENT = {
  access: TOKEN,
  headers: {},
  names: NAMES,
  tender: CURRENT_TENDER,
  auctionBid: (sum: number) => ({ value: amount(sum) }),
  auctionBidShown: (sum: number) => ({ value: amountWithVat(sum) }),
  auctionStart: 'tenderPeriod',
  documentMembers: ['id', 'title', 'format', 'url', 'datePublished', 'dateModified', 'hash', 'documentOf'],
} as const;

const OLD_DOCUMENT = ['id', 'title', 'format', 'url', 'datePublished', 'modified'] as const;

export const SEGMENT_2_5: Generation = {
  ...CURRENT,
  name: '2.5',
  segment: '2.5',
  shown: { ...SHOWN_ON_2_3, dateCreated: serverDate },
  access: { ...TOKEN, transfer: hexId },
};
export const SEGMENT_2_3: Generation = { ...CURRENT, name: '2.3', segment: '2.3', shown: SHOWN_ON_2_3 };
export const SEGMENT_0: Generation = { ...CURRENT, name: '0', segment: '0', shown: SHOWN_ON_0 };

export const MIDDLE: Generation = {
  name: '0.1, middle',
  segment: '0.1',
  // The default of segment 0.1.
  headers: {},
  names: OLD_NAMES,
  tender: MIDDLE_TENDER,
  shown: {
    ...SHOWN_ON_0_1,
    tenderID: expect.stringMatching(/^UA-[0-9a-f]{32}$/),
    minimalStep: amountWithVat(35),
    enquiryPeriod: ENQUIRIES.shown,
    tenderPeriod: TENDERING_WHOLE,
    deliveryDate: { endDate: DELIVERY.shown.endDate },
  },
  access: TOKEN,
  auctionBid: (sum) => ({ totalValue: amount(sum) }),
  auctionBidShown: (sum) => ({ totalValue: amountWithVat(sum) }),
  auctionStart: 'tenderPeriod',
  documentMembers: OLD_DOCUMENT,
};

export const EARLIEST: Generation = {
  name: '0.1, earliest',
  segment: '0.1',
  headers: { accept: 'application/json; generation=earliest' },
  names: { ...OLD_NAMES, enquiryPeriod: 'clarificationPeriod' },
  tender: EARLIEST_TENDER,
  shown: {
    ...SHOWN_ON_0_1,
    tenderID: expect.stringMatching(/^UA-\d{4}-[A-L][AB][A-Z]-\d{3,}$/),
    clarificationPeriod: ENQUIRIES.shown,
    tenderPeriod: TENDERING.end,
  },
  access: TOKEN,
  auctionBid: amount,
  auctionBidShown: amount,
  auctionStart: 'period',
  documentMembers: OLD_DOCUMENT,
};

/** Segments on which everything works at once on a fresh tender (rulings R3). */
export const LEGACY_GENERATIONS: readonly Generation[] = [SEGMENT_2_3, SEGMENT_0, MIDDLE, EARLIEST];
export const GENERATIONS: readonly Generation[] = [SEGMENT_2_5, ...LEGACY_GENERATIONS];
