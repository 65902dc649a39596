import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as limits from '@procurement/contracts/limits';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/spec/limits.md'), 'utf8');

/** A number of the row `| `name` | ... |` in a section of the page. Columns are counted from 1, after the name. */
function numberOnPage(section: number, name: string, column = 1): number {
  const text = PAGE.split(/^## /m).find((part) => part.startsWith(`${section}. `)) ?? '';
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
  return Number(row?.split('|')[column + 1]?.trim() || Number.NaN);
}

describe('docs/spec/limits.md', () => {
  it.each(Object.entries(limits.TEXT_CHARACTERS_MAX))('has the longest text of kind %s', (kind, characters) => {
    expect(numberOnPage(2, kind)).toBe(characters);
  });

  it.each(Object.entries(limits.LIST_ELEMENTS_MAX))('has the longest list of kind %s', (kind, elements) => {
    expect(numberOnPage(3, kind)).toBe(elements);
  });

  it.each(Object.entries(limits.TENDER_QUOTAS_IN_32NDS))('has the quota of %s in a tender', (quota, parts) => {
    expect([numberOnPage(4, quota), numberOnPage(4, quota, 2)]).toEqual([
      parts,
      (limits.TENDER_BYTES.default * parts) / 32,
    ]);
  });

  it.each([
    ['question', 4, limits.TENDER_OBJECTS_MAX.questions],
    ['complaint', 4, limits.TENDER_OBJECTS_MAX.complaints],
    ['cancellation', 4, limits.TENDER_OBJECTS_MAX.cancellations],
    ['bid', 5, limits.TENDER_OBJECTS_MAX.bids],
    ['award', 6, limits.TENDER_OBJECTS_MAX.awards],
    ['contract', 6, limits.TENDER_OBJECTS_MAX.contracts],
    ['awardComplaint', 6, limits.TENDER_OBJECTS_MAX.awardComplaints],
  ] as const)('has size and number of a %s', (object, section, numbers) => {
    const onPage = [1, 2, 3].map((column) => numberOnPage(section, object, column));
    const ofBroker = 'ofBroker' in numbers ? numbers.ofBroker : Number.NaN;
    const bytesOf = object === 'awardComplaint' ? 'complaint' : object;
    expect(onPage).toEqual([limits.OBJECT_BYTES_MAX[bytesOf], numbers.ofTender, ofBroker]);
  });

  it('has the bytes of all bids', () => {
    const { ofTender, ofBroker } = limits.BIDS_BYTES_MAX;
    expect([numberOnPage(5, 'bids'), numberOnPage(5, 'bids', 2)]).toEqual([ofTender, ofBroker]);
  });

  it.each(Object.entries({ awarding: limits.AWARDING_BYTES_MAX, ...limits.AWARD_COMPLAINT_BYTES_MAX }))(
    'has the bytes of %s in the awards of a tender',
    (name, bytes) => {
      expect(numberOnPage(6, name)).toBe(bytes);
    },
  );

  it('has the size of a change of a contract', () => {
    expect(numberOnPage(6, 'change')).toBe(limits.OBJECT_BYTES_MAX.change);
  });

  it.each(Object.entries(limits.CONTRACT_OBJECTS_MAX))('has the number of %s of a contract', (kind, count) => {
    expect(numberOnPage(6, kind)).toBe(count);
  });

  it('has the bytes of what follows signatures', () => {
    const { ofContract, ofTender } = limits.IMPLEMENTATION_BYTES_MAX;
    expect([numberOnPage(6, 'implementation'), numberOnPage(6, 'implementation', 2)]).toEqual([ofContract, ofTender]);
  });

  it('has size and number of documents in one place', () => {
    const onPage = [numberOnPage(7, 'document'), numberOnPage(7, 'document', 2)];
    expect(onPage).toEqual([limits.OBJECT_BYTES_MAX.document, limits.DOCUMENTS_OF_PARENT_MAX]);
  });

  it.each(Object.entries(limits.DOCUMENT_QUOTAS))('has the quota of documents of %s', (quota, limit) => {
    const ofBroker = 'ofBroker' in limit ? limit.ofBroker : { versionsMax: Number.NaN, bytesMax: Number.NaN };
    expect([1, 2, 3, 4].map((column) => numberOnPage(7, quota, column))).toEqual([
      limit.versionsMax,
      limit.bytesMax,
      ofBroker.versionsMax,
      ofBroker.bytesMax,
    ]);
  });
});
