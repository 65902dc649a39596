import { expect } from 'vitest';
import { clientFrom, type ApiResponse, type Broker, type Json } from './broker.ts';

/**
 * A client that follows each address that an answer gives it: `Location`, and the addresses of this system in the body. Each must
 * answer 200 to whoever received it (rulings R39). The reads carry what the client has: its key, and the token of the object.
 * `onLocation` gets the method of the request and the path of each `Location`.
 */
export function addressFollower(
  gatewayUrl: string,
  client: Broker,
  onLocation: (method: string, path: string) => void = () => undefined,
): Broker {
  return clientFrom(async (method, path, options) => {
    const answer = await client.request(method, path, options);
    if (answer.status >= 300) return answer;
    const token = answer.body?.access?.token ?? new URL(path, gatewayUrl).searchParams.get('acc_token');
    const headers = { ...options?.headers, ...(typeof token === 'string' ? { 'x-access-token': token } : {}) };
    const location = answer.headers.get('location');
    if (location !== null) onLocation(method, pathInSegment(location) ?? location);
    for (const address of new Set([...(location === null ? [] : [location]), ...addressesIn(gatewayUrl, answer)])) {
      const inSegment = pathInSegment(address);
      const read = await (inSegment === undefined
        ? fetch(address)
        : client.get(inSegment, { headers: withoutContentType(headers) }));
      expect([method, path, address, read.status]).toEqual([method, path, address, 200]);
      if (read instanceof Response) await read.body?.cancel();
    }
    return answer;
  });
}

/** `/tenders/...` of `http://host/api/2.5/tenders/...`; undefined of the address of a file. */
function pathInSegment(address: string): string | undefined {
  return /^https?:\/\/[^/]+\/api\/[^/]+(\/.*)$/.exec(address)?.[1];
}

function withoutContentType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
}

/** The addresses of this system in a body, as any client finds them. */
function addressesIn(gatewayUrl: string, { body }: ApiResponse): readonly string[] {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value === 'string' && value.startsWith(`${gatewayUrl}/`)) found.add(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit([body?.data, body?.next_page, body?.prev_page]);
  return [...found];
}
