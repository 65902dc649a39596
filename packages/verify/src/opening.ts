import { isDeepStrictEqual } from 'node:util';
import { bidDigest, parseSeal, sealHash, type Seal, type SealedBid } from '@procurement/proof/seals';
import { decodeText } from '@procurement/proof/hash';
import { addFork, findEquivocation, openTrusted, type CheckedTree, type Context } from './checkpoint.ts';
import { parseData, isObject, parseMicroseconds, parseObject, asObjects, type JsonObject } from './json.ts';
import type { Report } from './report.ts';
import { readIfThere, TEXT_BYTES_MAX } from './source.ts';
import type { ShownState } from './tender-texts.ts';

/** A bid as it was closed. */
interface ClosedBid {
  readonly id: string;
  readonly version: bigint;
  /** Null when text and salt were removed by law. */
  readonly text: string | null;
  readonly salt: string | null;
}

/** The seal of a tender as it was disclosed, and the first state that names it. */
export interface Disclosure {
  readonly seal: Seal;
  readonly bids: readonly ClosedBid[];
  readonly sealed: ShownState;
}

/** Reads the seal and compares it with all states that name it. Returns undefined where there is no seal that could be compared with bids. */
export async function readDisclosure(
  { source, report }: Context,
  tender: string,
  states: readonly ShownState[],
): Promise<Disclosure | undefined> {
  const sealed = states.filter(({ data }) => data['bidsSeal'] !== undefined);
  const [first] = sealed;
  if (first === undefined) {
    report.add('withheld', 'seal', 'a state with bidsSeal', 'none');
    return undefined;
  }
  const named = first.data['bidsSeal'];
  if (sealed.some(({ data }) => !isDeepStrictEqual(data['bidsSeal'], named)))
    report.add('seal', 'bidsSeal', 'the same in all states', 'different ones');
  for (const { data, logged } of states)
    if (data['bids'] !== undefined && data['bidsSeal'] === undefined)
      report.add('withheld', `state ${logged.entry.rev}`, 'bidsSeal beside the bids', 'none');
  const bytes = await readIfThere(source, `api/2.5/tenders/${tender}/bids_seal`, TEXT_BYTES_MAX);
  const disclosed = bytes === undefined ? undefined : parseData(bytes);
  if (disclosed === undefined) {
    report.add('withheld', 'seal', 'its text', 'no answer: the tender is not opened, or was closed without a seal');
    return undefined;
  }
  const text = typeof disclosed['seal'] === 'string' ? disclosed['seal'] : '';
  const seal = parseSeal(text);
  const hash = isObject(named) ? named['hash'] : undefined;
  if (hash !== sealHash(text)) report.add('seal', 'text of the seal', String(hash), sealHash(text));
  if (seal === undefined) {
    report.add('seal', 'text of the seal', 'lines of procurement-seal/1', text);
    return undefined;
  }
  judgeHead(report, tender, seal, first.data);
  return { seal, bids: asObjects(disclosed['bids']).map(readClosedBid), sealed: first };
}

function readClosedBid({ id, version, text, salt }: JsonObject): ClosedBid {
  return {
    id: String(id),
    version: typeof version === 'number' && Number.isSafeInteger(version) ? BigInt(version) : -1n,
    text: typeof text === 'string' ? text : null,
    salt: typeof salt === 'string' ? salt : null,
  };
}

function judgeHead(report: Report, tender: string, { tender: of, end, at }: Seal, data: JsonObject): void {
  const period = isObject(data['tenderPeriod']) ? parseMicroseconds(data['tenderPeriod']['endDate']) : undefined;
  const date = isObject(data['bidsSeal']) ? parseMicroseconds(data['bidsSeal']['date']) : undefined;
  if (of !== tender) report.add('seal', 'tender of the seal', tender, of);
  if (end !== period) report.add('seal', 'end of the seal', `tenderPeriod.endDate: ${period}`, `${end}`);
  if (at < end) report.add('seal', 'time of the seal', `not before ${end}`, `${at}`);
  if (at !== date) report.add('seal', 'time of the seal', `bidsSeal.date: ${date}`, `${at}`);
}

/** Checks that the opened bids are the sealed ones (docs/spec/proof.md 5.4). */
export async function checkOpening(
  context: Context,
  tree: CheckedTree,
  tender: string,
  states: readonly ShownState[],
): Promise<void> {
  const { report } = context;
  const before = report.findings.length;
  const disclosure = await readDisclosure(context, tender, states);
  if (disclosure === undefined) return;
  const { seal, bids } = disclosure;
  const ids = seal.bids.map(({ id }) => id);
  judgeIds(
    report,
    'disclosed bids',
    ids,
    bids.map(({ id }) => id),
  );
  const lines = new Map(seal.bids.map((line) => [line.id, line]));
  for (const bid of bids) judgeDisclosed(report, bid, lines.get(bid.id));
  const texts = new Map(bids.map(({ id, text }) => [id, text]));
  for (const { data, logged } of states) {
    if (data['bids'] === undefined) continue;
    const shown = asObjects(data['bids']);
    const about = `state ${logged.entry.rev}`;
    judgeIds(
      report,
      about,
      ids,
      shown.map(({ id }) => String(id)),
    );
    for (const bid of shown) {
      const id = String(bid['id']);
      judgeShown(report, `${about}, bid ${id}`, texts.get(id) ?? undefined, bid, data);
    }
  }
  if (report.findings.length === before)
    report.say('opening', `${ids.length} bids were fixed at the closing, and these were opened`);
  await sayTimes(context, tree, disclosure);
}

