import { stat } from 'node:fs/promises';
import { decodeText } from '@procurement/proof/hash';
import { ID } from '@procurement/proof/lines';
import {
  addFork,
  findEquivocation,
  isQuorum,
  openKept,
  openTrusted,
  readCheckpoint,
  readTree,
  type CheckedTree,
  type Context,
  type Equivocation,
  type SignedTree,
} from './checkpoint.ts';
import { LogReader } from './log-reader.ts';
import { LogRules } from './log-rules.ts';
import { checkOpening } from './opening.ts';
import { checkReceipt, judgeReceiptText, readReceipt } from './receipt-check.ts';
import { CannotCheckError, messageOf, NoCheckpointError, type FindingCode, type Report } from './report.ts';
import type { Session } from './session.ts';
import { parseBaseAddress, FolderSource, HttpSource, type Source } from './source.ts';
import { readHistory } from './tender-history.ts';
import { checkTexts, checkView, type ShownState } from './tender-texts.ts';
import { countTiles, readWholeLog } from './whole-log.ts';

/** Reads the newest checkpoint and keeps it. */
export async function checkCheckpoint(session: Session, context: Context): Promise<CheckedTree> {
  const kept = openKept(context, await session.keptCheckpoint());
  const tree = await readTree(context, kept, (evidence) => session.keepEquivocation(evidence));
  const isOlder = kept !== undefined && tree.shown.opened.checkpoint.size < kept.opened.checkpoint.size;
  // After a fork the former checkpoint stays, so that the next command sees it too.
  if (!isOlder && !context.report.has('fork')) keepCheckpoint(session, context, tree.shown.note);
  return tree;
}

/** Keeps a checkpoint for the next command. Where nothing can be written, this is a warning: the findings of this command stand. */
function keepCheckpoint(session: Session, { report }: Context, note: string): void {
  try {
    session.keepCheckpoint(note);
  } catch (error) {
    report.warn(`the checkpoint was not kept: ${messageOf(error)}`);
  }
}

export interface TenderOptions {
  readonly full?: boolean;
  readonly former?: string;
}

interface CheckedTender {
  readonly tree: CheckedTree;
  readonly states: readonly ShownState[];
}

/**
 * A view may be so new that the log does not have it. The log adds entries every few seconds, but where a signal to it is lost, it looks for
 * new states once in 60 s, and then has to sign, store and publish them. So two minutes.
 */
const ASK_AGAIN_MS = 5_000;
const ATTEMPTS = 24;

/** Findings that are explained where a restore made states of the tender void. Entries of restores are found only by reading all of the log. */
const LOST: ReadonlySet<FindingCode> = new Set(['text', 'withheld', 'redaction']);

/**
 * Checks a tender. Where its view is ahead of the log, or the log has no checkpoint yet, everything is asked again for two minutes; the
 * findings of the last time count.
 */
export async function checkTender(
  session: Session,
  tender: string,
  options: TenderOptions,
  further: (context: Context, checked: CheckedTender) => Promise<void> = async () => {},
): Promise<void> {
  if (!ID.test(tender)) throw new CannotCheckError(`${tender} is no id of a tender: 32 hex digits`);
  const former = options.former === undefined ? undefined : await session.readFile(options.former);
  let isFull = options.full === true;
  for (let attempt = 0; ; attempt += 1) {
    const context = session.context();
    const tree = await checkCheckpoint(session, context).catch((error: unknown) => {
      if (error instanceof NoCheckpointError && attempt < ATTEMPTS) return undefined;
      throw error;
    });
    if (tree === undefined) {
      await session.environment.waitMs(ASK_AGAIN_MS);
      continue;
    }
    const history = await readHistory(context, tree.reader, tender, isFull);
    const { states, newest } = await checkTexts(context, tender, history, former);
    if (newest !== undefined || history.states.length === 0) await checkView(context, tender, newest, isFull);
    const next = nextStep(context.report, isFull, attempt);
    if (next === 'end') return further(context, { tree, states });
    if (next === 'wait') await session.environment.waitMs(ASK_AGAIN_MS);
    else isFull = true;
  }
}

/** Decides what follows an attempt: its findings are final, or all of the log may explain them, or the log may not have the state yet. */
function nextStep(report: Report, isFull: boolean, attempt: number): 'end' | 'full' | 'wait' {
  // A fork proves a lie, also when the server is honest at the next question.
  if (report.has('fork')) return 'end';
  const isLost = report.findings.some(({ code }) => LOST.has(code));
  if (report.isViewAhead && (isFull || !isLost) && attempt < ATTEMPTS) return 'wait';
  return !isFull && (isLost || report.has('view')) ? 'full' : 'end';
}

