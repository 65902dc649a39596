import { patientBroker, clientFrom, type Broker, type Json, type RequestOptions } from './broker.ts';
import { hexId, serverDate, amountWithVat, type Generation } from './generations.ts';
import { PARTY } from './request-bodies.ts';
import { publish, type PublishedTender } from './published-tender.ts';

/** A client that sends the segment and headers of a generation. */
export function generationClient(gatewayUrl: string, { segment, headers }: Generation, key?: string): Broker {
  const client = patientBroker(gatewayUrl, key, segment);
  const request = async (method: string, path: string, options: RequestOptions = {}) =>
    client.request(method, path, { ...options, headers: { ...headers, ...options.headers } });
  return clientFrom(request);
}

/** The body of a bid in a generation. */
export function bidBody({ names }: Generation, sum: number): Json {
  return { [names.tenderers]: [PARTY], [names.value]: { amount: sum } };
}

/** The answer to that bid. */
export function expectedBid({ names }: Generation, sum: number): Json {
  return {
    id: hexId,
    status: 'registration',
    date: serverDate,
    [names.tenderers]: [PARTY],
    [names.value]: amountWithVat(sum),
  };
}

/** Publishes a tender of a generation. */
export async function publishTender(
  gatewayUrl: string,
  generation: Generation,
): Promise<PublishedTender & { readonly owner: Broker; readonly anyone: Broker }> {
  const owner = generationClient(gatewayUrl, generation, 'broker1');
  const tender = await publish(owner, generation.tender);
  return { ...tender, owner, anyone: generationClient(gatewayUrl, generation) };
}
