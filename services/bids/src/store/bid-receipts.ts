import type { Instant } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Signer } from '@procurement/proof/notes';
import { signReceipt, type Receipt } from '@procurement/proof/receipts';
import { bidDigest } from '@procurement/proof/seals';
import type { BidIdentity } from './bid-box.ts';
import type { BidTexts, StoredText } from './bid-texts.ts';

/** A bid as a write has stored it. */
export interface AcknowledgedBid extends BidIdentity, StoredText {
  readonly state: Receipt['state'];
  /** When it was written, in the tender's time. */
  readonly at: Instant;
}

export interface SignedReceipt {
  readonly note: string;
  readonly text: string;
}

/** Signs what bidders can show later (docs/spec/proof.md 5.3). */
export interface BidReceipts {
  /** Undefined for a bid that is stored in clear text: it has no salt. */
  sign(bid: AcknowledgedBid): SignedReceipt | undefined;
}

export interface BidReceiptsOptions {
  /** The name of the log. */
  readonly origin: string;
  readonly signer: Signer;
  readonly texts: BidTexts;
  readonly clock: Clock;
}

export function bidReceipts({ origin, signer, texts, clock }: BidReceiptsOptions): BidReceipts {
  return {
    sign({ state, at, ...stored }) {
      if (stored.sealed === null) return undefined;
      const { salt, text } = texts.readSealed(stored, stored.sealed);
      const receipt: Receipt = {
        log: origin,
        seen: BigInt(clock.now()),
        tender: stored.tenderId,
        bid: stored.id,
        version: BigInt(stored.version),
        state,
        at: BigInt(at),
        sha256: bidDigest(salt, text),
        salt: salt.toString('hex'),
      };
      return { note: signReceipt(receipt, signer), text };
    },
  };
}
