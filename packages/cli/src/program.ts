import { readFileSync } from 'node:fs';
import { createClient } from '@procurement/client';
import { Command, CommanderError, Option } from 'commander';
import { BODY } from './body.ts';
import {
  downloadExport,
  FILTERS,
  followFeed,
  followStream,
  listExports,
  moveClock,
  searchTenders,
  sendRequest,
  watchTender,
} from './commands.ts';
import { completionScript, SHELLS, wordsAfter } from './completion.ts';
import { addContractCommands } from './contracts.ts';
import { uploadDocuments } from './documents.ts';
import { EXIT, exitCodeOf, failureText, UsageError } from './failures.ts';
import { argumentsOf, KINDS, runOnObjects, VERBS, type Kind, type ObjectOptions } from './objects.ts';
import { parseAddress, parseCount, IDEMPOTENCY_KEY, parseSeconds } from './options.ts';
import { printable, type Output } from './output.ts';
import { Profiles, type Environment } from './profiles.ts';
import type { Session } from './session.ts';
import { showList } from './show.ts';

/** What the command line has from its process. */
export interface CliEnvironment {
  readonly env: Environment;
  readonly output: Output;
  readonly signal: AbortSignal;
  readInput(file: string): Promise<string>;
}

interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly profile?: string;
}

/** Runs a command. Returns the exit code. */
export async function runProgram(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { output, signal } = environment;
  const root = makeProgram(environment);
  try {
    await root.parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const isJson = root.opts<GlobalOptions>().json === true;
    // Commander has printed what it throws, for people.
    const isPrinted = error instanceof CommanderError && (error.exitCode === 0 || !isJson);
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (signal.aborted) return EXIT.interrupted;
    if (!isPrinted) output.note(failureText(error, isJson));
    return exitCodeOf(error);
  }
}

function makeProgram(environment: CliEnvironment): Command {
  const { output } = environment;
  const root = new Command('procurement')
    .description('Command line of the public procurement API')
    .version(readVersion(), '--version', 'print the version')
    .option('--json', 'print JSON: one object, or one a line; errors too, on the last line of stderr')
    .option('--quiet', 'print the id of the object only')
    .option('--profile <profile>', 'profile to use instead of the current one')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => (root.opts<GlobalOptions>().json === true ? undefined : output.note(text.trimEnd())),
    });
  addKeys(root, environment);
  for (const [name, kind] of Object.entries(KINDS)) addObjects(root, environment, name, kind);
  addTenders(root, environment);
  addContractCommands(commandAt(root, ['contract']), () => makeSession(root, environment));
  addFeeds(root, environment);
  addExports(root, environment);
  root
    .command('completion <shell>')
    .description('print the completion script of bash, zsh or fish')
    .action((shell: string) => output.print(completionScript(shell)));
  root
    .command('help [command...]')
    .description('print the help of a command: help tender watch')
    .action((words: readonly string[]) => output.print(commandAt(root, words).helpInformation().trimEnd()));
  root.command('complete [words...]', { hidden: true }).action((words: readonly string[]) => {
    const known = { profile: () => readProfileNames(environment), shell: () => SHELLS };
    output.print(wordsAfter(root, words, known).join('\n'));
  });
  return root;
}

function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

function commandAt(root: Command, words: readonly string[]): Command {
  let command = root;
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) throw new UsageError(`there is no command ${words.join(' ')}`);
    command = inner;
  }
  return command;
}

/** The commands about objects of a kind. */
function addObjects(root: Command, environment: CliEnvironment, name: string, kind: Kind): void {
  const group = root.command(name).description(kind.description);
  for (const verb of kind.verbs) {
    const { method, description } = VERBS[verb];
    const words = argumentsOf(kind, verb);
    const command = group
      .command(verb)
      .description(description)
      .action(async (...given: readonly unknown[]) => {
        // Commander gives the arguments, then the options, then the command.
        const values = given.slice(0, words.length) as readonly string[];
        const options = given[words.length] as ObjectOptions;
        await runOnObjects(makeSession(root, environment), [name, kind, verb], values, options);
      });
    for (const word of words) command.argument(`<${word}>`, word === 'body' ? BODY : '');
    if (kind.pathOfAward !== undefined) command.option('--award <award>', 'about this award, not the tender');
    if (kind.path !== '/webhooks' && verb !== 'list')
      command.option('--as <id>', 'the object whose owner makes the request');
    if (method === 'POST') command.option('--idempotency-key <key>', IDEMPOTENCY_KEY);
  }
}

/** Names of the profiles. None when the file cannot be used: a command says why, a completion must not print it into a line. */
function readProfileNames({ env }: CliEnvironment): readonly string[] {
  try {
    return Object.keys(new Profiles(env).list().profiles);
  } catch {
    return [];
  }
}

function addKeys(root: Command, { env, output, readInput }: CliEnvironment): void {
  const profiles = new Profiles(env);
  const key = root.command('key').description('profiles: an address and an API key, in a file that only you can read');
  key
    .command('add <name>')
    .description('add or replace a profile and use it; the API key is read from stdin, so that no history has it')
    .requiredOption('--url <address>', 'address of the installation', parseAddress)
    .action(async (name: string, { url }: { readonly url: string }) => {
      const apiKey = (await readInput('-')).trim();
      profiles.add(name, { url, ...(apiKey === '' ? {} : { key: apiKey }) });
    });
  key
    .command('list')
    .description('show the profiles, without keys')
    .action(() => {
      const { current, profiles: all } = profiles.list();
      const rows = Object.entries(all).map(([name, { url }]) => ({ name, url, isCurrent: name === current }));
      const { json = false } = root.opts<GlobalOptions>();
      const columns = ['current', 'name', 'url'];
      const shown = json ? rows : rows.map((row) => ({ ...row, current: row.isCurrent ? '*' : ' ' }));
      showList(
        { output, format: json ? 'json' : 'table' },
        shown,
        columns,
        'There are no profiles: procurement key add',
      );
    });
  key
    .command('use <profile>')
    .description('use this profile from now on')
    .action((name: string) => profiles.use(name));
  key
    .command('remove <profile>')
    .description('remove a profile; its owner tokens stay')
    .action((name: string) => profiles.remove(name));
}

