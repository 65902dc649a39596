import { BrokerLevelsRequest, type BrokerLevels } from '@procurement/contracts/events/ownership';
import type { z } from 'zod';
import type { BrokerStore } from './brokers.store.ts';

/**
 * Responds with the levels of a broker, and whether it has a key; nothing when it does not exist. For services whose objects change
 * their owner (decision 0077), and for webhooks (decision 0102).
 */
export function respondBrokerLevels(
  brokers: Pick<BrokerStore, 'accessOf'>,
): (request: unknown) => Promise<z.infer<typeof BrokerLevels> | undefined> {
  return async (request) => brokers.accessOf(BrokerLevelsRequest.parse(request).name);
}
