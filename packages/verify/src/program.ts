import { Command, CommanderError } from 'commander';
import {
  checkBids,
  checkCheckpoint,
  checkLog,
  checkReceiptFile,
  checkTender,
  compareCheckpoints,
  type ReceiptOptions,
  type TenderOptions,
} from './commands.ts';
import type { VerifyEnvironment } from './environment.ts';
import { KeptState } from './kept-state.ts';
import { CannotCheckError, messageOf, printable, printableJson, printableLines, Report, reportText } from './report.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import { parseBaseAddress, HttpSource } from './source.ts';
import { readSuggestion, suggestionText } from './trust.ts';

interface GlobalOptions extends SessionOptions {
  readonly json?: boolean;
  readonly home?: string;
}

/** Runs a command. Returns the exit code (docs/spec/proof.md 6). */
export async function runProgram(args: readonly string[], environment: VerifyEnvironment): Promise<number> {
  let exit = 0;
  const root = makeProgram(environment, (code) => (exit = code));
  try {
    await root.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    // Commander has printed the message of its error already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}

function makeProgram(environment: VerifyEnvironment, setExit: (exit: number) => void): Command {
  const root = new Command('verify-procurement')
    .description('Checks what a procurement system shows against its public log')
    .option('--json', 'print one object of JSON')
    .option('--log <address>', 'address of the log, if it is not the one that was trusted last')
    .option('--policy <file>', 'policy to use instead of the one that was trusted')
    .option('--home <folder>', 'folder of trusted keys, kept checkpoints and evidence: ~/.verify-procurement')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => environment.print(text.trimEnd()),
      writeErr: (text) => environment.print(printableLines(text.trimEnd())),
    });
  const run = async (check: (session: Session) => Promise<unknown>, command: string): Promise<void> =>
    setExit(await runCheck(environment, root.opts<GlobalOptions>(), command, check));
  root
    .command('trust <address>')
    .description('show the keys of a log and its witnesses, and trust them from now on')
    .option('--yes', 'do not ask')
    .action(async (address: string, { yes }: { readonly yes?: boolean }) =>
      setExit(await trustLog(environment, root.opts<GlobalOptions>(), address, yes === true)),
    );
  root
    .command('checkpoint')
    .description('is the newest checkpoint signed, seen by witnesses, fresh, and of the log that I know?')
    .action(async () => run(async (session) => checkCheckpoint(session, session.context()), 'checkpoint'));
  root
    .command('tender <id>')
    .description('is this tender what was published, and is its history whole?')
    .option('--full', 'read every entry of the log, not only those that it names for this tender')
    .option('--former <file>', 'text of a state before a removal by law: was nothing else removed?')
    .action(async (id: string, options: TenderOptions) =>
      run(async (session) => checkTender(session, id, options), 'tender'),
    );
  root
    .command('opening <id>')
    .description('are the opened bids those that were fixed at the closing? reads all of the log')
    .action(async (id: string) => run(async (session) => checkBids(session, id), 'opening'));
  root
    .command('receipt <file>')
    .description('is the bid of this receipt among those that were fixed at the closing?')
    .option('--text <file>', 'text of the bid, to compare with the receipt')
    .option('--offline', 'check the signature and the text only')
    .action(async (file: string, options: ReceiptOptions) =>
      run(async (session) => checkReceiptFile(session, file, options), 'receipt'),
    );
  root
    .command('log [folder]')
    .description('read every entry and every tile, from the address or from a copy in a folder')
    .action(async (folder: string | undefined) => run(async (session) => checkLog(session, folder), 'log'));
  root
    .command('compare <one> <other>')
    .description('are two checkpoints of one log? each is a file, a folder or an address')
    .action(async (one: string, other: string) =>
      run(async (session) => compareCheckpoints(session, [one, other]), 'compare'),
    );
  return root;
}

async function runCheck(
  environment: VerifyEnvironment,
  options: GlobalOptions,
  command: string,
  check: (session: Session) => Promise<unknown>,
): Promise<number> {
  let session: Session | undefined;
  const failed = new Report();
  try {
    session = await openSession(environment, new KeptState(options.home, environment.env), options);
    await check(session);
  } catch (error) {
    (session?.report ?? failed).take(error);
  }
  const report = session?.report ?? failed;
  const evidence = session !== undefined && report.exit === 2 ? keepEvidence(session, command) : undefined;
  const { size = null, witnesses, findings, warnings, exit } = report;
  const origin = session?.origin ?? null;
  const error = report.failure === undefined ? {} : { error: report.failure };
  const answer = { command, origin, size, witnesses, findings, warnings, exit, ...error };
  environment.print(options.json === true ? printableJson(answer) : reportText(report, evidence));
  return exit;
}

/** Writes the evidence of a contradiction. Where nothing can be written, this is a warning: the verdict stands. */
function keepEvidence(session: Session, command: string): string | undefined {
  try {
    return session.keepEvidence(command);
  } catch (error) {
    session.report.warn(`the evidence was not kept: ${messageOf(error)}`);
    return undefined;
  }
}

/** Shows what a log suggests to trust, and pins it when a person agrees. */
async function trustLog(
  environment: VerifyEnvironment,
  options: GlobalOptions,
  address: string,
  isAgreed: boolean,
): Promise<number> {
  try {
    const url = parseBaseAddress(address);
    const state = new KeptState(options.home, environment.env);
    const suggestion = await readSuggestion(new HttpSource(environment, url));
    const former = await state.trust(url);
    environment.print(printableLines(suggestionText(suggestion)));
    if (former !== undefined && former.policy !== suggestion.text)
      environment.print(
        'This is another policy than the one that you trust. Ask the operator why, elsewhere than at this address.',
      );
    if (
      !isAgreed &&
      !(await environment.confirm('Trust these keys? Compare them with what is published elsewhere. [y/N] '))
    )
      throw new CannotCheckError('nothing was trusted');
    state.keepTrust({ url, policy: suggestion.text, receipts: suggestion.receipts.map(({ vkey }) => vkey) });
    environment.print(printable(`trusted: ${suggestion.policy.logs.map(({ name }) => name).join(', ')}`));
    return 0;
  } catch (error) {
    // Nobody has trusted this log yet, so whatever is wrong with it contradicts nothing.
    const report = new Report();
    report.failure = messageOf(error);
    environment.print(reportText(report, undefined));
    return 1;
  }
}
