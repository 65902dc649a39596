import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { getReached, patientBroker, until, type Json } from '../../support/broker.ts';
import { startTestPortal, type TestPortal } from '../../support/portal.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const anyone = patientBroker(url, undefined, '2.5');

/** A word that no other tender has. */
const WORD = 'гігрометр';
const BUYER = { scheme: 'UA-EDR', id: '40516273' };
/** Three pages of 20. */
const TENDERS = 45;
const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const FILTERS: readonly (readonly [name: string, value: string])[] = [
  ['q', WORD],
  ['status', 'active.enquiries'],
  ['status', 'active.tendering,active.enquiries'],
  ['cpv', '44'],
  ['region', 'UA-30'],
  ['buyer', `${BUYER.scheme}-${BUYER.id}`],
  ['amountFrom', '480'],
  ['amountTo', '1000'],
  ['createdFrom', inDays(-1)],
  ['createdTo', inDays(1)],
  ['method', 'open'],
  ['sort', '-amount'],
  ['sort', 'tenderEnd'],
];
const pairs = FILTERS.flatMap((one, n) =>
  FILTERS.slice(n + 1).flatMap((other) => (one[0] === other[0] ? [] : [[one, other] as const])),
);

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(url);
  let newest = '';
  for (let n = 0; n < TENDERS; n += 1) {
    const body = minimalTender({ title: `${WORD} ${n}`, value: { amount: 450 + n, currency: 'UAH' } });
    // Safe cast: the body has a buyer.
    const procuringEntity = { ...(body['procuringEntity'] as object), identifier: BUYER };
    const { id, data } = await publish(buyer, { ...body, procuringEntity });
    newest = n % 3 === 0 ? (await moveToNextCheck(buyer, id)).dateModified : data.dateModified;
  }
  await getReached(anyone, `/search?limit=1&at_least=${encodeURIComponent(newest)}`);
});

afterAll(async () => portal.stop());

interface ShownRows {
  readonly status: number;
  readonly numbers: readonly string[];
  /** Path of the next page. */
  readonly next: string | undefined;
  readonly html: string;
}

async function rowsAt(path: string): Promise<ShownRows> {
  const answer = await fetch(portal.url + path);
  const html = await answer.text();
  const links = [...html.matchAll(/<h[23]><a href="\/en\/tenders\/(UA-[^"]+)"/g)].map(([, number = '']) => number);
  const next = /<a href="([^"]*[?&;]cursor=[^"]*)" class="button"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  return { status: answer.status, numbers: links, next, html };
}

const numbersOf = ({ data }: Json): readonly string[] => data.map(({ tenderID }: Json) => tenderID);

/** The API's rows for the same question, once two answers are the same: tenders of others may change meanwhile. */
async function expectSameRows(query: URLSearchParams): Promise<void> {
  const asked = `/search?mode=_all_&limit=20&${query.toString()}`;
  const [numbers, shown] = await until('the same rows before and after the page', async () => {
    const before = numbersOf((await anyone.get(asked)).body);
    const page = await rowsAt(`/en/tenders?${query.toString()}`);
    const after = numbersOf((await anyone.get(asked)).body);
    return before.join(' ') === after.join(' ') && ([before, page] as const);
  });
  expect([query.toString(), shown.status, shown.numbers]).toEqual([query.toString(), 200, numbers]);
}

describe('the search (P5)', () => {
  it.each(FILTERS)('shows the rows of the API in their order: %s=%s', async (name, value) => {
    await expectSameRows(new URLSearchParams({ [name]: value }));
  });

  it('and so with every two filters', async () => {
    for (const [one, other] of pairs) await expectSameRows(new URLSearchParams([[...one], [...other]]));
  });

  it.each(['-amount', 'amount', ''])('has every tender once on three pages: sort=%s', async (sort) => {
    const seen: string[] = [];
    let path: string | undefined = `/en/tenders?q=${encodeURIComponent(WORD)}${sort === '' ? '' : `&sort=${sort}`}`;
    for (let page = 0; page < 3; page += 1) {
      expect([page, path]).toEqual([page, expect.any(String)]);
      const shown: ShownRows = await rowsAt(path ?? '');
      seen.push(...shown.numbers);
      path = shown.next;
    }
    expect([seen.length, new Set(seen).size, path]).toEqual([TENDERS, TENDERS, undefined]);
  });

  it.each([
    ['amountFrom', 'багато'],
    ['createdFrom', '2026-02-31'],
    ['status', 'active.nonsense'],
    ['cpv', 'x'],
  ])('marks what cannot be asked and keeps it in the form: %s=%s', async (name, value) => {
    const { status, html, numbers } = await rowsAt(`/en/tenders?${new URLSearchParams({ [name]: value }).toString()}`);
    expect([status, numbers, html.includes('class="error-summary"'), html.includes(value)]).toEqual([
      400,
      [],
      true,
      true,
    ]);
    expect(/<title>Error: /.test(html)).toBe(true);
  });

  it('says so when nothing is found, and leads on', async () => {
    const { status, numbers, html } = await rowsAt(`/en/tenders?q=${encodeURIComponent(WORD)}&cpv=99`);
    expect([status, numbers, html.includes('empty-state')]).toEqual([200, [], true]);
    expect(html).toContain(`href="/en/tenders?q=${encodeURIComponent(WORD)}"`);
  });
});
