import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { doubleDeps, type DoubleApi } from '../../../test-support/api-double.ts';
import { buildApp } from '../../app.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const hostile: {
  readonly base: { readonly state: number };
  readonly replace: readonly { readonly path: string; readonly value: unknown }[];
  readonly mustNotAppear: readonly string[];
  readonly mustNotBeLinks: readonly string[];
} = read('../../../test-support/fixtures/hostile.json');

/** The tender of the specification that attacks its readers (portal.md, P9). */
function hostileTender(): Record<string, any> {
  const tender = read('../../../../../packages/ocds/examples/paper.states.json')[hostile.base.state];
  for (const { path, value } of hostile.replace) {
    const keys = path.slice(1).split('/');
    const last = keys.pop() ?? '';
    let at = tender;
    for (const key of keys) at = at[key] ??= {};
    at[last] = value;
  }
  return tender;
}

const tender = hostileTender();
const NUMBER = 'UA-2026-03-02-000001';
const entry = { ...tender, tenderID: NUMBER, created: tender['dateModified'] };

/** Texts of the tender that attacks, at every place of its contract that somebody writes. */
const attacks: readonly string[] = hostile.replace.flatMap(({ value }) =>
  typeof value === 'string' && !hostile.mustNotAppear.some((word) => value.includes(word)) ? [value] : [],
);
const attack = (n: number): string => attacks[n % attacks.length] ?? '';
const side = (n: number) => ({ name: attack(n), bankAccount: { scheme: 'IBAN', id: attack(n + 1) } });
const contract = {
  ...tender['contracts'][0],
  title: attack(0),
  title_en: attack(1),
  description: attack(2),
  contractNumber: attack(3),
  terminationDetails: attack(2),
  procuringEntity: tender['procuringEntity'],
  tender_id: tender['id'],
  owner: attack(0),
  status: attack(0),
  changes: [
    {
      id: attack(0),
      status: attack(1),
      date: attack(2),
      contractNumber: attack(3),
      rationale: attack(2),
      rationaleTypes: [attack(0)],
    },
  ],
  implementation: {
    transactions: attacks.map((text, n) => ({
      id: text,
      status: attack(n + 1),
      date: tender['date'],
      value: { amount: n, currency: attack(n) },
      payer: side(n),
      payee: side(n + 2),
    })),
  },
};
const CONTRACT = `/contracts/${contract.id}`;

const api: DoubleApi = (path) => {
  if (path.endsWith('/contracts'))
    return { body: { data: [contract, { ...contract, status: 'active' }], next_page: { offset: '<b>"' } } };
  if (path.endsWith(CONTRACT)) return { body: { data: { ...contract, status: 'active' } } };
  if (path.endsWith('/lookup')) return { body: { data: [{ id: tender['id'], tenderID: NUMBER }] } };
  if (path.endsWith('/history'))
    return {
      body: {
        data: [{ rev: 2, dateModified: tender['dateModified'], status: tender['status'], causes: ['<b>', 'clock'] }],
      },
    };
  if (path.endsWith('/search'))
    return {
      body: { data: [entry], total: { value: 1, relation: 'eq' }, facets: { status: [{ key: '<i>', count: 1 }] } },
    };
  return path.includes('/tenders/') ? { body: { data: { ...tender, tenderID: NUMBER } } } : undefined;
};

/** What may be an address in markup. */
const ADDRESSES = /(?:href|src|action)="([^"]*)"/g;

describe('a tender that attacks its readers', () => {
  it.each([
    `/tenders/${NUMBER}`,
    `/en/tenders/${NUMBER}`,
    '/tenders?q=a',
    '/en',
    `/tenders/${NUMBER}.atom`,
    '/tenders.atom',
    CONTRACT,
    `/en${CONTRACT}`,
    '/contracts',
    '/en/contracts',
  ])('runs nothing, leads nowhere and shows no secret link: %s', async (url) => {
    const app = buildApp(doubleDeps(api));
    const { statusCode, body } = await app.inject({ url, headers: { host: 'portal.example' } });
    await app.close();
    expect([url, statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(
      /<(?:script(?! type="module" src="\/assets\/)|img|svg onload|i>|iframe)|<\/textarea>|\son\w+=(?!&)"/,
    );
    const addresses = [...body.matchAll(ADDRESSES)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const word of hostile.mustNotBeLinks)
      expect(addresses.filter((address) => address.includes(word))).toEqual([]);
    for (const word of hostile.mustNotAppear) expect(body).not.toContain(word);
    // Marks instead of characters that reorder what is written.
    expect(body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('is shown as it was written', async () => {
    const app = buildApp(doubleDeps(api));
    const { body } = await app.inject({ url: `/tenders/${NUMBER}`, headers: { host: 'portal.example' } });
    await app.close();
    expect(body).toContain('&lt;script>window.hit=1&lt;/script>Папір');
    expect(body).toContain('⟨U+202E⟩');
  });
});
