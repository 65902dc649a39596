import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { paperTenders } from '../../../test-support/paper.ts';
import { parsePublicTender, tenderColumns } from './tender-columns.ts';

describe('tenderColumns', () => {
  it('reads the columns of a finished tender', () => {
    expect(tenderColumns(paperTenders.at(-1) ?? {})).toEqual({
      id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
      number: 'UA-2026-03-02-000001',
      dateModified: '2026-03-31T10:12:30.550000+03:00',
      isTest: false,
      status: 'complete',
      method: 'belowThreshold',
      buyer: 'UA-EDR-12345601',
      currency: 'UAH',
      amount: 100_000,
      cpv: [30_197_630],
      regions: ['UA-32'],
      buyerRegion: 'UA-32',
      enquiryEnd: parseInstant('2026-03-06T12:00:00+02:00'),
      tenderStart: parseInstant('2026-03-06T12:00:00+02:00'),
      tenderEnd: parseInstant('2026-03-16T12:00:00+02:00'),
      bids: 2,
      contracted: 94_250.5,
      title: 'Папір офісний для закладів освіти',
      titleEn: 'Office paper for schools',
    });
  });

  it('has no bids and no contracts of a tender whose bids are closed', () => {
    const { bids, contracted } = tenderColumns(paperTenders[2] ?? {});
    expect([bids, contracted]).toEqual([undefined, undefined]);
  });

  it('takes members of another shape as absent', () => {
    const damaged = { id: 'a', items: [1, { classification: 7, deliveryAddress: [] }], value: 'x', contracts: {} };
    expect(tenderColumns(damaged)).toMatchObject({ id: 'a', cpv: [], regions: [] });
  });
});

describe('parsePublicTender', () => {
  it.each(['', '{', '[]', '{"data":1}', '{"data":{"id":"a"}}'])('refuses %s', (text) => {
    expect(() => parsePublicTender(text)).toThrow(/JSON|not a public tender/);
  });
});
