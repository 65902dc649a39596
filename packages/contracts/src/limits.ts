/**
 * The byte budget: every limit on lengths, numbers and sizes of what clients write (docs/spec/limits.md has the reasons). Only
 * commands of clients are refused by it, and only if they add something: what is stored above a limit stays readable, and its
 * other members can be changed. Clock ticks and events of other services are never refused.
 */

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Longest text by its kind, in characters (Unicode code points, as `maxLength` of JSON Schema counts). */
export const TEXT_CHARACTERS_MAX = {
  /** Subject of a tender, lot, criterion, question, complaint, award or contract. */
  title: 4_000,
  /** Descriptions and all other free text: answers, resolutions, decisions, reasons, rationales. */
  description: 30_000,
  /** Names of organisations, persons, countries and units; details of a method. */
  name: 2_000,
  /** One line of an address. */
  addressLine: 1_000,
  telephone: 255,
  /** Identifiers, codes, schemes, numbers, languages, media types. */
  identifier: 255,
  /** A URL, as most browsers and proxies accept. */
  url: 2_048,
  /** RFC 5321: 64 for the local part, 255 for the domain. */
  email: 320,
  /** A date with fraction and offset has 32 characters. */
  date: 64,
  /** A latitude, longitude or elevation sent as text. */
  coordinate: 64,
  /** Title of a document; it is the name of its file. */
  fileName: 255,
} as const;
export type TextKind = keyof typeof TEXT_CHARACTERS_MAX;

/** Most elements of a list by its kind. */
export const LIST_ELEMENTS_MAX = {
  items: 1_000,
  lots: 1_000,
  features: 1_000,
  /** Terms of payment and delivery: a few for each lot. */
  milestones: 2_000,
  /** Options of one criterion. */
  options: 100,
  additionalClassifications: 100,
  additionalIdentifiers: 100,
  /** Values of one bid: at most one for each lot. */
  lotValues: 1_000,
  /** Answers of one bid: at most one for each criterion. */
  parameters: 1_000,
  /** Documents in the body of a bid. */
  bidDocuments: 200,
  tenderers: 1,
  suppliers: 1,
  /** Bids in a report of the auction component: all bids of the tender. */
  auctionBids: 3_000,
  /** Reasons of one change of a contract. */
  rationaleTypes: 20,
  /** Values of one filter of a webhook. */
  filterEntries: 100,
} as const;
export type ListKind = keyof typeof LIST_ELEMENTS_MAX;

/** Stored size of a tender in bytes: setting `TENDER_BYTES_MAX` of the tenders service, within these bounds. */
export const TENDER_BYTES = { min: 2 * MIB, default: 4 * MIB, max: 4 * MIB } as const;

/**
 * Parts of a tender, each with a quota of its own, so that one party cannot use up the quota of another. In 32nds of
 * `TENDER_BYTES_MAX`; together they are the whole.
 */
export const TENDER_QUOTAS_IN_32NDS = {
  /** What the owner publishes: everything but the parts below. */
  terms: 16,
  /** Questions, without their answers. */
  questions: 6,
  /** Claims and complaints as their authors write them. */
  complaints: 4,
  /** Answers, resolutions and actions of the tender owner. */
  replies: 4,
  /** Decisions of reviewers. */
  decisions: 1,
  cancellations: 1,
} as const;
export type TenderQuota = keyof typeof TENDER_QUOTAS_IN_32NDS;

/** Share of one broker in the quota of questions or complaints of one tender. */
export const BROKER_SHARE_OF_QUOTA = 1 / 3;

/** Stored size of one object in bytes of UTF-8, of its canonical JSON. */
export const OBJECT_BYTES_MAX = {
  question: 128 * KIB,
  complaint: 128 * KIB,
  cancellation: 64 * KIB,
  bid: 256 * KIB,
  /** Titles and descriptions: the other members are copied from the bid. */
  award: 256 * KIB,
  /** Number, titles and descriptions: the other members are copied from the award and the tender. */
  contract: 256 * KIB,
  /** A change of a contract. */
  change: 128 * KIB,
  /** The record of one version of a document; the file has limits of its own. */
  document: 128 * KIB,
} as const;

/** Most objects of one tender, and of one broker in one tender. Withdrawn bids count, because their rows are kept. */
export const TENDER_OBJECTS_MAX = {
  questions: { ofTender: 1_000, ofBroker: 200 },
  complaints: { ofTender: 500, ofBroker: 100 },
  cancellations: { ofTender: 200 },
  bids: { ofTender: 3_000, ofBroker: 300 },
  awards: { ofTender: 3_000 },
  contracts: { ofTender: 3_000 },
  /** Complaints about all awards of the tender. */
  awardComplaints: { ofTender: 500, ofBroker: 100 },
} as const;

/** Stored bytes of the bids of one tender, and of one broker in one tender. Withdrawn bids do not count. */
export const BIDS_BYTES_MAX = { ofTender: 12 * MIB, ofBroker: MIB } as const;

/** Most changes and payments of one contract. */
export const CONTRACT_OBJECTS_MAX = { changes: 100, transactions: 500 } as const;

/** Stored bytes of what followed the signature of one contract, and of all contracts of one tender. */
export const IMPLEMENTATION_BYTES_MAX = { ofContract: 4 * MIB, ofTender: 8 * MIB } as const;

/**
 * Stored bytes of the awards and contracts of one tender, without complaints and without what followed signatures. Awards copy their suppliers from the bids: space
 * for an award of every bid, and as much again for awards that were cancelled and repeated.
 */
export const AWARDING_BYTES_MAX = 24 * MIB;

/** Stored bytes of the complaints about the awards of one tender, by who writes. One broker has its share of `complaints`. */
export const AWARD_COMPLAINT_BYTES_MAX = { complaints: 512 * KIB, replies: 512 * KIB, decisions: 128 * KIB } as const;

/** Most versions of documents of one parent: of one bid, one award, or the tender itself. */
export const DOCUMENTS_OF_PARENT_MAX = 500;

/** Versions of documents of one tender by the kind of their parents: their number and stored bytes, of all and of one broker. */
export const DOCUMENT_QUOTAS = {
  /** Documents of the tender, its cancellations and awards: only the owner of the tender adds them. */
  owner: { versionsMax: 2_000, bytesMax: 2 * MIB },
  /** Documents of contracts, which come for years after the tender has ended. */
  contracts: { versionsMax: 6_000, bytesMax: 4 * MIB },
  bids: { versionsMax: 6_000, bytesMax: 4 * MIB, ofBroker: { versionsMax: 1_500, bytesMax: MIB } },
  /** Documents of complaints about the tender and its awards: their authors, the owner of the tender and reviewers add them. */
  complaints: { versionsMax: 1_500, bytesMax: 1.5 * MIB, ofBroker: { versionsMax: 500, bytesMax: 0.5 * MIB } },
} as const;
export type DocumentQuota = keyof typeof DOCUMENT_QUOTAS;
