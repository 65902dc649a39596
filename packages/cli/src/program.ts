import { createClient } from '@procurement/client';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  createBid,
  createTender,
  downloadExport,
  followFeed,
  followStream,
  getTender,
  listExports,
  moveClock,
  sendRequest,
  uploadDocuments,
  watchTender,
  type Session,
} from './commands.ts';
import { completionScript, SHELLS, wordsAfter } from './completion.ts';
import { EXIT, exitCodeOf, failureText, UsageError } from './failures.ts';
import { tableOf, type Output } from './output.ts';
import { Profiles, type Environment } from './profiles.ts';

/** What the command line has from its process. */
export interface Surroundings {
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

const FILE = 'JSON of the body, with or without "data"; - for stdin';
const IDEMPOTENCY_KEY = 'the same command with the same key creates nothing new within 24 hours';

/** Runs a command. Returns the exit code. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { output, signal } = surroundings;
  try {
    await programOf(surroundings).parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (signal.aborted) return EXIT.interrupted;
    output.note(failureText(error));
    return exitCodeOf(error);
  }
}

function programOf(surroundings: Surroundings): Command {
  const { output } = surroundings;
  const root = new Command('procurement')
    .description('Command line of the public procurement API')
    .option('--json', 'print JSON: one object, or one a line')
    .option('--quiet', 'print the id of the object only')
    .option('--profile <profile>', 'profile to use instead of the current one')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
    });
  addKeys(root, surroundings);
  addTenders(root, surroundings);
  addFeed(root, surroundings);
  addExports(root, surroundings);
  root
    .command('completion <shell>')
    .description('print the completion script of bash, zsh or fish')
    .action((shell: string) => output.print(completionScript(shell)));
  root.command('complete [words...]', { hidden: true }).action((words: readonly string[]) => {
    const known = { profile: () => namesOf(surroundings), shell: () => SHELLS };
    output.print(wordsAfter(root, words, known).join('\n'));
  });
  return root;
}

/** Names of the profiles. None when the file cannot be used: a command says why, a completion must not print it into a line. */
function namesOf({ env }: Surroundings): readonly string[] {
  try {
    return Object.keys(new Profiles(env).list().profiles);
  } catch {
    return [];
  }
}

function addKeys(root: Command, { env, output, readInput }: Surroundings): void {
  const profiles = new Profiles(env);
  const key = root.command('key').description('profiles: an address and an API key, in a file that only you can read');
  key
    .command('add <name>')
    .description('add or replace a profile and use it; the API key is read from stdin, so that no history has it')
    .requiredOption('--url <address>', 'address of the installation', addressOf)
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
      const table = tableOf(
        ['', 'profile', 'address'],
        rows.map((row) => [row.isCurrent ? '*' : '', row.name, row.url]),
      );
      output.print(root.opts<GlobalOptions>().json === true ? JSON.stringify(rows) : table);
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

function addTenders(root: Command, surroundings: Surroundings): void {
  const session = (): Session => sessionOf(root, surroundings);
  const tender = root.command('tender').description('tenders');
  tender
    .command('create <file>')
    .description(`publish a tender. ${FILE}`)
    .option('--idempotency-key <key>', IDEMPOTENCY_KEY)
    .action(async (file: string, options) => createTender(session(), file, options));
  tender
    .command('get <id>')
    .description('show a tender')
    .action(async (id: string) => getTender(session(), id));
  tender
    .command('watch <id>')
    .description('print each change, until the tender has ended')
    .option('--poll <seconds>', 'between two reads where the stream of changes cannot be used', secondsOf, 10)
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
    .command('bid')
    .description('bids')
    .command('create <tender> <file>')
    .description(`submit a bid. ${FILE}`)
    .option('--idempotency-key <key>', IDEMPOTENCY_KEY)
    .action(async (id: string, file: string, options) => createBid(session(), id, file, options));
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
  root
    .command('send <method> <path> [file]')
    .description(`make any request; the path begins with /tenders or /sandbox. ${FILE}`)
    .option('--as <id>', 'the object whose owner makes the request')
    .option('--idempotency-key <key>', IDEMPOTENCY_KEY)
    .action(async (method: string, path: string, file: string | undefined, options) =>
      sendRequest(session(), method, path, file, options),
    );
}

function addFeed(root: Command, surroundings: Surroundings): void {
  root
    .command('feed')
    .description('the feed of all tenders')
    .command('follow')
    .description('print tenders as they change')
    .option('--after <position>', 'begin after this position instead of at the end')
    .option('--state <file>', 'store the position here after each entry, and go on from it')
    .addOption(new Option('--mode <mode>', 'test: test tenders only; _all_: with them').choices(['test', '_all_']))
    .option('--fields <names>', 'members to add, separated by commas')
    .option('--stream', 'every change, as it happens, instead of the last one of each tender')
    .option('--expand', 'with --stream and --json: each change with the whole tender of that revision; needs a key')
    .option('--once', 'print what is there, from the first tender unless --after or --state says otherwise, and end')
    .action(async ({ stream = false, ...options }) => {
      if (stream && (options.once === true || options.fields !== undefined)) {
        throw new UsageError('--stream has neither --once nor --fields');
      }
      if (options.expand === true && (!stream || root.opts<GlobalOptions>().json !== true)) {
        throw new UsageError('--expand needs --stream and --json');
      }
      await (stream ? followStream : followFeed)(sessionOf(root, surroundings), options);
    });
}

function addExports(root: Command, surroundings: Surroundings): void {
  const exports = root.command('export').description('bulk files of all tenders');
  exports
    .command('list')
    .description('show the exports, the newest first')
    .action(async () => listExports(sessionOf(root, surroundings)));
  exports
    .command('download <name>')
    .description(
      'bring the files of an export; latest-<kind> is the newest: tenders, revisions, changes, releases, records',
    )
    .option('--to <folder>', 'folder of the files', '.')
    .action(async (name: string, options) => downloadExport(sessionOf(root, surroundings), name, options));
}

function sessionOf(root: Command, { env, output, signal, readInput }: Surroundings): Session {
  const { json = false, quiet = false, profile } = root.opts<GlobalOptions>();
  const profiles = new Profiles(env);
  const { name, url, key } = profiles.selected(profile);
  const client = createClient({
    url,
    tokens: profiles.tokens(name),
    ...(key === undefined ? {} : { key }),
    onRetry({ request: { method, path }, delayMs, status = 'no answer' }) {
      output.note(`${method} ${path}: ${status}, again in ${(delayMs / 1_000).toFixed(1)} s`);
    },
  });
  return { client, output, format: json ? 'json' : quiet ? 'id' : 'table', signal, readInput };
}

/** A key goes to this address with every request, so it must be an address of HTTP. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new InvalidArgumentError('such as https://api.example.org');
  return url.href;
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('a number of seconds above 0');
  return seconds;
}
