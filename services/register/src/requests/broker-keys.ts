import { BrokerLevels, type BrokerLevelsRequest } from '@procurement/contracts/events/ownership';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request/request';

/** Whether a broker has a key that is not revoked; undefined while the gateway does not answer. */
export async function askHasKey(bus: Bus, name: string): Promise<boolean | undefined> {
  const request: BrokerLevelsRequest = { name };
  const response = await sendRequest(bus, rpcSubjects.brokerLevels, request);
  if (response.kind === 'unavailable') return undefined;
  return response.value != null && BrokerLevels.parse(response.value).hasKey;
}
