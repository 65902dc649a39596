import { describe, expect, it } from 'vitest';
import { model } from '../reading/composites.ts';
import { parseWith } from '../reading/parse-with.ts';
import { Milestones } from './milestone.ts';

const schema = model('Tender', { milestones: Milestones });

const PREPAYMENT = {
  title: 'signingTheContract',
  type: 'financing',
  code: 'prepayment',
  percentage: 45.55,
  duration: { days: 2, type: 'banking' },
  sequenceNumber: 0,
};
const POSTPAYMENT = { ...PREPAYMENT, code: 'postpayment', percentage: 54.45, sequenceNumber: 1 };
const DELIVERY = { ...PREPAYMENT, type: 'delivery', code: 'standard', percentage: 30 };
const LOT = 'a'.repeat(32);

function errorDescription(...milestones: readonly object[]): unknown {
  const reading = parseWith(schema, { milestones });
  return reading.ok ? undefined : reading.errors[0]?.description;
}

describe('milestones (rulings R25)', () => {
  it.each([
    [[PREPAYMENT, POSTPAYMENT]],
    [[{ ...PREPAYMENT, percentage: 100, duration: { days: 1000, type: 'working' }, relatedLot: LOT }]],
    [[{ ...PREPAYMENT, percentage: 100, title: 'anotherEvent', description: 'Після поставки' }]],
    [[DELIVERY, { ...DELIVERY, code: 'recurring', duration: { days: 1, type: 'calendar' } }]],
    [[PREPAYMENT, POSTPAYMENT, { ...PREPAYMENT, percentage: 100, relatedLot: LOT }]],
    [[...Array(4).fill({ ...PREPAYMENT, percentage: 8.34 }), ...Array(8).fill({ ...PREPAYMENT, percentage: 8.33 })]],
  ])('%j are accepted', (milestones) => {
    expect(errorDescription(...milestones)).toBeUndefined();
  });

  it('are kept as they were sent', () => {
    const sent = [PREPAYMENT, { ...POSTPAYMENT, id: LOT, description: 'x' }];
    expect(parseWith(schema, { milestones: sent })).toEqual({ ok: true, value: { milestones: sent } });
  });

  it('need all members but id, description and relatedLot', () => {
    const required = ['This field is required.'];
    expect(errorDescription({})).toEqual([
      {
        title: required,
        type: required,
        code: required,
        percentage: required,
        duration: required,
        sequenceNumber: required,
      },
    ]);
    expect(errorDescription({ ...PREPAYMENT, percentage: 100, duration: {} })).toEqual([
      { duration: { days: required, type: required } },
    ]);
  });

  it.each([
    [{ title: 'x' }, { title: [expect.stringMatching(/^Value must be one of \['executionOfWorks', /)] }],
    [{ title: 'anotherEvent' }, { description: ['This field is required.'] }],
    [{ title: 'anotherEvent', description: '' }, { description: ['This field is required.'] }],
    [{ type: 'x' }, { type: ["Value must be one of ['financing', 'delivery']."] }],
    [{ code: 'standard' }, { code: ["Value must be one of ['prepayment', 'postpayment']."] }],
    [{ type: 'delivery' }, { code: ["Value must be one of ['standard', 'recurring']."] }],
    [{ percentage: 0 }, { percentage: ['Float value should be greater than 0.'] }],
    [{ percentage: 100.01 }, { percentage: ['Float value should be less than 100.'] }],
    [{ duration: { days: 0, type: 'x' } }, expectedDuration('Int value should be greater than 1.')],
    [{ duration: { days: 1001, type: 'x' } }, expectedDuration("days shouldn't be more than 1000")],
    [{ sequenceNumber: -1 }, { sequenceNumber: ['Int value should be greater than 0.'] }],
  ])('with %j are refused', (changes, description) => {
    expect(errorDescription({ ...PREPAYMENT, percentage: 100, ...changes })).toEqual([description]);
  });

  it.each([
    [{ percentage: 'x' }, { percentage: ["Value 'x' is not float."] }],
    [{ duration: 5 }, { duration: ['Please use a mapping for this field or Duration instance instead of int.'] }],
    [{ dueDate: '2031-01-01' }, { dueDate: 'Rogue field' }],
    [{ relatedLot: 'x' }, { relatedLot: ['Hash value is wrong length.'] }],
  ])('with %j are refused in the first pass', (changes, description) => {
    expect(errorDescription({ ...PREPAYMENT, percentage: 100, ...changes })).toEqual(description);
  });

  it('of financing sum to 100 for the tender and for each lot', () => {
    expect(errorDescription({ ...PREPAYMENT, percentage: 49.999 }, { ...POSTPAYMENT, percentage: 50.002 })).toEqual([
      'Sum of the financial milestone percentages 100.001 is not equal 100.',
    ]);
    expect(errorDescription(PREPAYMENT, { ...POSTPAYMENT, relatedLot: LOT })).toEqual([
      'Sum of the financial milestone percentages 45.55 is not equal 100.',
      `Sum of the financial milestone percentages 54.45 is not equal 100 for lot ${LOT}.`,
    ]);
  });
});

function expectedDuration(days: string): object {
  return { duration: { days: [days], type: ["Value must be one of ['working', 'banking', 'calendar']."] } };
}
