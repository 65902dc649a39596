import { readFileSync } from 'node:fs';
import type { DoubleApi } from './api-double.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
/** What pages must show as text only, and what they must not show at all. */
export const hostile: {
  readonly base: { readonly state: number };
  readonly replace: readonly { readonly path: string; readonly value: unknown }[];
  readonly mustNotAppear: readonly string[];
  readonly mustNotBeLinks: readonly string[];
} = read('./fixtures/hostile.json');

/** The tender of the specification that attacks its readers (portal.md, P9). */
function hostileTender(): Record<string, any> {
  const tender = read('../../../packages/ocds/examples/paper.states.json')[hostile.base.state];
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
export const NUMBER = 'UA-2026-03-02-000001';
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
export const CONTRACT = `/contracts/${contract.id}`;

const revision = {
  rev: 2,
  dateModified: tender['dateModified'],
  status: tender['status'],
  causes: ['<b>', 'clock'],
};
/** Every text as the new value of a member whose name is a text too. */
const changes = attacks.map((value) => ({
  op: 'add',
  path: `/${value.replaceAll('~', '').replaceAll('/', '~1')}`,
  value,
}));
/** A row of the statistics with texts instead of its key and figures. */
const sums = { key: attack(0), tenders: 1, amount: 1, complete: 1, unsuccessful: attack(1), competition: attack(2) };

/** Every list, state, difference and sum that the attacker's tender is in. */
export const hostileApi: DoubleApi = (path) => {
  if (path.endsWith('/contracts'))
    return { body: { data: [contract, { ...contract, status: 'active' }], next_page: { offset: '<b>"' } } };
  if (path.endsWith(CONTRACT)) return { body: { data: { ...contract, status: 'active' } } };
  if (path.endsWith('/lookup')) return { body: { data: [{ id: tender['id'], tenderID: NUMBER }] } };
  if (path.endsWith('/statistics')) return { body: { data: [sums], from: '2026-02-01', to: '2026-03-31' } };
  if (path.endsWith('/changes')) return { body: { data: changes } };
  if (/\/history\/\d+$/.test(path)) return { body: { data: { ...tender, tenderID: NUMBER }, revision } };
  if (path.endsWith('/history'))
    return {
      body: { data: [revision, { ...revision, rev: 1 }] },
    };
  if (path.endsWith('/search'))
    return {
      body: { data: [entry], total: { value: 1, relation: 'eq' }, facets: { status: [{ key: '<i>', count: 1 }] } },
    };
  return path.includes('/tenders/') ? { body: { data: { ...tender, tenderID: NUMBER } } } : undefined;
};
