import { isDeepStrictEqual } from 'node:util';
import { deriveCommitment } from '@procurement/proof/commitments';
import { namesOfMember } from '@procurement/proof/entries';
import { sha256, decodeText } from '@procurement/proof/hash';
import type { Context } from './checkpoint.ts';
import { parseData, hasMember, withoutMember, type JsonObject } from './json.ts';
import type { LoggedState } from './log-rules.ts';
import { CannotCheckError } from './report.ts';
import { readIfThere, TEXT_BYTES_MAX } from './source.ts';
import { readShownRevisions, type ShownRevisions, type TenderHistory } from './tender-history.ts';

/** A logged state with those members of its text that an opening is judged by. */
export interface ShownState {
  readonly logged: LoggedState;
  readonly data: JsonObject;
}

/** The newest logged state with its text. */
export interface NewestText {
  readonly logged: LoggedState;
  readonly bytes: Buffer;
}

export interface ShownTexts {
  readonly states: readonly ShownState[];
  /** Undefined where it is kept back, and where nothing was logged. */
  readonly newest: NewestText | undefined;
}

/** Members that are kept of every text: all texts of a long history do not fit into memory. */
const KEPT_MEMBERS = ['auctionPeriod', 'bids', 'bidsSeal', 'lots', 'tenderPeriod'] as const;

/** Checks the text of every logged state. Returns the states whose texts were shown. */
export async function checkTexts(
  context: Context,
  tender: string,
  { states, blinds }: TenderHistory,
  former: Buffer | undefined,
): Promise<ShownTexts> {
  const { report } = context;
  const shown: ShownState[] = [];
  let newest: NewestText | undefined;
  const revisions = await readShownRevisions(context, tender);
  let proven = 0;
  for (const logged of states) {
    const before = report.findings.length;
    const bytes = await readIfThere(context.source, pathOfText(tender, logged), TEXT_BYTES_MAX);
    if (bytes === undefined) {
      report.add('withheld', `state ${logged.entry.rev}`, 'its text', 'no answer');
      continue;
    }
    const isNewest = logged === states.at(-1);
    judgeText(context, logged, bytes, { blinds, revisions });
    judgeRemoval(context, logged, bytes, { isNewest, former });
    if (report.findings.slice(before).every(({ code }) => code === 'redacted')) proven += 1;
    if (isNewest) newest = { logged, bytes };
    const data = parseData(bytes);
    if (data !== undefined) shown.push({ logged, data: selectKeptMembers(data) });
  }
  judgeUnlogged(context, states, revisions);
  report.say('history', `${proven} of ${states.length} logged states were proven by their texts`);
  return { states: shown, newest };
}

function selectKeptMembers(data: JsonObject): JsonObject {
  return Object.fromEntries(KEPT_MEMBERS.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])));
}

function pathOfText(tender: string, { entry }: LoggedState): string {
  return `api/2.5/tenders/${tender}/history/${entry.rev}?exact=1`;
}

interface Shown {
  readonly blinds: ReadonlyMap<number, Buffer>;
  readonly revisions: ShownRevisions | undefined;
}

/** Compares a text with the commitment in the log: that of the state, or of its last removal by law. */
function judgeText({ report }: Context, logged: LoggedState, bytes: Buffer, { blinds, revisions }: Shown): void {
  const { index, entry } = logged.redactions.at(-1) ?? logged;
  const about = `state ${entry.rev}, entry ${index}`;
  const blind = blinds.get(index);
  if (blind === undefined) return report.add('withheld', about, 'the blind of its entry', 'none');
  const commit = deriveCommitment(blind, sha256(bytes));
  if (commit === entry.commit && BigInt(bytes.length) === entry.bytes) return;
  const isMarked = logged.redactions.length === 0 && revisions?.redacted.has(entry.rev) === true;
  const found = `${bytes.length} bytes, commitment ${commit}`;
  if (isMarked)
    report.add('withheld', about, 'a removal by law that the log has', `one that it does not have: ${found}`);
  else report.add('text', about, `${entry.bytes} bytes, commitment ${entry.commit}`, found);
}

interface Removal {
  readonly isNewest: boolean;
  /** Text before the removal, which somebody has kept. */
  readonly former: Buffer | undefined;
}

