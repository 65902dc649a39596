import { DOCUMENT_QUOTAS, DOCUMENTS_OF_PARENT_MAX, OBJECT_BYTES_MAX } from '@procurement/contracts/limits';
import { jsonBytes } from '@procurement/domain/json-text';
import { sized } from '@procurement/testing/sized';
import { describe, expect, it } from 'vitest';
import { budgetRefusal, parentKindsInQuotaOf, placeRefusal } from './document.budget.ts';
import type { DocumentUsage, StoredRecord } from './document.ts';

const record: StoredRecord = { id: '1', title: 'x', format: 'text/plain', datePublished: '', dateModified: '' };
const NOTHING = { versions: 0, bytes: 0 };
const buildUsage = (usage: Partial<DocumentUsage>): DocumentUsage => ({
  versionsOfParent: 0,
  ofQuota: NOTHING,
  ofBroker: NOTHING,
  ...usage,
});
/** Stored before one more version, so that it reaches the number or size. */
const before = {
  versions: (max: number) => ({ versions: max - 1, bytes: 0 }),
  bytes: (max: number) => ({ versions: 1, bytes: max - jsonBytes(record) }),
};

const { owner, contracts, bids, complaints } = DOCUMENT_QUOTAS;
const SCENARIOS = [
  ['limit.documents-of-parent', 'tender', DOCUMENTS_OF_PARENT_MAX, (max: number) => ({ versionsOfParent: max - 1 })],
  ['limit.documents', 'award', owner.versionsMax, (max: number) => ({ ofQuota: before.versions(max) })],
  ['limit.documents', 'contract', contracts.versionsMax, (max: number) => ({ ofQuota: before.versions(max) })],
  ['limit.documents', 'bid', bids.versionsMax, (max: number) => ({ ofQuota: before.versions(max) })],
  ['limit.documents', 'complaint', complaints.versionsMax, (max: number) => ({ ofQuota: before.versions(max) })],
  ['limit.document-quota', 'cancellation', owner.bytesMax, (max: number) => ({ ofQuota: before.bytes(max) })],
  ['limit.document-quota', 'bid', bids.bytesMax, (max: number) => ({ ofQuota: before.bytes(max) })],
  ['limit.document-quota', 'award complaint', complaints.bytesMax, (max: number) => ({ ofQuota: before.bytes(max) })],
  [
    'limit.documents-of-broker',
    'bid',
    bids.ofBroker.versionsMax,
    (max: number) => ({ ofBroker: before.versions(max) }),
  ],
  [
    'limit.documents-of-broker',
    'complaint',
    complaints.ofBroker.versionsMax,
    (max: number) => ({ ofBroker: before.versions(max) }),
  ],
  ['limit.document-quota-of-broker', 'bid', bids.ofBroker.bytesMax, (max: number) => ({ ofBroker: before.bytes(max) })],
  [
    'limit.document-quota-of-broker',
    'complaint',
    complaints.ofBroker.bytesMax,
    (max: number) => ({ ofBroker: before.bytes(max) }),
  ],
] as const;

describe.each(SCENARIOS)('%s of a %s', (code, kind, max, stored) => {
  it('accepts the version that reaches the limit, and refuses the next', () => {
    expect(budgetRefusal(kind, undefined, record, buildUsage(stored(max)))).toBeUndefined();
    expect(budgetRefusal(kind, undefined, record, buildUsage(stored(max + 1)))).toMatchObject({
      code,
      status: 422,
      errors: [{ location: 'body', name: 'documents', description: expect.stringContaining(`No more than ${max} `) }],
    });
  });

  it('accepts a change of a stored record that does not make it larger', () => {
    const changed = { ...record, title: 'y' };
    expect(budgetRefusal(kind, record, changed, buildUsage(stored(max + 100)))).toBeUndefined();
  });
});

describe('limit.document-bytes', () => {
  const at = (bytes: number): StoredRecord => sized(record, 'description', bytes);

  it('is checked before the lock too: at the limit, and above it', () => {
    expect(budgetRefusal('tender', undefined, at(OBJECT_BYTES_MAX.document), undefined)).toBeUndefined();
    expect(budgetRefusal('tender', undefined, at(OBJECT_BYTES_MAX.document + 1), undefined)).toMatchObject({
      code: 'limit.document-bytes',
      status: 422,
    });
  });

  it('lets a record above it be changed without growing', () => {
    const huge = at(3_800_000);
    expect(budgetRefusal('tender', huge, { ...huge, title: 'y' }, buildUsage({}))).toBeUndefined();
  });
});

describe('placeRefusal', () => {
  it('refuses a file for a place that is full, before its bytes are read', () => {
    expect(placeRefusal('bid', buildUsage({ versionsOfParent: DOCUMENTS_OF_PARENT_MAX - 1 }))).toBeUndefined();
    expect(placeRefusal('bid', buildUsage({ versionsOfParent: DOCUMENTS_OF_PARENT_MAX }))?.status).toBe(422);
  });
});

describe('parentKindsInQuotaOf', () => {
  it('puts the documents of each party together', () => {
    expect(parentKindsInQuotaOf('award')).toEqual(['tender', 'cancellation', 'award']);
    expect(parentKindsInQuotaOf('contract')).toEqual(['contract']);
    expect(parentKindsInQuotaOf('bid')).toEqual(['bid']);
    expect(parentKindsInQuotaOf('complaint')).toEqual(['complaint', 'award complaint']);
  });
});
