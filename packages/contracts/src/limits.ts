/**
 * The byte budget: every limit on lengths, numbers and sizes of what clients write (docs/spec/limits.md has the reasons). Only
 * commands of clients are refused by it, and only if they add something: what is stored above a limit stays readable, and its
 * other members can be changed. Clock ticks and events of other services are never refused.
 */

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
} as const;
export type ListKind = keyof typeof LIST_ELEMENTS_MAX;
