import { broker, clientOf, type Broker, type Json, type Wish } from './broker.ts';
import { hexId, PARTY, serverDate, taxed, type Generation } from './generations.ts';
import { publish, type Published } from './tender-file.ts';

/** A client of that generation. */
export function speaking(gatewayUrl: string, { segment, headers }: Generation, key?: string): Broker {
  const client = broker(gatewayUrl, key, segment);
  const request = async (method: string, path: string, wish: Wish = {}) =>
    client.request(method, path, { ...wish, headers: { ...headers, ...wish.headers } });
  return clientOf(request);
}

/** A bid as a generation writes it. */
export function bidOf({ names }: Generation, sum: number): Json {
  return { [names.tenderers]: [PARTY], [names.value]: { amount: sum } };
}

/** The same as it is shown. */
export function bidShown({ names }: Generation, sum: number): Json {
  return {
    id: hexId,
    status: 'registration',
    date: serverDate,
    [names.tenderers]: [PARTY],
    [names.value]: taxed(sum),
  };
}

/** A file as a form sends it. */
export async function fileForm(text: string, name = 'тендер.pdf', part = 'file'): Promise<Wish> {
  const form = new FormData();
  form.set(part, new Blob([text], { type: 'application/pdf' }), name);
  const encoded = new Response(form);
  return {
    raw: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}

/** A fresh tender of that generation, with its owner. */
export async function published(
  gatewayUrl: string,
  generation: Generation,
): Promise<Published & { readonly owner: Broker; readonly anyone: Broker }> {
  const owner = speaking(gatewayUrl, generation, 'broker1');
  const tender = await publish(owner, generation.tender);
  return { ...tender, owner, anyone: speaking(gatewayUrl, generation) };
}
