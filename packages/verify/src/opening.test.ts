import { sealHash, bidDigest, writeSeal } from '@procurement/proof/seals';
import { parsePolicy, type Policy } from '@procurement/proof/policy';
import { describe, expect, it } from 'vitest';
import { buildCheckpoint, madeEntries, NOW, ORIGIN } from '../test-support/made-log.ts';
import { readMirror } from '../test-support/mirror.ts';
import { openTrusted, type CheckedTree, type Context, type SignedTree } from './checkpoint.ts';
import { LogReader } from './log-reader.ts';
import { checkOpening } from './opening.ts';
import { Report } from './report.ts';
import type { Source } from './source.ts';
import type { ShownState } from './tender-texts.ts';

const T = '7a1e'.repeat(8);
const [A, B] = ['a1'.repeat(16), 'b2'.repeat(16)] as const;
const END = 1_778_594_400_000_000n;
const SALT = '5a'.repeat(32);
const policy = parsePolicy(readMirror('honest').policy) as Policy;

interface Bid {
  readonly id: string;
  readonly [name: string]: unknown;
}

const lotValue = (amount: number, lot = 'l1', more = {}) => ({
  value: { amount, currency: 'UAH' },
  relatedLot: lot,
  ...more,
});
const bidA: Bid = { id: A, date: 'then', tenderers: [{ name: 'A' }], lotValues: [lotValue(100), lotValue(50, 'l2')] };
const bidB: Bid = { id: B, date: 'then', tenderers: [{ name: 'B' }], value: { amount: 70 } };

interface Story {
  /** Bids as they were closed. */
  readonly closed?: readonly Bid[];
  /** Bids in the newest state. */
  readonly shown?: readonly Bid[];
  /** Other members of the newest state. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Changes the disclosed bids. */
  readonly disclose?: (bids: readonly Readonly<Record<string, unknown>>[]) => unknown;
  readonly at?: bigint;
  readonly date?: string;
  /** End of tendering in the state that names the seal. */
  readonly endDate?: string;
  /** Tender of the seal. */
  readonly tender?: string;
  /** Position of the state that names the seal. */
  readonly position?: bigint;
}

/** Checks an opening. Returns what it found and what it said. */
async function check(story: Story): Promise<{ codes: readonly string[]; report: Report }> {
  const { closed = [bidA, bidB], shown = closed, data = {}, disclose = (bids) => bids, at = END + 213_000n } = story;
  const bids = closed.map((bid) => ({ id: bid.id, version: 1, salt: SALT, text: JSON.stringify(bid) }));
  const digests = bids.map(({ id, text }) => ({ id, version: 1n, digest: bidDigest(Buffer.from(SALT, 'hex'), text) }));
  const seal = writeSeal({ tender: story.tender ?? T, end: END, at, salt: SALT, bids: digests, withdrawn: [] });
  const bidsSeal = { date: story.date ?? '2026-05-12T17:00:00.213000+03:00', hash: sealHash(seal) };
  const sealed = { tenderPeriod: { endDate: story.endDate ?? '2026-05-12T17:00:00+03:00' }, bidsSeal };
  const report = new Report();
  const answer = JSON.stringify({ data: { seal, bids: disclose(bids) } });
  const source: Source = {
    address: 'http://127.0.0.1:8080',
    read: async (path) =>
      path.endsWith('/bids_seal')
        ? { status: 200, bytes: Buffer.from(answer) }
        : { status: 404, bytes: Buffer.alloc(0) },
  };
  const context: Context = { source, policy, report, nowSeconds: () => NOW };
  const position = story.position ?? END + 400_000n;
  const states = [buildState(1n, position, sealed), buildState(2n, position + 1n, { ...sealed, bids: shown, ...data })];
  await checkOpening(context, makeTree(context), T, states);
  return { codes: report.findings.map(({ code }) => code), report };
}

function buildState(rev: bigint, position: bigint, data: Readonly<Record<string, unknown>>): ShownState {
  const entry = { kind: 'publication', number: rev, tender: T, rev, position, commit: '', bytes: 1n } as const;
  return { logged: { index: Number(rev), entry, redactions: [] }, data };
}

function makeTree(context: Context): CheckedTree {
  const note = buildCheckpoint(madeEntries(5));
  const shown: SignedTree = { note, opened: openTrusted(context, note) as SignedTree['opened'] };
  expect(shown.opened.checkpoint.origin).toBe(ORIGIN);
  return { shown, reader: new LogReader(context.source, shown.opened.checkpoint) };
}

const auction = { auctionPeriod: { startDate: 'x' } };
const auctionOfLot = { lots: [{ id: 'l1', ...auction }, { id: 'l2' }] };

