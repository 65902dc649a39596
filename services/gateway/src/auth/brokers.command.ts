import { parseArgs } from 'node:util';
import { sha256Hex, type IdGenerator } from '@procurement/kit/runtime/ids';
import { Broker, GROUPS } from './broker.ts';
import type { BrokerStore } from './brokers.store.ts';

const USAGE = `usage:
  brokers add <name> [--group ${GROUPS.join('|')}] [--levels 1234] [--key <key>]
  brokers revoke <name> [--key <key>]
  brokers list`;

/** A name is part of NATS subjects, so it consists of words separated by dots. */
const BROKER_NAME = /^[\w-]+(?:\.[\w-]+)*$/;

export interface BrokersCommandDeps {
  readonly brokers: BrokerStore;
  readonly ids: IdGenerator;
  print(line: string): void;
}

/**
 * Runs `brokers add | revoke | list`. `add` prints a new key once: only its hash is stored. Returns the exit code: 0 done,
 * 1 nothing changed, 2 wrong usage.
 */
export async function brokersCommand(args: readonly string[], deps: BrokersCommandDeps): Promise<number> {
  const parsed = parseArguments(args);
  if (parsed === undefined) {
    deps.print(USAGE);
    return 2;
  }
  const { verb, name, values } = parsed;
  switch (verb) {
    case 'add':
      return add(name, values, deps);
    case 'revoke':
      return revoke(name, values.key, deps);
    case 'list':
      for (const row of await deps.brokers.list()) {
        deps.print(
          [row.name, row.group, row.levels || '-', `${row.keys} in force`, `${row.revoked} revoked`].join('\t'),
        );
      }
      return 0;
    default:
      deps.print(USAGE);
      return 2;
  }
}

interface OptionValues {
  readonly group?: string | undefined;
  readonly levels?: string | undefined;
  readonly key?: string | undefined;
}

function parseArguments(args: readonly string[]): { verb: string; name: string; values: OptionValues } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { group: { type: 'string' }, levels: { type: 'string' }, key: { type: 'string' } },
    });
    const [verb = '', name = '', ...rest] = positionals;
    const isNameValid = verb === 'list' ? name === '' : BROKER_NAME.test(name);
    return rest.length === 0 && isNameValid ? { verb, name, values } : undefined;
  } catch {
    return undefined;
  }
}

async function add(name: string, values: OptionValues, { brokers, ids, print }: BrokersCommandDeps): Promise<number> {
  // A broker without a list of levels has all four (http.md 3.1); components need none.
  const group = values.group ?? 'brokers';
  const broker = Broker.safeParse({ name, group, levels: values.levels ?? (group === 'brokers' ? '1234' : '') });
  if (!broker.success) {
    print(USAGE);
    return 2;
  }
  const key = values.key ?? ids.nextToken();
  if (!(await brokers.addKey(broker.data, sha256Hex(key)))) {
    print('This key was used before; nothing changed.');
    return 1;
  }
  print(`${name}: ${values.key === undefined ? `the key is ${key} (shown this once)` : 'the given key is in force'}`);
  return 0;
}

async function revoke(name: string, key: string | undefined, { brokers, print }: BrokersCommandDeps): Promise<number> {
  const count = await brokers.revoke(name, key === undefined ? undefined : sha256Hex(key));
  print(count === 0 ? `${name} has no such key in force; nothing changed.` : `${name}: ${count} revoked`);
  return count === 0 ? 1 : 0;
}
