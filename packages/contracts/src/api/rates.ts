/** A rate of requests per second. */
interface ClassRate {
  readonly perAddress: number;
  /** Applies to callers with a key. */
  readonly perBroker: number;
  /** A request counts 1, and 1 more for each `entries` entries of the list. */
  readonly weightOf?: { readonly list: string; readonly entries: number };
}

/** Kinds of reads with a rate of their own (register.md 3.5). The gateway counts them apart from all other reads. */
export const RATE_CLASSES = {
  lookup: { perAddress: 20, perBroker: 60, weightOf: { list: 'ids', entries: 10 } },
  search: { perAddress: 10, perBroker: 30 },
  history: { perAddress: 50, perBroker: 100 },
  /** New streams. How many may be open is a setting of the gateway. */
  stream: { perAddress: 5, perBroker: 5 },
  /** Reads and writes. Callers without a key are refused. */
  webhook: { perAddress: 10, perBroker: 10 },
  /** How many files an address may receive at a time is a limit of the gateway. */
  export: { perAddress: 10, perBroker: 20 },
} as const satisfies Readonly<Record<string, ClassRate>>;

export type RateClass = keyof typeof RATE_CLASSES;

const KIB = 1_024;

/**
 * The bytes for which a request counts once more, by the kind of work on them. Each takes the processor about as long as one small
 * request. A request counts at most as much as a full bucket (decision 0066).
 */
export const BYTES_OF_ONE = {
  /** The JSON body of a write. */
  body: 64 * KIB,
  /**
   * The object that a write saves: a tender, or all awards and contracts of one. Every service that shows it reads it anew: a contract among
   * 999 took 1.5 s of all processes, as much as a hundred usual writes (`npm run bench -- contracts`).
   */
  saved: 32 * KIB,
  /** An answer in JSON: of a tender, a page, a search, a look-up with whole tenders. */
  answer: 64 * KIB,
  /** An answer of a segment other than 2.5, and again for each format option below. */
  mapped: 16 * KIB,
  jsonp: 16 * KIB,
  /** `opt_pretty`. */
  indented: 8 * KIB,
  /** The texts that were compared for the patches of a history (`diff`, `changes`). Patches that are kept cost nothing. */
  compared: 16 * KIB,
  /** A file of an export, which is passed on as it is. */
  file: 1_024 * KIB,
} as const;

export type WeighedWork = keyof typeof BYTES_OF_ONE;

/** What a request counts more for these bytes; whole numbers, and 0 for what is usual. */
export function weightOfBytes(work: WeighedWork, bytes: number): number {
  return Math.floor(bytes / BYTES_OF_ONE[work]);
}
