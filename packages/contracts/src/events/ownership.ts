import { z } from 'zod';

/** Request of `rpcSubjects.brokerLevels`: what the gateway has of a broker. No answer: no such broker. */
export const BrokerLevelsRequest = z.object({ name: z.string() });
export type BrokerLevelsRequest = z.infer<typeof BrokerLevelsRequest>;
export const BrokerLevels = z.object({
  levels: z.string(),
  /** Whether it has a key that is not revoked. */
  hasKey: z.boolean(),
});

/** Request of `rpcSubjects.transfer`: reads a transfer. No answer: no such transfer. */
export const TransferRequest = z.object({ id: z.string() });
export type TransferRequest = z.infer<typeof TransferRequest>;

/** Request of `rpcSubjects.claimTransfer`: reserves a transfer for one object, for good. The same claim may be repeated. */
export const ClaimTransferRequest = z.object({ id: z.string(), usedFor: z.string() });
export type ClaimTransferRequest = z.infer<typeof ClaimTransferRequest>;

/** A transfer, between services: hashes only. */
export const TransferRecord = z.object({
  id: z.string(),
  broker: z.string(),
  tokenHash: z.string(),
  transferHash: z.string(),
  usedFor: z.string().optional(),
});
export type TransferRecord = z.infer<typeof TransferRecord>;

/** What the owners of a transfer and of brokers say, for the decision of the service whose object changes its owner. */
export interface OwnershipFacts {
  /** Undefined when there is no such transfer. */
  readonly transfer: TransferRecord | undefined;
  /** Levels of the present owner; undefined when there is no such broker any more. */
  readonly ownerLevels: string | undefined;
}
