import { describe, expect, it } from 'vitest';
import { findOrganization, readParty } from './party.ts';

describe('readParty', () => {
  it.each([
    ['UA-EDR-00037256', { scheme: 'UA-EDR', id: '00037256', isPerson: false }],
    ['UA-IPN-1234567890', { scheme: 'UA-IPN', id: '1234567890', isPerson: true }],
    ['GB-COH-AB-12', { scheme: 'GB-COH', id: 'AB-12', isPerson: false }],
    ['00037256', undefined],
    ['UA-EDR-1,UA-EDR-2', undefined],
    ['UA-EDR-', undefined],
  ])('reads %s', (key, party) => {
    expect(readParty(key)).toEqual(party === undefined ? undefined : { key, ...party });
  });
});

describe('findOrganization', () => {
  it('compares scheme and identifier, not names', () => {
    const party = readParty('UA-EDR-00037256');
    const other = { name: 'A', identifier: { scheme: 'UA-FIN', id: '00037256' } };
    const same = { name: 'B', identifier: { scheme: 'UA-EDR', id: '00037256' } };
    expect(party && findOrganization(party, [{ name: 'C' }, other, same])).toBe(same);
  });
});