function addTenders(root: Command, environment: CliEnvironment): void {
  const session = (): Session => makeSession(root, environment);
  commandAt(root, ['tender'])
    .command('watch <id>')
    .description('print each change, until the tender has ended')
    .option('--poll <seconds>', 'between two reads where the stream of changes cannot be used', parseSeconds, 10)
    .action(async (id: string, options) => watchTender(session(), id, options));
  root
    .command('clock')
    .description('clocks of tenders in a sandbox')
    .command('move <tender>')
    .description('move the clock of a tender forward')
    .addOption(new Option('--to <instant>', 'to the next transition of the tender').choices(['next_check']))
    .option('--advance <duration>', 'by an ISO 8601 duration such as PT30M')
    .action(async (id: string, options) => moveClock(session(), id, options));
  root
    .command('document')
    .description('documents')
    .command('upload <tender> <files...>')
    .description('add files to a tender, or to an object of it')
    .option(
      '--to <path>',
      'bids/<id>, awards/<id>, contracts/<id>, complaints/<id>, cancellations/<id>, awards/<id>/complaints/<id>',
    )
    .action(async (id: string, files: readonly string[], options) => uploadDocuments(session(), id, files, options));
  const search = root
    .command('search [words...]')
    .description('find tenders by words and filters')
    .option('--limit <count>', 'how many to print', parseCount, 20)
    .action(async (words: readonly string[], options) => searchTenders(session(), words, options));
  for (const [name, description] of Object.entries(FILTERS)) {
    search.option(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <value>`, description);
  }
  root
    .command('send')
    .argument('<method>')
    .argument('<path>', 'begins with /tenders, /sandbox or the like')
    .argument('[body]', BODY)
    .description('make any request for which there is no command')
    .option('--as <id>', 'the object whose owner makes the request')
    .option('--strict', 'change nothing when a member may not change now')
    .option('--idempotency-key <key>', IDEMPOTENCY_KEY)
    .action(async (method: string, path: string, body: string | undefined, options) =>
      sendRequest(session(), [method, path, body], options),
    );
}

/** Adds the command `<name> follow` about the feed of all objects of a kind. */
function addFollowing(root: Command, name: string, kind: string): Command {
  return root
    .command(name)
    .description(`the feed of all ${kind}s`)
    .command('follow')
    .description(`print ${kind}s as they change`)
    .option('--after <position>', 'begin after this position instead of at the end')
    .option('--state <file>', 'store the position here after each entry, and go on from it')
    .addOption(
      new Option('--mode <mode>', 'test: those of test tenders only; _all_: with them').choices(['test', '_all_']),
    )
    .option('--fields <names>', 'members to add, separated by commas')
    .option('--once', 'print what is there, from the first one unless --after or --state says otherwise, and end');
}

function addFeeds(root: Command, environment: CliEnvironment): void {
  addFollowing(root, 'contracts', 'contract').action(async (options) =>
    followFeed(makeSession(root, environment), options, 'contract'),
  );
  addFollowing(root, 'feed', 'tender')
    .option('--stream', 'every change, as it happens, instead of the last one of each tender')
    .option('--expand', 'with --stream and --json: each change with the whole tender of that revision; needs a key')
    .action(async ({ stream = false, ...options }) => {
      if (stream && (options.once === true || options.fields !== undefined)) {
        throw new UsageError('--stream has neither --once nor --fields');
      }
      if (options.expand === true && (!stream || root.opts<GlobalOptions>().json !== true)) {
        throw new UsageError('--expand needs --stream and --json');
      }
      const session = makeSession(root, environment);
      await (stream ? followStream(session, options) : followFeed(session, options, 'tender'));
    });
}

function addExports(root: Command, environment: CliEnvironment): void {
  const exports = root.command('export').description('bulk files of all tenders');
  exports
    .command('list')
    .description('show the exports, the newest first')
    .action(async () => listExports(makeSession(root, environment)));
  exports
    .command('download <name>')
    .description(
      'bring the files of an export; latest-<kind> is the newest: tenders, revisions, changes, releases, records',
    )
    .option('--to <folder>', 'folder of the files', '.')
    .action(async (name: string, options) => downloadExport(makeSession(root, environment), name, options));
}

function makeSession(root: Command, { env, output, signal, readInput }: CliEnvironment): Session {
  const { json = false, quiet = false, profile } = root.opts<GlobalOptions>();
  const profiles = new Profiles(env);
  const { name, url, key } = profiles.selected(profile);
  const client = createClient({
    url,
    tokens: profiles.tokens(name),
    ...(key === undefined ? {} : { key }),
    onIgnored({ members }) {
      output.note(`ignored, because you may not change it now: ${printable(members.join(', '))}`);
    },
    onRetry({ request: { method, path }, delayMs, status = 'no answer' }) {
      output.note(`${method} ${path}: ${status}, again in ${(delayMs / 1_000).toFixed(1)} s`);
    },
  });
  return { client, output, format: json ? 'json' : quiet ? 'id' : 'table', signal, readInput };
}
