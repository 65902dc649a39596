import { BrokerLevelsRequest, type BrokerLevels } from '@procurement/contracts/events/ownership';
import type { z } from 'zod';
import type { BrokerStore } from './brokers.store.ts';

/** Responds with the levels of a broker; nothing when it does not exist. For services whose objects change their owner (decision 0077). */
export function respondBrokerLevels(
  brokers: Pick<BrokerStore, 'levelsOf'>,
): (request: unknown) => Promise<z.infer<typeof BrokerLevels> | undefined> {
  return async (request) => {
    const levels = await brokers.levelsOf(BrokerLevelsRequest.parse(request).name);
    return levels === undefined ? undefined : { levels };
  };
}