describe('an opening', () => {
  it.each<[about: string, story: Story, codes: readonly string[]]>([
    ['the same bids', {}, []],
    ['no bids', { closed: [], shown: [] }, []],
    [
      'documents, links and dates that came later',
      {
        shown: [
          {
            ...bidA,
            date: 'now',
            documents: [],
            participationUrl: 'x',
            lotValues: [lotValue(100, 'l1', { date: 'now', participationUrl: 'x' }), lotValue(50, 'l2')],
          },
          bidB,
        ],
      },
      [],
    ],
    [
      'an amount that fell in the auction of its lot',
      { shown: [{ ...bidA, lotValues: [lotValue(90), lotValue(50, 'l2')] }, bidB], data: auctionOfLot },
      [],
    ],
    [
      'an amount that fell without an auction of its lot',
      { shown: [{ ...bidA, lotValues: [lotValue(100), lotValue(49, 'l2')] }, bidB], data: auctionOfLot },
      ['bid-changed'],
    ],
    [
      'an amount of a lot that rose',
      { shown: [{ ...bidA, lotValues: [lotValue(101), lotValue(50, 'l2')] }, bidB], data: auction },
      ['bid-changed'],
    ],
    ['an amount that fell without an auction', { shown: [bidA, { ...bidB, value: { amount: 69 } }] }, ['bid-changed']],
    ['an amount that fell in the auction', { shown: [bidA, { ...bidB, value: { amount: 69 } }], data: auction }, []],
    [
      'an amount that is no number',
      { shown: [bidA, { ...bidB, value: { amount: '70' } }], data: auction },
      ['bid-changed'],
    ],
    ['an amount that is gone', { shown: [bidA, { ...bidB, value: {} }], data: auction }, ['bid-changed']],
    [
      'a lot more',
      { shown: [{ ...bidA, lotValues: [lotValue(100), lotValue(50, 'l2'), lotValue(1, 'l3')] }, bidB], data: auction },
      ['bid-changed'],
    ],
    ['a lot fewer', { shown: [{ ...bidA, lotValues: [lotValue(100)] }, bidB], data: auction }, ['bid-changed']],
    ['another name', { shown: [{ ...bidA, tenderers: [{ name: 'C' }] }, bidB] }, ['corrected']],
    [
      'another name and another member',
      { shown: [{ ...bidA, tenderers: [], selfEligible: true }, bidB] },
      ['bid-changed'],
    ],
    ['another order', { shown: [bidB, bidA] }, ['bid-changed']],
    ['a bid twice', { shown: [bidA, bidB, bidB] }, ['bid-changed']],
    [
      'a bid too many in the disclosure',
      { disclose: (bids) => [...bids, { ...bids[0], id: 'c'.repeat(32) }] },
      ['bid-added'],
    ],
    ['a bid too few in the disclosure', { disclose: (bids) => bids.slice(1) }, ['bid-missing']],
    [
      'another version',
      { disclose: (bids) => bids.map((bid) => ({ ...bid, version: 2 })) },
      ['bid-changed', 'bid-changed'],
    ],
    [
      'a text that was removed by law',
      { disclose: ([first, ...others]) => [{ ...first, text: null, salt: null }, ...others] },
      ['withheld'],
    ],
    ['a disclosure of no use', { disclose: () => 'x' }, ['bid-missing']],
    ['a seal before the end', { at: END - 1n, date: '2026-05-12T16:59:59.999999+03:00' }, ['seal']],
    ['a seal of another time', { date: '2026-05-12T17:00:00.214000+03:00' }, ['seal']],
    ['a seal without a time', { date: 'yesterday' }, ['seal']],
    ['another hash', { data: { bidsSeal: { date: '2026-05-12T17:00:00.213000+03:00', hash: 'sha256:x' } } }, ['seal']],
    ['bids beside no seal', { data: { bidsSeal: undefined } }, ['withheld']],
    ['a seal of another end', { endDate: '2026-05-12T17:00:01+03:00' }, ['seal']],
    ['a seal of another tender', { tender: 'f'.repeat(32) }, ['seal']],
    ['another end in a later state', { data: { tenderPeriod: {} } }, []],
  ])('with %s', async (_, story, codes) => {
    expect((await check(story)).codes).toEqual(codes);
  });

  it('says how long nothing prevented another bid', async () => {
    const { report } = await check({});
    expect(report.lines.at(-1)?.text).toBe(
      'after the end of tendering: closed 0.2 s, published 0.4 s, seen by no witness',
    );
  });

  it('does not judge times of a clock that was moved', async () => {
    const { report, codes } = await check({ position: END - 3_600_000_000n });
    expect(codes).toEqual([]);
    expect(report.warnings).toEqual([expect.stringContaining('the clock of this tender was moved')]);
  });
});
