import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { codec0 } from './codec.ts';

const codec = codec0({ base: 'https://api.example.org', segment: '0' });
const now = parseInstant('2026-05-04T10:15:00+03:00');
const data = { title: 'x', value: { amount: 500 } };

describe('a PUT on segment 0 without a step', () => {
  it.each([
    ['gets the default', { value: data.value, submissionMethod: 'electronicAuction' }, { amount: 5 }],
    ['of a tender without auction gets none (contracting.md 11)', { value: data.value }, undefined],
  ])('%s', (_what, stored, minimalStep) => {
    const decoded = codec.decodeRequest(tendersApi.putTender, data, { now, stored });
    expect(decoded).toEqual({ data: { ...data, ...(minimalStep === undefined ? {} : { minimalStep }) } });
  });
});
