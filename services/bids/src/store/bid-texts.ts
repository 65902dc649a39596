import { unavailable } from '@procurement/contracts/problems/problems';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { BiddingPhase } from '../domain/bid.ts';
import { keyIdOf, SEALED_BYTES_ADDED, type BidBox, type BidIdentity, type SaltedText } from './bid-box.ts';

/** The text of a bid as its row has it: either clear or encrypted (prisma/schema.sql). */
export interface StoredText {
  readonly document: string | null;
  readonly sealed: Buffer | null;
}

/** How texts of bids are stored and read. */
export interface BidTexts {
  /** The columns of a text: encrypted, unless the bids of the tender are public or sealing is off. */
  toColumns(bid: BidIdentity, text: string, phase: BiddingPhase): StoredText;
  /** Throws UnreadableBidError. */
  read(bid: BidIdentity & StoredText): string;
  /** Reads an encrypted text with its salt. Throws UnreadableBidError. */
  readSealed(bid: BidIdentity, sealed: Buffer): SaltedText;
  /** Encrypts a text that is still in clear, and keeps another as it is. Throws UnreadableBidError. */
  close(bid: BidIdentity & StoredText): SaltedText & { readonly closed: Buffer };
  /** Whether the tenders that are closed now get a seal. */
  readonly isSealing: boolean;
}

/** SQL for the bytes of a text. */
export const TEXT_BYTES = `coalesce(octet_length(document), octet_length(sealed) - ${SEALED_BYTES_ADDED})`;

export interface BidTextsOptions {
  /** Undefined without BIDS_KEYS. */
  readonly box: BidBox | undefined;
  readonly isSealing: boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock; set by tests. */
  readonly nowMs?: () => number;
}

/** A bid that was withdrawn, erased or repaired is not read again by the process that failed to read it. */
const UNREADABLE_MS = 10 * 60_000;

/** Seconds after which a client may try again. An operator has to act first. */
const RETRY_SECONDS = 60;

/** A bid whose text cannot be decrypted: its key is absent, or the bytes are not those that were stored. Clients see a 503. */
export class UnreadableBidError extends ProblemError {
  constructor({ id, tenderId }: BidIdentity, cause: unknown) {
    super(unavailable(RETRY_SECONDS));
    this.message = `bid ${id} of tender ${tenderId} cannot be decrypted`;
    this.cause = cause;
  }
}

export function bidTexts({ box, isSealing, log, metrics, nowMs = monotonicMs }: BidTextsOptions): BidTexts {
  /** When a bid could not be decrypted, by its id. */
  const unreadable = new Map<string, number>();
  const help = 'Bids that this process could not decrypt when it read them last, in the last 10 minutes';
  metrics.gauge('bids_unreadable', help, () => {
    for (const [id, failedAtMs] of unreadable) if (nowMs() - failedAtMs > UNREADABLE_MS) unreadable.delete(id);
    return unreadable.size;
  });

  function decrypt(bid: BidIdentity, sealed: Buffer): SaltedText {
    if (box === undefined) throw new Error('BIDS_KEYS is not set');
    return box.open(bid, sealed);
  }

  function readSealed({ id, tenderId, version }: BidIdentity, sealed: Buffer): SaltedText {
    const bid = { id, tenderId, version };
    try {
      const salted = decrypt(bid, sealed);
      unreadable.delete(id);
      return salted;
    } catch (error) {
      unreadable.set(id, nowMs());
      log.error({ err: error, bidId: id, tenderId, version, keyId: keyIdOf(sealed) }, 'bid cannot be decrypted');
      throw new UnreadableBidError(bid, error);
    }
  }

  return {
    toColumns(bid, text, phase) {
      if (!isSealing || box === undefined || phase === 'opened') return { document: text, sealed: null };
      return { document: null, sealed: box.seal(bid, text) };
    },

    read: ({ document, sealed, ...bid }) => (sealed === null ? (document ?? '') : readSealed(bid, sealed).text),
    readSealed,
    close({ document, sealed, ...bid }) {
      const closed = sealed ?? box?.seal(bid, document ?? '');
      if (closed === undefined) throw new Error('BIDS_KEYS is not set');
      return { closed, ...readSealed(bid, closed) };
    },
    isSealing: isSealing && box !== undefined,
  };
}
