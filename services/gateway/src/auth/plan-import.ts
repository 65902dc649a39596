import type { Broker } from './broker.ts';
import type { ImportedKey } from './broker-file.ts';

/** A key in the database. */
export interface StoredKey {
  readonly keyHash: string;
  readonly name: string;
  readonly isRevoked: boolean;
}

export interface ImportPlan {
  readonly added: readonly ImportedKey[];
  /** Keys that their brokers have already. */
  readonly unchanged: number;
  /** What an operator must settle first. Nothing is added while there is one. */
  readonly conflicts: readonly string[];
}

/** Compares the keys of a file with what is stored. An import never changes a broker, and never brings a revoked key back. */
export function planImport(
  keys: readonly ImportedKey[],
  stored: { readonly brokers: readonly Broker[]; readonly keys: readonly StoredKey[] },
): ImportPlan {
  const brokers = new Map(stored.brokers.map((broker) => [broker.name, broker]));
  const known = new Map(stored.keys.map((key) => [key.keyHash, key]));
  return {
    added: keys.filter(({ keyHash }) => !known.has(keyHash)),
    unchanged: keys.filter(({ keyHash }) => known.has(keyHash)).length,
    conflicts: keys.flatMap(({ broker, keyHash }) => {
      const text = findConflict(broker, brokers.get(broker.name), known.get(keyHash));
      return text === undefined ? [] : [`${broker.name}: ${text}`];
    }),
  };
}

function findConflict(broker: Broker, stored: Broker | undefined, key: StoredKey | undefined): string | undefined {
  if (key?.isRevoked === true) return 'a key of the file was revoked';
  if (key !== undefined && key.name !== broker.name) return `a key of the file belongs to ${key.name}`;
  if (stored === undefined) return undefined;
  if (stored.group !== broker.group) return `the group is ${stored.group}, in the file ${broker.group}`;
  if (stored.levels !== broker.levels) return `the levels are "${stored.levels}", in the file "${broker.levels}"`;
  return undefined;
}
