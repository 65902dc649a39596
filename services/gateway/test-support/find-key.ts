import type { Broker } from '../src/auth/broker.ts';
import type { KeyRing } from '../src/auth/key-ring.ts';

/** The broker of a key, from memory or from the database. */
export async function findKey(keys: KeyRing, keyHash: string): Promise<Broker | undefined> {
  const found = keys.find(keyHash);
  return typeof found === 'function' ? found() : found;
}