function judgeIds(report: Report, about: string, expected: readonly string[], found: readonly string[]): void {
  const lists = [expected.join(', '), found.join(', ')] as const;
  const [ofSeal, shown] = [new Set(expected), new Set(found)];
  const added = found.filter((id) => !ofSeal.has(id));
  const missing = expected.filter((id) => !shown.has(id));
  if (added.length > 0) report.add('bid-added', about, ...lists);
  if (missing.length > 0) report.add('bid-missing', about, ...lists);
  if (added.length === 0 && missing.length === 0 && !isDeepStrictEqual(expected, found))
    report.add('bid-changed', `${about}: their order`, ...lists);
}

function judgeDisclosed(report: Report, { id, version, salt, text }: ClosedBid, line: SealedBid | undefined): void {
  if (line === undefined) return;
  const about = `bid ${id}`;
  if (text === null || salt === null) return report.add('withheld', about, 'its text as it was closed', 'none');
  const digest = bidDigest(Buffer.from(salt, 'hex'), text);
  if (line.version !== version || line.digest !== digest)
    report.add('bid-changed', about, `version ${line.version}, ${line.digest}`, `version ${version}, ${digest}`);
}

function judgeShown(
  report: Report,
  about: string,
  text: string | undefined,
  shown: JsonObject,
  data: JsonObject,
): void {
  if (text === undefined) return;
  const closed = parseObject(text) ?? {};
  const texts = [text, JSON.stringify(shown)] as const;
  if (!areAmountsRight(closed, shown, data)) return report.add('bid-changed', `${about}: amounts`, ...texts);
  const [before, now] = [comparable(closed), comparable(shown)];
  if (isDeepStrictEqual(before, now)) return;
  const { tenderers: _, ...others } = before;
  const { tenderers: __, ...othersNow } = now;
  report.add(isDeepStrictEqual(others, othersNow) ? 'corrected' : 'bid-changed', about, ...texts);
}

/** Returns a bid without the members that an opening or an auction changes. */
function comparable(bid: JsonObject): JsonObject {
  const { documents: _, participationUrl: __, date: ___, ...rest } = bid;
  const made: Record<string, unknown> = { ...rest };
  if (isObject(rest['value'])) made['value'] = { ...rest['value'], amount: 0 };
  if (Array.isArray(rest['lotValues']))
    made['lotValues'] = rest['lotValues'].map((value: unknown) => (isObject(value) ? comparable(value) : value));
  return made;
}

/** Says whether all amounts are those of the closing, or fell in an auction. */
function areAmountsRight(closed: JsonObject, shown: JsonObject, data: JsonObject): boolean {
  const hasAuction = (lot: unknown) =>
    data['auctionPeriod'] !== undefined ||
    asObjects(data['lots']).some(({ id, auctionPeriod }) => id === lot && auctionPeriod !== undefined);
  const lots = asObjects(closed['lotValues']);
  const pairs = [
    [closed, shown],
    ...asObjects(shown['lotValues']).map((value, at) => [lots[at] ?? {}, value]),
  ] as const;
  return pairs.every(([before = {}, now = {}]) => {
    const [amount, amountNow] = [amountOf(before), amountOf(now)];
    if (amount === amountNow) return true;
    return (
      typeof amount === 'number' && typeof amountNow === 'number' && amountNow < amount && hasAuction(now['relatedLot'])
    );
  });
}

function amountOf({ value }: JsonObject): unknown {
  return isObject(value) ? value['amount'] : undefined;
}

const MICROSECONDS = 1_000_000n;

/** Reports how long after the end a bid could still have been added: nothing prevents it before the seal is public. */
async function sayTimes(context: Context, tree: CheckedTree, { seal, sealed }: Disclosure): Promise<void> {
  const { report } = context;
  const { index, entry } = sealed.logged;
  if (seal.at > entry.position + MICROSECONDS) {
    report.warn('the clock of this tender was moved, as in a sandbox: times of its closing are not judged');
    return;
  }
  const first = await firstCosignature(context, tree, index);
  const after = (time: bigint) => `${(Number(time - seal.end) / 1e6).toFixed(1)} s`;
  const signed =
    first === undefined ? 'seen by no witness' : `seen by a witness ${after(BigInt(first) * MICROSECONDS)}`;
  report.say(
    'opening',
    `after the end of tendering: closed ${after(seal.at)}, published ${after(entry.position)}, ${signed}`,
  );
}

/** Returns when a witness first signed a checkpoint that has the entry, in seconds since 1970. */
async function firstCosignature(
  context: Context,
  { shown, reader }: CheckedTree,
  index: number,
): Promise<number | undefined> {
  const bytes = await readIfThere(context.source, `log/checkpoints/${index}`);
  const note = (bytes && decodeText(bytes)) ?? '';
  const opened = openTrusted(context, note);
  const size = opened?.checkpoint.size ?? 0;
  if (opened === undefined || size <= index || size > reader.checkpoint.size) return undefined;
  const evidence = await findEquivocation({ note, opened }, shown, reader);
  if (evidence !== undefined) addFork(context, evidence);
  const seconds = opened.cosignatures.map((one) => one.seconds ?? 0);
  return seconds.length === 0 ? undefined : Math.min(...seconds);
}
