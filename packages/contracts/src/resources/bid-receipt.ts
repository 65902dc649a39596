import { z } from 'zod';

/** Response header with the signed receipt of a write of a bid (proof.md 5.3). */
export const RECEIPT_HEADER = 'procurement-receipt';

/** Segments whose answers have the header. */
export const RECEIPT_SEGMENTS: ReadonlySet<string> = new Set(['2.5', '2.3']);

/** What the owner of a bid shows to prove that it was accepted. */
export const BidReceipt = z
  .object({
    receipt: z.string().describe('The signed note, which the header `Procurement-Receipt` has in base64url'),
    text: z.string().describe('The stored bid, byte for byte: the receipt has SHA-256 of its salt and this text'),
  })
  .meta({ id: 'BidReceipt' });
