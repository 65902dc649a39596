import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';

/**
 * Returns a test whether an address is one of our own proxies. `list` holds addresses and networks (`10.0.0.0/8`), separated by
 * commas. An empty list trusts no address. Throws for an entry that is neither.
 */
export function trustedProxies(list: string): (address: string | undefined) => boolean {
  const networks = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap(parseNetwork);
  if (networks.length === 0) return () => false;
  const isTrusted = compile(networks);
  return (address) => {
    if (address === undefined) return false;
    // A dual-stack socket reports an IPv4 peer as ::ffff:10.0.0.1; the library would take 4 µs for that form instead of 1.
    const plain = address.startsWith('::ffff:') ? address.replace(/^::ffff:(?=\d+\.)/, '') : address;
    return isIP(plain) !== 0 && isTrusted(plain, 0);
  };
}

/** The library also takes names (`loopback`) and short forms (`10.1`), which were never accepted here, and refuses `/0`. */
function parseNetwork(entry: string): readonly string[] {
  const [address = '', bits] = entry.split('/');
  const networks = bits === '0' ? (HALVES[isIP(address)] ?? []) : [entry];
  if (isIP(address) === 0 || !isNetwork(networks))
    throw new Error(`TRUSTED_PROXIES: ${entry} is no address or network`);
  return networks;
}

function isNetwork(networks: readonly string[]): boolean {
  try {
    compile([...networks]);
    return true;
  } catch {
    return false;
  }
}

/** `/0` as networks that the library takes, by family. `::/0` covers IPv4 too. */
const HALVES: Readonly<Record<number, readonly string[]>> = {
  4: ['0.0.0.0/1', '128.0.0.0/1'],
  6: ['::/1', '8000::/1', '0.0.0.0/1', '128.0.0.0/1'],
};
