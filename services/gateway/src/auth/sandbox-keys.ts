import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Broker } from './broker.ts';
import type { BrokerStore } from './brokers.store.ts';

/** API keys of a sandbox (rulings R14). Each key equals its broker's name, which is allowed in a sandbox only. */
export const SANDBOX_BROKERS: readonly Broker[] = [
  { name: 'broker1', group: 'brokers', levels: '1234' },
  { name: 'broker2', group: 'brokers', levels: '1234' },
  { name: 'broker3', group: 'brokers', levels: '1234' },
  { name: 'brokert', group: 'brokers', levels: '12t' },
  // Decision 0077: a broker that has left, to try changes of owner with.
  { name: 'brokerx', group: 'brokers', levels: '1234x' },
  { name: 'auction', group: 'auction', levels: '' },
  { name: 'chronograph', group: 'chronograph', levels: '' },
  { name: 'reviewer', group: 'reviewers', levels: '' },
  { name: 'administrator', group: 'Administrator', levels: '' },
  { name: 'bot', group: 'bots', levels: '' },
];

/**
 * Hashes of keys that are not in force on this process, whatever is stored: those that equal the keys of a sandbox, unless this is one.
 * A database that a sandbox has used keeps their rows, and everybody knows these keys.
 */
export function refusedKeys({ SANDBOX_MODE }: { readonly SANDBOX_MODE: boolean }): readonly string[] {
  return SANDBOX_MODE ? [] : SANDBOX_BROKERS.map(({ name }) => sha256Hex(name));
}

/** Creates the sandbox keys that do not exist. Safe when several replicas run it at once. */
export async function seedSandboxKeys(brokers: BrokerStore): Promise<void> {
  for (const broker of SANDBOX_BROKERS) await brokers.addKey(broker, sha256Hex(broker.name));
}
