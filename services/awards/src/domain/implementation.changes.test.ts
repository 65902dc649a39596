import { refusalOf } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import { CHANGE_RATIONALE_TYPES } from '@procurement/contracts/resources/change-rationale-types';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { padId } from '@procurement/testing/ids';
import {
  accepted,
  addChange,
  changeChange,
  changeSigned,
  RATIONALE,
  signed,
  withActive,
  withPending,
} from '../../test-support/signed-contract.ts';
import type { Awarding } from './awarding.ts';

const changesOf = (state: Awarding) => state.contracts[0]?.implementation?.changes;
const DATE = '2026-05-12T11:05:00.000000+03:00';

describe('changes of a contract (contracting.md 5)', () => {
  it('are pending at first, whatever status was sent, and leave the signed contract alone', () => {
    const state = accepted(addChange(signed, { ...RATIONALE, status: 'active', rationale_en: 'Paper', id: 'x' }));
    expect(changesOf(state)).toEqual([
      { ...RATIONALE, rationale_en: 'Paper', id: padId('c9'), date: DATE, status: 'pending' },
    ]);
    expect({ ...state.contracts[0], implementation: undefined }).toEqual(signed.contracts[0]);
  });

  it('are activated with a date, and follow each other', () => {
    expect(changesOf(withActive)).toMatchObject([
      { status: 'active', date: DATE, dateSigned: '2026-05-12T10:30:00+03:00' },
    ]);
    const next = { ...RATIONALE, dateSigned: '2026-05-12T10:30:00+03:00' };
    const second = accepted(addChange(withActive, next, { changeId: padId('ca') }));
    const both = accepted(changeChange(second, { status: 'active' }, { changeId: padId('ca') }));
    expect(changesOf(both)?.map(({ id, status }) => [id, status])).toEqual([
      [padId('c9'), 'active'],
      [padId('ca'), 'active'],
    ]);
  });

  it('may have the date of the signature before, also where the clock is behind it', () => {
    const dateSigned = '2026-05-12T11:05:20.000000+03:00';
    const [contract] = signed.contracts;
    if (contract === undefined) throw new Error('no contract');
    const ahead = { ...signed, contracts: [{ ...contract, dateSigned }] };
    expect(addChange(ahead, { ...RATIONALE, dateSigned }).refused).toBeUndefined();
    expect(refusalOf(addChange(ahead, { ...RATIONALE, dateSigned: '2026-05-12T11:05:20.000001+03:00' }))?.[2]).toEqual([
      "Contract signature date can't be in the future",
    ]);
  });

  it('keep a date that was accepted, also where the clock is behind it', () => {
    const dateSigned = '2026-05-12T11:05:20+03:00';
    const given = accepted(addChange(signed, { ...RATIONALE, dateSigned }, { now: parseInstant(dateSigned) }));
    const activated = accepted(changeChange(given, { status: 'active' }));
    expect(changesOf(activated)).toMatchObject([{ status: 'active', dateSigned }]);
  });

  it('may be edited while they are pending; a PATCH without effect has no event', () => {
    const edited = accepted(
      changeChange(withPending, { rationaleTypes: ['taxRate', 'thirdParty'], contractNumber: '2' }),
    );
    expect(changesOf(edited)).toMatchObject([
      { status: 'pending', rationaleTypes: ['taxRate', 'thirdParty'], contractNumber: '2' },
    ]);
    expect(changeChange(edited, { contractNumber: '2', date: '2020-01-01' }).events).toEqual([]);
    expect(changeChange(withActive, { status: 'active' }).events).toEqual([]);
    expect(refusalOf(changeChange(withActive, {}))?.[2]).toBe(
      "Can't update contract change in current (active) status",
    );
  });

  it('stay as they are after the end of the contract', () => {
    const over = accepted(changeSigned(withPending, { status: 'terminated', amountPaid: { amount: 1 } }));
    expect(refusalOf(changeChange(over, { contractNumber: '2' }))?.[2]).toBe(
      "Can't update contract change in current (terminated) contract status",
    );
    expect(changeChange(over, { status: 'pending' }).events).toEqual([]);
  });

  it('accept every reason of the list, and 20 of them', () => {
    for (const one of CHANGE_RATIONALE_TYPES)
      expect(addChange(signed, { ...RATIONALE, rationaleTypes: [one] }).refused).toBeUndefined();
    const many = (count: number) => ({ ...RATIONALE, rationaleTypes: Array.from({ length: count }, () => 'taxRate') });
    expect(addChange(signed, many(20)).refused).toBeUndefined();
    expect(refusalOf(addChange(signed, many(21)))).toEqual([
      422,
      'rationaleTypes',
      ['Please provide no more than 20 items.'],
    ]);
  });

  it('are unknown under another id', () => {
    expect(refusalOf(changeChange(withPending, {}, { changeId: padId('none') }))?.slice(0, 2)).toEqual([
      404,
      'change_id',
    ]);
  });
});
