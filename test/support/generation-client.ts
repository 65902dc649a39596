import { broker, clientFrom, type Broker, type Json, type RequestOptions } from './broker.ts';
import { hexId, PARTY, serverDate, amountWithVat, type Generation } from './generations.ts';
import { publish, type PublishedTender } from './published-tender.ts';

/** A client of that generation. */
export function generationClient(gatewayUrl: string, { segment, headers }: Generation, key?: string): Broker {
  const client = broker(gatewayUrl, key, segment);
  const request = async (method: string, path: string, options: RequestOptions = {}) =>
    client.request(method, path, { ...options, headers: { ...headers, ...options.headers } });
  return clientFrom(request);
}

/** A bid as a generation writes it. */
export function bidBody({ names }: Generation, sum: number): Json {
  return { [names.tenderers]: [PARTY], [names.value]: { amount: sum } };
}

/** The same as it is shown. */
export function expectedBid({ names }: Generation, sum: number): Json {
  return {
    id: hexId,
    status: 'registration',
    date: serverDate,
    [names.tenderers]: [PARTY],
    [names.value]: amountWithVat(sum),
  };
}

/** A file as a form sends it. */
export async function fileForm(text: string, name = 'тендер.pdf', fieldName = 'file'): Promise<RequestOptions> {
  const form = new FormData();
  form.set(fieldName, new Blob([text], { type: 'application/pdf' }), name);
  const encoded = new Response(form);
  return {
    raw: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}

/** A fresh tender of that generation, with its owner. */
export async function publishTender(
  gatewayUrl: string,
  generation: Generation,
): Promise<PublishedTender & { readonly owner: Broker; readonly anyone: Broker }> {
  const owner = generationClient(gatewayUrl, generation, 'broker1');
  const tender = await publish(owner, generation.tender);
  return { ...tender, owner, anyone: generationClient(gatewayUrl, generation) };
}
