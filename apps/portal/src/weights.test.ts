import { gzipSync } from 'node:zlib';
import type { Tender } from '@procurement/client';
import { describe, expect, it } from 'vitest';
import { doubleDeps, type DoubleApi } from '../test-support/api-double.ts';
import { showcaseApi } from '../test-support/showcase/api.ts';
import { contract } from '../test-support/showcase/contracts.ts';
import { complete } from '../test-support/showcase/tenders.ts';
import { buildApp } from './app.ts';

// portal.md 11; those of /tenders and /statistics stand in the tests of these pages, those of sheets and script in packages/page-style.
const KILOBYTE = 1000;
const REQUESTS_MAX = 4;
const LARGE_CONTRACT = `/contracts/${contract.id}?large`;
const LARGE = '/tenders/UA-2026-10-05-000063?large';

/** `n` copies of the first element, with ids and texts of their own: equal ones would weigh nothing. */
function many<T extends object>(list: readonly T[] | undefined, n: number): T[] {
  const [first] = list ?? [];
  if (first === undefined) throw new Error('there is nothing to repeat');
  return Array.from({ length: n }, (_, k) => ({
    ...first,
    id: (k * 2_654_435_761).toString(16).padStart(32, '0'),
    title: `Текст ${k * 7919}`,
    description: `Опис ${(k * 104_729) % 99_991} позиції номер ${k}`,
  }));
}

const { items, documents, bids } = complete;
const QUESTION = { id: '', title: '', questionOf: 'tender' as const, date: complete.date, answer: 'Так.' };
const large: Tender = {
  ...complete,
  items: many(items, 1000),
  documents: many(documents, 500),
  questions: many([QUESTION], 300),
  bids: many(bids, 1000).map((bid, n) => ({
    ...bid,
    value: { amount: 100_000 + n * 37, currency: 'UAH', valueAddedTaxIncluded: true },
  })),
};

/** As much as a contract may have: 100 changes, 500 payments, and 500 papers. */
const largeContract = {
  ...contract,
  changes: many(contract.changes, 100),
  documents: many(contract.documents, 500),
  items: many(contract.items, 1000),
  implementation: { transactions: many(contract.implementation?.transactions, 500) },
};

const largeApi: DoubleApi = (path, query) =>
  path.endsWith(`/contracts/${contract.id}`)
    ? { body: { data: largeContract } }
    : path.endsWith(`/tenders/${complete.id}`)
      ? { body: { data: large } }
      : showcaseApi(path, query);

async function pageAt(url: string): Promise<string> {
  const app = buildApp(doubleDeps(url.endsWith('?large') ? largeApi : showcaseApi));
  const { statusCode, body } = await app.inject({ url, headers: { host: 'portal.example' } });
  await app.close();
  expect(statusCode).toBe(200);
  return body;
}

describe('the weight of pages', () => {
  it.each([
    ['/', 10],
    ['/en', 10],
    ['/tenders/UA-2026-10-05-000063', 16],
    ['/en/tenders/UA-2026-10-05-000063', 16],
    ['/tenders/UA-2026-11-12-000214', 16],
    ['/contracts', 14],
    [`/en/contracts/${contract.id}`, 16],
    [LARGE_CONTRACT, 60],
    [LARGE, 60],
  ])('%s: at most %i kB', async (url, kilobytes) => {
    expect(gzipSync(await pageAt(url)).length).toBeLessThanOrEqual(kilobytes * KILOBYTE);
  });

  it('is of a page, a sheet, a script and an icon, of the own host', async () => {
    const loads = [...(await pageAt('/en')).matchAll(/<(?:link|script|img)[^>]* (?:href|src)="([^"]+)"/g)];
    const files = new Set(loads.map(([, address = '']) => address));
    expect(files.size + 1).toBeLessThanOrEqual(REQUESTS_MAX);
    for (const address of files) expect(address).toMatch(/^\/(?:assets\/|favicon\.svg$)/);
  });
});
