/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 9110 7.2, RFC 3986 3.2.2). */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The part of a request that `trustProxy` of Fastify completes: the forwarded host counts from trusted proxies only. */
export interface AddressedRequest {
  readonly host: string;
}

/** The host by which the client reached the gateway, with its port. Undefined when it is missing or malformed. */
export function hostOf({ host }: AddressedRequest): string | undefined {
  return HOST.test(host) && URL.canParse(`http://${host}`) ? host.toLowerCase() : undefined;
}
