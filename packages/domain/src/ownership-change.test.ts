import { tenderOwnershipApi } from '@procurement/contracts/api/transfers.api';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem } from '@procurement/contracts/problems/problems';
import { describe, expect, it } from 'vitest';
import { admitOwnershipChange, decideOwnershipChange, finalRefusal, type OwnershipChange } from './ownership-change.ts';

const actor: Actor = { broker: 'new', group: 'brokers', levels: '12', segment: '2.5' };
const data = { id: 't', transfer: 'secret' };

function admit(overrides: { readonly actor?: Partial<Actor>; readonly data?: object; readonly input?: object } = {}) {
  return admitOwnershipChange({
    schema: tenderOwnershipApi.changeTenderOwner.body,
    body: { kind: 'data', data: { ...(overrides.data ?? data) } },
    actor: { ...actor, ...overrides.actor },
    level: '1',
    mode: undefined,
    over: undefined,
    ...overrides.input,
    sha256: (text) => `hash of ${text}`,
  });
}

describe('admitOwnershipChange', () => {
  it('hashes the transfer token', () => {
    expect(admit()).toEqual({ request: { transferId: 't', transferHash: 'hash of secret' } });
  });

  it.each([
    ['request.forbidden', { actor: { group: 'Administrator' } }],
    ['ownership.level', { actor: { levels: '2' } }],
    ['ownership.test-only', { actor: { levels: '1t' } }],
    ['body.invalid', { data: { id: 12 } }],
    ['body.invalid', { data: { ...data, owner: 'x' } }],
    ['ownership.status', { input: { over: finalRefusal('cancelled') } }],
  ])('refuses: %s', (code, overrides) => {
    expect(admit(overrides)).toMatchObject({ refused: { code } });
  });

  it('lets a test-only broker take a test tender over', () => {
    expect(admit({ actor: { levels: '1t' }, input: { mode: 'test' } })).toHaveProperty('request');
  });
});

const hash = (character: string): string => character.repeat(64);
const present = { owner: 'old', tokenHash: hash('a'), transferHash: hash('b') };
const transfer = { id: 't', broker: 'new', tokenHash: hash('c'), transferHash: hash('d') };
const path = '/tenders/x';
const taken = { owner: 'new', tokenHash: hash('c'), transferHash: hash('d') };

function decide(change: Partial<OwnershipChange>, owner = present) {
  const facts = { transfer, ownerLevels: '1x' };
  const request = { transferId: 't', transferHash: hash('b') };
  return decideOwnershipChange({ request, facts, path, ...change }, { present: owner, actor });
}

describe('decideOwnershipChange', () => {
  it('gives the object the broker and the tokens of the transfer', () => {
    expect(decide({})).toEqual({ next: taken });
  });

  it('completes a change whose transfer was reserved for the object', () => {
    expect(decide({ facts: { transfer: { ...transfer, usedFor: path }, ownerLevels: '1x' } })).toEqual({ next: taken });
  });

  it('a repeat has no effect, although the new owner has not left and the old token does not match', () => {
    const facts = { transfer: { ...transfer, usedFor: path }, ownerLevels: '1' };
    expect(decide({ facts }, taken)).toEqual({ next: undefined });
  });

  it('an owner that does not exist any more has left', () => {
    expect(decide({ facts: { transfer, ownerLevels: undefined } })).toEqual({ next: taken });
  });

  it.each([
    ['ownership.owner-level', 'the owner has not left', { facts: { transfer, ownerLevels: '1234' } }],
    ['ownership.transfer', 'another token', { request: { transferId: 't', transferHash: hash('c') } }],
    ['ownership.transfer', 'an unknown transfer', { facts: { transfer: undefined, ownerLevels: 'x' } }],
    [
      'ownership.transfer',
      'a transfer of another broker',
      { facts: { transfer: { ...transfer, broker: 'other' }, ownerLevels: 'x' } },
    ],
    [
      'ownership.transfer-used',
      'a transfer of another object',
      { facts: { transfer: { ...transfer, usedFor: '/tenders/y' }, ownerLevels: 'x' } },
    ],
  ] as const)('refuses: %s for %s', (code, _what, change) => {
    expect(decide(change)).toEqual({ refused: problem(code) });
  });
});
