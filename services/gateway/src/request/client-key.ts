import type { Caller } from '../auth/caller.ts';

/** Whom limits are for: a broker, or the network of a caller without a key. */
export function clientKey(caller: Caller, address: string): string {
  return caller.kind === 'broker' ? `broker ${caller.broker.name}` : address;
}
