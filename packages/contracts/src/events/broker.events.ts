import { z } from 'zod';

/** A key of a broker was added or revoked. Contains the hash of the key only. */
export const BrokerChanged = z.object({
  name: z.string(),
  group: z.string(),
  levels: z.string(),
  keyHash: z.string(),
});
export type BrokerChanged = z.infer<typeof BrokerChanged>;

export const brokerEvents = {
  'broker.registered': { schema: 'broker.registered/1', data: BrokerChanged },
  'broker.revoked': { schema: 'broker.revoked/1', data: BrokerChanged },
} as const;