/** Checks a tender with all of the log, and that its opened bids are those that were fixed at the closing. */
export async function checkBids(session: Session, tender: string): Promise<void> {
  await checkTender(session, tender, { full: true }, async (context, { tree, states }) =>
    checkOpening(context, tree, tender, states),
  );
}

export interface ReceiptOptions {
  readonly text?: string;
  readonly offline?: boolean;
}

/** Checks the signature and the text of a receipt and, unless offline, that the seal of the tender agrees with it. */
export async function checkReceiptFile(
  session: Session,
  file: string,
  { text, offline }: ReceiptOptions,
): Promise<void> {
  const given = (await session.readFile(file)).toString();
  const bid = text === undefined ? undefined : await session.readFile(text);
  const keys = await session.receiptKeys();
  const judge = (report: Report) => {
    const receipt = readReceipt(report, given, keys, session.origin);
    if (bid !== undefined) judgeReceiptText(report, receipt, bid);
    return receipt;
  };
  const { tender } = judge(session.report);
  if (offline === true) return;
  await checkTender(session, tender, {}, async (context, { states }) =>
    checkReceipt(context, judge(context.report), states),
  );
}

/** Reads every entry and every tile, from the address or from a folder. */
export async function checkLog(session: Session, folder: string | undefined): Promise<void> {
  const context = session.context(folder === undefined ? undefined : new FolderSource(folder));
  const reader = folder === undefined ? (await checkCheckpoint(session, context)).reader : await readCopy(context);
  const rules = new LogRules({ report: context.report, isWhole: true });
  await readWholeLog(reader, rules);
  const { size } = reader.checkpoint;
  context.report.say('log', `all ${size} entries and ${countTiles(size)} tiles were read, and give the root`);
}

/** Reads the checkpoint of a copy. It may be old, and is not compared with the kept checkpoint: that is what `compareCheckpoints` does. */
async function readCopy(context: Context): Promise<LogReader> {
  const { opened } = await readCheckpoint(context);
  return new LogReader(context.source, opened.checkpoint);
}

/** One of the two that are compared: a checkpoint, and the source of its tiles, which a file alone does not have. */
interface Side {
  readonly tree: SignedTree;
  readonly source: Source | undefined;
}

/** Compares two checkpoints, which are files, folders or addresses: one tree must be the beginning of the other. */
export async function compareCheckpoints(session: Session, names: readonly [string, string]): Promise<void> {
  const context = session.context();
  const [a, b] = [await readSide(session, context, names[0]), await readSide(session, context, names[1])];
  const isInOrder = a.tree.opened.checkpoint.size <= b.tree.opened.checkpoint.size;
  const [first, second] = isInOrder ? [a, b] : [b, a];
  const evidence = await compareSides(context, first, second);
  context.report.size = second.tree.opened.checkpoint.size;
  if (evidence === undefined) return context.report.say('log', 'both checkpoints are of one log');
  addFork(context, evidence);
  session.keepEquivocation(evidence);
}

async function compareSides(context: Context, first: Side, second: Side): Promise<Equivocation | undefined> {
  // The tiles of the larger tree prove it; an address of the smaller one may have them too.
  const sources = [second.source, first.source, context.source].filter((source) => source !== undefined);
  let failure: unknown;
  for (const source of sources) {
    try {
      return await findEquivocation(first.tree, second.tree, new LogReader(source, second.tree.opened.checkpoint));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function readSide(session: Session, context: Context, name: string): Promise<Side> {
  const source = await findSource(session, name);
  const bytes = source === undefined ? await session.readFile(name) : (await source.read('log/checkpoint')).bytes;
  const note = decodeText(bytes) ?? '';
  const opened = openTrusted(context, note);
  if (opened === undefined) throw new CannotCheckError(`${name} has no checkpoint that the trusted log has signed`);
  const { origin, size, root } = opened.checkpoint;
  const isEnough = isQuorum(context.policy, opened.cosignatures) ? '' : ', no quorum';
  context.report.say('log', `${name}: ${origin}, ${size} entries, root ${root.toString('base64')}${isEnough}`);
  return { tree: { note, opened }, source };
}

/** Returns the source of an address or a folder; undefined for the name of a file. */
async function findSource({ environment }: Session, name: string): Promise<Source | undefined> {
  if (/^https?:\/\//.test(name)) return new HttpSource(environment, parseBaseAddress(name));
  const found = await stat(name).catch(() => undefined);
  return found?.isDirectory() === true ? new FolderSource(name) : undefined;
}
