import { z } from 'zod';

/** A broker, or one of its keys, came or went. Only hashes of keys travel. */
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
