import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Whom a limit of an address is for. An IPv4 address is one client; of IPv6 one client has at least a network of 64 bits (RFC 6177), and so
 * as many addresses as it likes (http.md 5.7). Text that is no IPv6 address is returned as it is.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const [start, end] = [splitGroups(head), splitGroups(tail ?? '')];
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - start.length - end.length);
  const groups = [...start, ...Array.from({ length: zeros }, () => '0'), ...end].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function splitGroups(text: string): string[] {
  // The last 32 bits may be an IPv4 address, which takes the place of two groups.
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
