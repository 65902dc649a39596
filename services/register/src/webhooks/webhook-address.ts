import ipaddr from 'ipaddr.js';

/** Where webhooks may lead (register.md 5.6). */
export interface AddressPolicy {
  /** `http`, addresses of this host and of private networks, and addresses instead of names are allowed: sandbox. */
  readonly isPrivateAllowed: boolean;
  /** Own networks, refused whatever else is allowed. */
  readonly denied: readonly Network[];
  readonly portsDenied: readonly number[];
}

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

const PORTS_BELOW_1024: readonly number[] = [443, 8443];
const SANDBOX_PORT = 80;
/** What IANA has given out of IPv6. The library calls other ranges unicast too, such as `::7f00:1`, an IPv4 address of this host. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Whether an address of a webhook may be stored. Names are resolved at each connection. */
export function isUrlAllowed(text: string, policy: AddressPolicy): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, port, hostname } = new URL(text);
  const { isPrivateAllowed, portsDenied } = policy;
  if (protocol !== 'https:' && !(isPrivateAllowed && protocol === 'http:')) return false;
  if (username !== '' || password !== '' || hostname === '') return false;
  const number = port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
  const isOpen = number >= 1_024 || PORTS_BELOW_1024.includes(number) || (isPrivateAllowed && number === SANDBOX_PORT);
  if (!isOpen || portsDenied.includes(number)) return false;
  const literal = parseLiteral(hostname);
  return literal === undefined || (isPrivateAllowed && isAddressAllowed(literal, policy));
}

/** The address that a host of a URL is; undefined for a name. The parser of URLs has normalised every form of IPv4. */
export function parseLiteral(hostname: string): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : undefined;
}

/** Whether a connection to an address may be made: global unicast only, and none of the own networks. */
export function isAddressAllowed(text: string, { isPrivateAllowed, denied }: AddressPolicy): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (denied.some((network) => isIn(address, network))) return false;
  if (isPrivateAllowed) return true;
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Networks in CIDR notation, or single addresses. Throws for other texts. */
export function parseNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
