import { BlockList, isIP } from 'node:net';

/**
 * Tells whether an address is one of our own proxies. `list` holds addresses and networks (`10.0.0.0/8`), separated by
 * commas; throws when one of them is neither. An empty list trusts nobody.
 */
export function trustedProxies(list: string): (address: string | undefined) => boolean {
  const block = new BlockList();
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) throw new Error(`TRUSTED_PROXIES: ${entry} is no address or network`);
    if (bits === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(bits), family);
  }
  if (entries.length === 0) return () => false;
  return (address) => {
    if (address === undefined) return false;
    // A dual-stack socket tells an IPv4 peer in IPv6 clothes.
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return isIP(plain) !== 0 && block.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}
