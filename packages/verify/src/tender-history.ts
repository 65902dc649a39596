import { HASH } from '@procurement/proof/lines';
import { LogRules, type LoggedState } from './log-rules.ts';
import { readAhead, type LogReader } from './log-reader.ts';
import type { Context } from './checkpoint.ts';
import { isObject, parseObject, asObjects } from './json.ts';
import { CannotCheckError, Report } from './report.ts';
import { readIfThere } from './source.ts';
import { readWholeLog } from './whole-log.ts';

/** States of a tender as they were logged. */
export interface TenderHistory {
  readonly states: readonly LoggedState[];
  /** Blinds that the log serves, by the index of the leaf. */
  readonly blinds: ReadonlyMap<number, Buffer>;
}

/** Most pages that are read: a page has up to 1,000 revisions, and no tender has so many. */
const PAGES_MAX = 1_000;

/** Reads the list of leaves that the log names for a tender. It helps to find them, and proves nothing. */
async function readLeaves({ source }: Context, tender: string, size: number): Promise<Map<number, Buffer | undefined>> {
  const leaves = new Map<number, Buffer | undefined>();
  let after = -1;
  for (;;) {
    const path = `log/tenders/${tender}${after < 0 ? '' : `?after=${after}`}`;
    const bytes = await readIfThere(source, path);
    if (bytes === undefined) return leaves;
    const answer = parseObject(bytes);
    if (answer === undefined) throw new CannotCheckError(`GET ${path}: no JSON`);
    for (const { index, blind } of asObjects(answer['leaves'])) {
      if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0 || index >= size) continue;
      leaves.set(index, typeof blind === 'string' && HASH.test(blind) ? Buffer.from(blind, 'hex') : undefined);
    }
    const { next } = answer;
    if (typeof next !== 'number' || !Number.isSafeInteger(next) || next <= after || next >= size) return leaves;
    after = next;
  }
}

/** Reads the states of a tender from proven entries: from all of the log, or from those that the log names. */
export async function readHistory(
  context: Context,
  reader: LogReader,
  tender: string,
  isFull: boolean,
): Promise<TenderHistory> {
  const leaves = await readLeaves(context, tender, reader.checkpoint.size);
  const blinds = new Map([...leaves].flatMap(([index, blind]) => (blind === undefined ? [] : [[index, blind]])));
  const states =
    (isFull ? undefined : await readNamed(context, reader, tender, leaves)) ?? (await readAll(context, reader, tender));
  if (states[0]?.entry.kind === 'baseline')
    context.report.warn(
      `the history in the log begins with state ${states[0].entry.rev}: what was before is not proven`,
    );
  return { states, blinds };
}

/** Reads the entries that the log names. Returns undefined when they break a rule: an entry that is not among them, as a restore, may explain it. */
async function readNamed(
  { report }: Context,
  reader: LogReader,
  tender: string,
  leaves: ReadonlyMap<number, unknown>,
): Promise<readonly LoggedState[] | undefined> {
  const own = new Report();
  const rules = new LogRules({ report: own, tender, isWhole: false });
  const indexes = [...leaves.keys()].toSorted((a, b) => a - b);
  for await (const { index, entry } of readAhead(indexes, async (at) => ({ index: at, entry: await reader.entry(at) })))
    if ('tender' in entry && entry.tender === tender) rules.accept(index, entry);
  if (own.findings.length > 0) return undefined;
  report.say('log', 'the entries that the log names for the tender are in the tree; --full looks for others');
  return rules.states;
}

async function readAll({ report }: Context, reader: LogReader, tender: string): Promise<readonly LoggedState[]> {
  const rules = new LogRules({ report, tender, isWhole: true });
  await readWholeLog(reader, rules);
  report.say('log', `all ${reader.checkpoint.size} entries were read, and their tiles give the root`);
  return rules.states;
}

/** Revisions that the API shows, and those of them that it calls redacted. */
export interface ShownRevisions {
  readonly all: ReadonlySet<bigint>;
  readonly redacted: ReadonlySet<bigint>;
}

/** Reads the list of revisions. Returns undefined when it is kept back. */
export async function readShownRevisions({ source }: Context, tender: string): Promise<ShownRevisions | undefined> {
  const all = new Set<bigint>();
  const redacted = new Set<bigint>();
  let query = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const bytes = await readIfThere(source, `api/2.5/tenders/${tender}/history${query}`);
    if (bytes === undefined) return undefined;
    const answer = parseObject(bytes) ?? {};
    const rows = asObjects(answer['data']);
    for (const { rev, redacted: isRedacted } of rows) {
      if (typeof rev !== 'number' || !Number.isSafeInteger(rev)) continue;
      all.add(BigInt(rev));
      if (isRedacted === true) redacted.add(BigInt(rev));
    }
    const next = isObject(answer['next_page']) ? answer['next_page']['uri'] : undefined;
    // Only the query is taken over: the address stays the one that was asked.
    if (rows.length === 0 || typeof next !== 'string' || !URL.canParse(next)) break;
    query = new URL(next).search;
  }
  return { all, redacted };
}
