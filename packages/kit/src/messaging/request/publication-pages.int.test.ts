import { ListingQuestion, PublicationsQuestion, type PublicationRow } from '@procurement/contracts/events/publications';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../runtime/log.ts';
import { openBus, type Bus } from '../bus.ts';
import { askListing, askPublications, UnusablePageError, type OwnerPage } from './publication-pages.ts';
import { answerLines } from './request-lines.ts';

const log = makeLog('test', 'silent' as 'fatal');
const page = { rowsMax: 10, bytesMax: 1_000 };
const sha256 = 'ab'.repeat(32);

let testBus: TestBus;
let bus: Bus;
let rows: readonly PublicationRow[] = [];
/** Texts by position, each the line after its row, or its parts. */
let texts: Readonly<Record<string, string>> = {};

function answer(hasTexts: boolean): readonly string[] {
  const head = { epoch: 2, epochs: [], oldest: '1', head: '9', horizon: null, rows: rows.length };
  const lines = rows.flatMap((row) => {
    const text = hasTexts && row.parts === undefined ? texts[row.position] : undefined;
    return text === undefined ? [JSON.stringify(row)] : [JSON.stringify(row), text];
  });
  return [JSON.stringify(head), ...lines];
}

beforeAll(async () => {
  testBus = await freshBus();
  bus = await openBus(testBus.url, 'a', log);
  answerLines(bus, rpcSubjects.tenderPublications, log, async (asked) => {
    const question = PublicationsQuestion.parse(asked);
    if (!('part' in question)) return answer(question.texts);
    return [
      Buffer.from(texts[question.position]?.slice(question.part * 2, question.part * 2 + 2) ?? '').toString('base64'),
    ];
  });
  answerLines(bus, rpcSubjects.tenderListing, log, async (asked) => answer(ListingQuestion.parse(asked).texts));
});

afterAll(async () => {
  await bus.close();
  await testBus.stop();
});

function row(position: number, members: Partial<PublicationRow> = {}): PublicationRow {
  const previous = String(position - 1);
  const numbers = { position: String(position), previous, id: 'a', rev: position, bytes: 3 };
  return { ...numbers, listed: true, test: false, causes: ['tender.edited'], ...members };
}

const asked = async (hasTexts: boolean, after = 0): Promise<OwnerPage | undefined> =>
  askPublications({ bus, page, texts: hasTexts }, { after, epoch: 2, horizon: false });

describe('askPublications', () => {
  it('reads rows with their texts, in a line or in parts, and unlisted ones without', async () => {
    rows = [row(1, { first: true }), row(2, { parts: 2 }), row(3, { listed: false, bytes: 0 })];
    texts = { 1: 'one', 2: 'two' };
    const found = await asked(true);
    expect(found).toMatchObject({ epoch: 2, epochs: [], oldest: 1, head: 9, horizon: undefined });
    expect(found?.publications).toEqual([
      {
        position: 1,
        previous: 0,
        id: 'a',
        rev: 1,
        isFirst: true,
        listed: true,
        isTest: false,
        causes: ['tender.edited'],
        bytes: 3,
        text: 'one',
      },
      {
        position: 2,
        previous: 1,
        id: 'a',
        rev: 2,
        listed: true,
        isTest: false,
        causes: ['tender.edited'],
        bytes: 3,
        text: 'two',
      },
      {
        position: 3,
        previous: 2,
        id: 'a',
        rev: 3,
        listed: false,
        isTest: false,
        causes: ['tender.edited'],
        bytes: 0,
        text: undefined,
      },
    ]);
  });

  it('has no answer while a text has another length than its row says', async () => {
    rows = [row(1)];
    texts = { 1: 'longer' };
    expect(await asked(true)).toBeUndefined();
  });

  it('reads digests and numbers instead of texts', async () => {
    rows = [row(1, { sha256, number: 7 }), row(2, { listed: false, bytes: 0 })];
    const found = await asked(false);
    expect(
      found?.publications.map(({ position, bytes, text, ...more }) => [
        position,
        bytes,
        text,
        more.sha256,
        more.number,
      ]),
    ).toEqual([
      [1, 3, undefined, sha256, 7],
      [2, 0, undefined, undefined, undefined],
    ]);
  });

  it.each([
    [
      'a row before the one above it',
      [row(2, { sha256, number: 1 }), row(1, { sha256, number: 2 })],
      'publication 1 comes after 2',
    ],
    ['a doubled row', [row(1, { sha256, number: 1 }), row(1, { sha256, number: 1 })], 'publication 1 comes after 1'],
    [
      'a row without a digest, as an owner of an earlier release sends it',
      [row(1, { number: 1 })],
      'publication 1 has no digest',
    ],
    ['a row without a number', [row(1, { sha256 })], 'publication 1 has no number'],
  ])('refuses a page with %s whole', async (_title, page_, error) => {
    rows = page_;
    await expect(asked(false)).rejects.toThrow(new UnusablePageError(error));
  });

  it('refuses a digest of another length, and a row at or before the position', async () => {
    rows = [row(1, { sha256: 'ab', number: 1 })];
    await expect(asked(false)).rejects.toThrow('sha256');
    rows = [row(1, { sha256, number: 1 })];
    await expect(asked(false, 1)).rejects.toThrow('publication 1 comes after 1');
  });
});

describe('askListing', () => {
  it('needs digests, and no numbers', async () => {
    const listed = async (): Promise<OwnerPage | undefined> =>
      askListing({ bus, page, texts: false }, { after: 0, upTo: 9 });
    rows = [row(1, { sha256 })];
    expect((await listed())?.publications).toMatchObject([{ position: 1, sha256 }]);
    rows = [row(1)];
    await expect(listed()).rejects.toThrow('publication 1 has no digest');
  });
});
