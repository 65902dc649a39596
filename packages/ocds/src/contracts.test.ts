import { readFileSync } from 'node:fs';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { describe, expect, it } from 'vitest';
import { exampleSettings, exampleStates, publicTender, publish } from '../test-support/examples.ts';
import { nextRelease } from './release.ts';
import { EXTENSION_URLS } from './standard.golden.ts';

interface Fixture {
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly contracts: readonly JsonObject[];
  readonly rolesOfParties: Readonly<Record<string, readonly string[]>>;
  readonly extensionsAdded: readonly string[];
}

// The contract of the specification, from its signature to its end.
const fixture = JSON.parse(
  readFileSync(new URL('../../../docs/spec/contracting/ocds.json', import.meta.url), 'utf8'),
) as Fixture;
/** The steps of the story after which the states of the example stand. The first one is before it. */
const STEPS = [undefined, 3, 5, 8, 9, 10, 13, 14, 15, 18];
const states = exampleStates('contract-paid') as readonly JsonObject[];
const publications = publish(states);
const last = publications.at(-1)!.release as JsonObject;

/** Symbols of the fixture as what they stand for. */
function expected(value: unknown): unknown {
  if (value === '$any') return expect.anything();
  if (value === '$instant') return expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/);
  if (typeof value === 'string' && value.startsWith('$')) return expect.stringMatching(/^[0-9a-f]{32}$/);
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expected(member)]));
}

describe('a contract from its signature to its end', () => {
  it('makes a release after each step that the specification names, with its tags, and after no other', () => {
    const tags = new Map(publications.map(({ release }) => [release.date, release.tag]));
    const byStep = states.map(({ dateModified }, n) => [
      STEPS[n],
      tags.get(new Date(String(dateModified)).toISOString()),
    ]);
    const named = Object.entries(fixture.tags).map(([step, tag]) => [Number(step), tag]);
    expect(byStep.slice(1).filter(([, tag]) => tag !== undefined)).toEqual(named);
  });

  it('is published as the specification shows it at the end', () => {
    expect(last['contracts']).toEqual(expected(fixture.contracts));
    const parties = last['parties'] as readonly { readonly id: string; readonly roles: readonly string[] }[];
    const roles = Object.fromEntries(parties.map((party) => [party.id, party.roles]));
    expect(roles).toMatchObject(fixture.rolesOfParties);
    expect(EXTENSION_URLS.slice(-2)).toEqual(fixture.extensionsAdded);
  });

  it('names no bank account', () => {
    expect(JSON.stringify(publications)).not.toMatch(/bankAccount|UA\d{27}/);
  });
});

/** The contract of the only release of the last state, changed. */
function contractWith(change: (contract: any, tender: any) => void) {
  const state = structuredClone(states.at(-1)) as any;
  change(state.contracts[0], state);
  const release = nextRelease(publicTender(state), undefined, exampleSettings)!.release as any;
  return { contract: release.contracts[0], parties: release.parties as readonly JsonObject[] };
}

describe('payments of a contract', () => {
  it('name a party by its name: the buyer first, then a supplier of the contract, then any; else one made of the name', () => {
    const namesake = { name: 'ТОВ Папір', identifier: { scheme: 'UA-EDR', id: '7' } };
    const { contract, parties } = contractWith(({ suppliers, implementation }, { awards }) => {
      awards.push({ id: 'other', status: 'active', suppliers: [namesake, { ...namesake, name: 'ФОП Інший' }] });
      awards.reverse();
      expect(suppliers[0].name).toBe('ТОВ Папір');
      implementation.transactions[0].payer = { name: 'ФОП Інший' };
      implementation.transactions[1].payer = { name: 'Казначейство' };
    });
    const [first, second] = contract.implementation.transactions;
    expect(first.payee).toEqual({ id: 'UA-EDR-12345602', name: 'ТОВ Папір' });
    // A reference has the name of the party, which the first occurrence gave.
    expect(first.payer).toEqual({ id: 'UA-EDR-7', name: 'ТОВ Папір' });
    expect(second.payer).toEqual({ id: expect.stringMatching(/^local-[0-9a-f]{12}$/), name: 'Казначейство' });
    expect(parties.find(({ name }) => name === 'Казначейство')).toEqual({ ...second.payer, roles: ['payer'] });
  });

  it('have no side without a name', () => {
    const { contract } = contractWith(({ implementation, suppliers }) => {
      delete implementation.transactions[0].payer.name;
      suppliers.push({ identifier: { scheme: 'UA-EDR', id: '8' } });
    });
    expect(contract.implementation.transactions[0]).not.toHaveProperty('payer');
  });
});

describe('a contract', () => {
  it('has a sum and an end only when it has ended, with the reason', () => {
    const { contract } = contractWith(({ implementation }) => {
      implementation.status = 'active';
      delete implementation.transactions;
    });
    expect(contract).toMatchObject({ status: 'active', value: { amount: 395.2 } });
    expect(contract).not.toHaveProperty('implementation');
    const ended = contractWith(({ implementation }) => (implementation.terminationDetails = 'Не виконано')).contract;
    expect(ended.implementation.finalValueDetails).toBe('Не виконано');
  });

  it('has no pending change', () => {
    const { contract } = contractWith(({ implementation }) => (implementation.changes[0].status = 'pending'));
    expect(contract).not.toHaveProperty('amendments');
  });

  it('keeps the type that a paper of a change has', () => {
    const { contract } = contractWith(({ documents }) => (documents[0].documentType = 'contractSchedule'));
    expect(contract.documents[0].documentType).toBe('contractSchedule');
  });
});
