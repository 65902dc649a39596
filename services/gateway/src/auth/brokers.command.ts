import { InvalidArgumentError, Option, type Command } from 'commander';
import { commandLine, RefusedCommandError, runCommandLine, UsageError } from '@procurement/kit/runtime/command-line';
import { sha256Hex, type IdGenerator } from '@procurement/kit/runtime/ids';
import { BROKER_FILE_FORMATS, readBrokerFile, type BrokerFileFormat } from './broker-file.ts';
import { BROKER_NAME, GROUPS, LEVELS, LEVELS_RULE, type Broker } from './broker.ts';
import type { BrokerStore } from './brokers.store.ts';

export interface BrokersCommandDeps {
  readonly brokers: BrokerStore;
  /** Hashes of keys that cannot be in force here. */
  readonly refusedKeys: readonly string[];
  readonly ids: IdGenerator;
  /** The text of a file; `-` for standard input. */
  readInput(file: string): Promise<string>;
  print(line: string): void;
}

/**
 * Runs `brokers ...`. A new key is printed once: only its hash is stored. Returns the exit code: 0 done, 1 nothing changed, 2 wrong
 * usage.
 */
export async function brokersCommand(args: readonly string[], deps: BrokersCommandDeps): Promise<number> {
  const program = commandLine('brokers', deps.print).description(
    'brokers and components of the system, and their API keys',
  );
  addKeys(program, deps);
  program
    .command('set')
    .argument('<name>', 'the broker', parseName)
    .description('change the group or the levels of a broker; gateways follow within KEYS_REFRESH_SECONDS')
    .addOption(groupOption())
    .option('--levels <levels>', LEVELS_TEXT, parseLevels)
    .action(async (name: string, values: BrokerValues) => set(deps, name, values));
  program
    .command('list')
    .description('print the brokers: name, group, levels, keys in force, revoked keys')
    .action(async () => list(deps));
  program
    .command('keys')
    .argument('<name>', 'the broker', parseName)
    .description('print the keys of a broker: id (the beginning of the hash), when made, when revoked')
    .action(async (name: string) => printKeys(deps, name));
  program
    .command('import <file>')
    .description('add the brokers and keys of another system, all or none; - for standard input')
    .addOption(new Option('--format <format>', 'form of the file').choices(BROKER_FILE_FORMATS).makeOptionMandatory())
    .option('--skip-group <groups...>', 'leave the entries of these groups out')
    .option('--dry-run', 'print what would be added')
    .action(async (file: string, options: ImportOptions) => importFile(deps, file, options));
  return runCommandLine(program, args, deps.print);
}

function addKeys(program: Command, deps: BrokersCommandDeps): void {
  program
    .command('add')
    .argument('<name>', 'a new broker, or one that gets another key', parseName)
    .description('make a key and print it once')
    .addOption(groupOption())
    .option('--levels <levels>', LEVELS_TEXT, parseLevels)
    .option('--key <key>', 'this key, which stays in the history of the shell, instead of a new one')
    .action(async (name: string, values: BrokerValues & { readonly key?: string }) => add(deps, name, values));
  program
    .command('rotate')
    .argument('<name>', 'the broker', parseName)
    .description('make another key of a broker and print it once; the old keys stay in force until they are revoked')
    .option('--revoke-others', 'revoke the old keys at once')
    .action(async (name: string, { revokeOthers = false }: { readonly revokeOthers?: boolean }) =>
      rotate(deps, name, revokeOthers),
    );
  program
    .command('revoke')
    .argument('<name>', 'the broker', parseName)
    .description('revoke all keys of a broker, or one')
    .option('--key <key>', 'this key')
    .option('--id <id>', 'the key with this id of `brokers keys`', parseKeyId)
    .action(async (name: string, options: { readonly key?: string; readonly id?: string }) =>
      revoke(deps, name, options.key === undefined ? options.id : sha256Hex(options.key)),
    );
}

const LEVELS_TEXT = 'accreditation levels and flags, such as 1234 or 12t (http.md 3.1)';

interface BrokerValues {
  readonly group?: Broker['group'];
  readonly levels?: string;
}

interface ImportOptions {
  readonly format: BrokerFileFormat;
  readonly skipGroup?: readonly string[];
  readonly dryRun?: boolean;
}

function groupOption(): Option {
  return new Option('--group <group>', 'role of the broker').choices(GROUPS);
}

function parseName(text: string): string {
  if (!BROKER_NAME.test(text)) throw new InvalidArgumentError('letters, digits, - and _, with dots between');
  return text;
}

function parseLevels(text: string): string {
  if (!LEVELS.test(text)) throw new InvalidArgumentError(LEVELS_RULE);
  return text;
}

function parseKeyId(text: string): string {
  if (!/^[0-9a-f]{8,64}$/.test(text)) throw new InvalidArgumentError('8 or more hexadecimal digits');
  return text;
}

