import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { LINKS_BASE } from '@procurement/kit/runtime/config';

/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const SCHEME = /^https?$/i;

/** Address of a request as Fastify reports it: by `X-Forwarded-Host` and `X-Forwarded-Proto` from trusted proxies only. */
export interface AddressedRequest {
  readonly host: string;
  readonly protocol: string;
  readonly raw: Pick<IncomingMessage, 'socket'>;
}

/** The host by which the client reached the gateway, with its port. Undefined when it is malformed. */
export function hostOf({ host, raw }: Pick<AddressedRequest, 'host' | 'raw'>): string | undefined {
  // HTTP/1.0 may have no Host.
  const given = host === '' ? socketHost(raw.socket) : host;
  return HOST.test(given) && URL.canParse(`http://${given}`) ? given.toLowerCase() : undefined;
}

function socketHost({ localAddress = '', localPort }: IncomingMessage['socket']): string {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return `${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
}

/** Scheme and host by which the client reached the gateway. Undefined when one is malformed. */
export function requestBase(request: AddressedRequest): string | undefined {
  const host = hostOf(request);
  return host === undefined || !SCHEME.test(request.protocol)
    ? undefined
    : `${request.protocol.toLowerCase()}://${host}`;
}

// A link is the beginning of a JSON string. Inside a string the quote is escaped.
const LINK_START = `"${LINKS_BASE}/`;
const LINK_STARTS = new RegExp(String.raw`(?<!\\)${LINK_START}`, 'g');

/** JSON in which links begin with the base of the request. */
export function jsonWithBase(json: string, publicBase: string): string {
  return json.includes(LINK_START) ? json.replace(LINK_STARTS, `"${publicBase}/`) : json;
}

/** The same for UTF-8. Decoded as Latin-1: the texts are ASCII, and the other bytes pass through unchanged. */
export function jsonBytesWithBase(json: Buffer, publicBase: string): Buffer {
  return json.includes(LINK_START) ? Buffer.from(jsonWithBase(json.toString('latin1'), publicBase), 'latin1') : json;
}

/** A `Location` that begins with the base of the request. Addresses of a file store pass unchanged. */
export function locationWithBase(location: string, publicBase: string): string {
  return location.startsWith(`${LINKS_BASE}/`) ? publicBase + location.slice(LINKS_BASE.length) : location;
}