function judgeRemoval({ report }: Context, logged: LoggedState, bytes: Buffer, { isNewest, former }: Removal): void {
  const last = logged.redactions.at(-1);
  if (last === undefined) return;
  const about = `state ${logged.entry.rev}, entry ${last.index}`;
  const data = parseData(bytes);
  const names = namesOfMember(last.entry.member);
  const isGone = data !== undefined && names !== undefined && !hasMember(data, names);
  if (!isGone) report.add('redaction', about, `no member ${last.entry.member}`, 'it is there');
  if (isNewest) report.add('redaction', about, 'the newest state is whole', `without ${last.entry.member}`);
  else report.add('redacted', about, '', `${last.entry.member} was removed by law`);
  if (former !== undefined && BigInt(former.length) === logged.entry.bytes) judgeFormer(report, logged, former, data);
}

/** Compares what is left with the former text without the removed members. */
function judgeFormer(
  report: Context['report'],
  { entry, redactions }: LoggedState,
  former: Buffer,
  data: JsonObject | undefined,
): void {
  let rest: unknown = parseData(former);
  for (const redaction of redactions) rest = withoutMember(rest, namesOfMember(redaction.entry.member) ?? []);
  const about = `state ${entry.rev} beside its former text`;
  if (isDeepStrictEqual(rest, data)) report.say('history', `${about}: nothing else was removed`);
  else report.add('redaction', about, 'the former text without the removed members', 'another text');
}

/** Finds states between logged ones that the API shows and the log does not have: nobody can prove them. */
function judgeUnlogged(
  { report }: Context,
  states: readonly LoggedState[],
  revisions: ShownRevisions | undefined,
): void {
  const logged = new Set(states.map(({ entry }) => entry.rev));
  const [first, last] = [states[0]?.entry.rev, states.at(-1)?.entry.rev];
  if (first === undefined || last === undefined) return;
  for (const rev of revisions?.all ?? [])
    if (rev > first && rev < last && !logged.has(rev))
      report.add('withheld', `state ${rev}`, 'its entry in the log', 'none');
}

/** Beginning of links in stored texts of an installation whose public address is not set. */
const INTERNAL = /(?<!\\)"http:\/\/gateway\.invalid\//g;
const ORIGIN = /^https?:\/\/[^/"\\\s]+(?=\/)/;

/** Writes a stored text as a reader is shown it. */
function shownText(text: string, base: string): string {
  return text.replaceAll(INTERNAL, () => `"${base}/`);
}

/** Compares the view with the text of the newest state, which is undefined where the entries that were read have no state of the tender. */
export async function checkView(
  context: Context,
  tender: string,
  newest: NewestText | undefined,
  isWhole: boolean,
): Promise<void> {
  const { source, report } = context;
  const bytes = await readIfThere(source, `api/2.5/tenders/${tender}`, TEXT_BYTES_MAX);
  if (bytes === undefined) {
    if (newest === undefined && report.has('restored'))
      return report.say('view', 'a restore lost all states of the tender, and it is not shown');
    return report.add('withheld', 'view', 'the tender', 'no answer');
  }
  if (newest !== undefined && parseData(newest.bytes)?.['mode'] === 'test')
    report.warn('this is a tender for tests (mode: test)');
  const base = newest === undefined ? undefined : baseOfView(newest.bytes, bytes, source.address);
  if (base !== undefined) {
    const links = base === source.address ? '' : `; its links begin with ${base}`;
    return report.say('view', `the tender as it is shown is the newest state in the log${links}`);
  }
  const isDraft = newest === undefined && parseData(bytes)?.['status'] === 'draft';
  // The log may not have named the entries of the tender. Only when all of it was read, the tender has none.
  if (isDraft && isWhole) throw new CannotCheckError('the tender is a draft: drafts are not in the log');
  report.isViewAhead = !isDraft;
  const found = `${bytes.length} bytes, SHA-256 ${sha256(bytes).toString('hex')}`;
  const expected = newest === undefined ? 'a state in the log' : `the text of state ${newest.logged.entry.rev}`;
  report.add(report.has('stale') ? 'stale' : 'view', 'view', expected, found);
}

/** Returns the address in the links of the view, where it differs from the logged text in them only; undefined for another text. */
function baseOfView(logged: Buffer, view: Buffer, address: string): string | undefined {
  const text = decodeText(logged) ?? '';
  const place = text.search(INTERNAL);
  if (place < 0) return view.equals(logged) ? address : undefined;
  const found = ORIGIN.exec(decodeText(view)?.slice(place + 1, place + 300) ?? '')?.[0];
  return [address, found].find((base) => base !== undefined && view.equals(Buffer.from(shownText(text, base))));
}