async function add(
  { brokers, refusedKeys, ids, print }: BrokersCommandDeps,
  name: string,
  { group, levels, key }: BrokerValues & { readonly key?: string },
): Promise<void> {
  const stored = await brokers.find(name);
  const isOther = (group ?? stored?.group) !== stored?.group || (levels ?? stored?.levels) !== stored?.levels;
  if (stored !== undefined && isOther)
    throw new RefusedCommandError(
      `${name} has group ${stored.group} and levels "${stored.levels}": brokers set changes them.`,
    );
  const broker = stored ?? newBroker(name, { group, levels });
  const newKey = key ?? ids.nextToken();
  forbidSandboxKeys([sha256Hex(newKey)], refusedKeys);
  if (!(await brokers.addKey(broker, sha256Hex(newKey))))
    throw new RefusedCommandError('This key was used before; nothing changed.');
  print(key === undefined ? shownOnce(name, newKey) : `${name}: the given key is in force`);
}

function forbidSandboxKeys(keyHashes: readonly string[], refusedKeys: readonly string[]): void {
  if (!keyHashes.some((keyHash) => refusedKeys.includes(keyHash))) return;
  throw new RefusedCommandError('Keys of the sandbox are refused while SANDBOX_MODE is off; nothing changed.');
}

/** A broker without a list of levels has all four (http.md 3.1); components need none. */
function newBroker(
  name: string,
  { group = 'brokers', levels }: { group: Broker['group'] | undefined; levels: string | undefined },
): Broker {
  return { name, group, levels: levels ?? (group === 'brokers' ? '1234' : '') };
}

function shownOnce(name: string, key: string): string {
  return `${name}: the key is ${key} (shown this once)`;
}

async function rotate(
  { brokers, ids, print }: BrokersCommandDeps,
  name: string,
  revokesOthers: boolean,
): Promise<void> {
  const key = ids.nextToken();
  const revoked = await brokers.rotate(name, sha256Hex(key), revokesOthers);
  if (revoked === undefined) throw new RefusedCommandError(`There is no broker ${name}; nothing changed.`);
  print(shownOnce(name, key));
  print(
    revokesOthers
      ? `${name}: ${revoked} revoked`
      : `When it is in use: brokers keys ${name}, brokers revoke ${name} --id <id>`,
  );
}

async function revoke(
  { brokers, print }: BrokersCommandDeps,
  name: string,
  keyHash: string | undefined,
): Promise<void> {
  const count = await brokers.revoke(name, keyHash);
  if (count === 0) throw new RefusedCommandError(`${name} has no such key in force; nothing changed.`);
  print(`${name}: ${count} revoked`);
}

async function set({ brokers, print }: BrokersCommandDeps, name: string, values: BrokerValues): Promise<void> {
  if (values.group === undefined && values.levels === undefined) throw new UsageError('give --group or --levels');
  if (!(await brokers.change(name, values)))
    throw new RefusedCommandError(`There is no broker ${name}, or it has them already; nothing changed.`);
  print(`${name}: changed`);
}

async function list({ brokers, print }: BrokersCommandDeps): Promise<void> {
  for (const { name, group, levels, keys, revoked } of await brokers.list()) {
    print([name, group, levels || '-', `${keys} in force`, `${revoked} revoked`].join('\t'));
  }
}

async function printKeys({ brokers, refusedKeys, print }: BrokersCommandDeps, name: string): Promise<void> {
  const keys = await brokers.keysOf(name);
  if (keys.length === 0) throw new RefusedCommandError(`There is no broker ${name}.`);
  for (const { keyHash, createdAt, revokedAt } of keys) {
    const state = refusedKeys.includes(keyHash) ? 'refused: a key of the sandbox' : 'in force';
    print([keyHash.slice(0, 8), createdAt.toISOString(), revokedAt?.toISOString() ?? state].join('\t'));
  }
}

async function importFile(
  { brokers, refusedKeys, readInput, print }: BrokersCommandDeps,
  file: string,
  { format, skipGroup = [], dryRun = false }: ImportOptions,
): Promise<void> {
  const keys = readBrokerFile(await readInput(file), format, skipGroup);
  forbidSandboxKeys(
    keys.map(({ keyHash }) => keyHash),
    refusedKeys,
  );
  const { added, unchanged, conflicts } = await brokers.importKeys(keys, { dryRun });
  if (conflicts.length > 0) throw new RefusedCommandError([...conflicts, 'Nothing changed.'].join('\n'));
  if (dryRun) for (const { broker } of added) print([broker.name, broker.group, broker.levels || '-'].join('\t'));
  print(`${added.length} keys ${dryRun ? 'would be added' : 'added'}, ${unchanged} were there before`);
}
