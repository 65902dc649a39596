import { describe, expect, it } from 'vitest';
import { awardCriteria, bidStatus, categoryOfClass, documentType, type DocumentPlace } from './codes.ts';

it.each([
  ['active', 'valid'],
  ['validBid', 'valid'],
  ['invalid', 'disqualified'],
  ['invalid.pre-qualification', 'disqualified'],
  ['unsuccessful', 'disqualified'],
  ['withdrawn', 'withdrawn'],
  ['cancelled', 'withdrawn'],
  ['registration', 'pending'],
  ['constructor', 'pending'],
  [undefined, 'pending'],
])('a bid in %s is %s', (canonical, published) => {
  expect(bidStatus(canonical)).toBe(published);
});

it.each([
  ['lowestCost', false, 'priceOnly'],
  ['lowestCost', true, 'ratedCriteria'],
  ['lifeCycleCost', false, 'costOnly'],
  ['bestValueToGovernment', false, 'ratedCriteria'],
  ['singleBidOnly', false, 'singleBidOnly'],
  [undefined, true, undefined],
])('award criteria %s, with features %s: %s', (canonical, hasFeatures, published) => {
  expect(awardCriteria(canonical, hasFeatures)).toBe(published);
});

describe('the category of a first item', () => {
  it.each([
    ['CPV', '03000000-1', 'goods'],
    ['ДК021', '44617100-9', 'goods'],
    ['CPV', '48000000-8', 'goods'],
    ['CPV', '45000000-7', 'works'],
    ['CPV', '50000000-5', 'services'],
    ['CPV', '98000000-3', 'services'],
    ['CPV', '99999999-9', undefined],
    ['CPV', '46000000-1', undefined],
    ['ДКПП', '45.11', undefined],
    ['CPV', undefined, undefined],
  ])('%s %s: %s', (scheme, id, category) => {
    expect(categoryOfClass(scheme, id)).toBe(category);
  });
});

it.each<[string | undefined, DocumentPlace, string | undefined]>([
  ['notice', 'tender', 'tenderNotice'],
  ['notice', 'award', 'awardNotice'],
  ['notice', 'contract', 'contractNotice'],
  ['contractProforma', 'tender', 'contractDraft'],
  ['registerExtract', 'award', 'bidders'],
  ['qualificationDocuments', 'bid', 'submissionDocuments'],
  [undefined, 'bid', 'submissionDocuments'],
  ['notice', 'cancellation', 'cancellationDetails'],
  ['contractSigned', 'contract', 'contractSigned'],
  ['other', 'tender', 'other'],
  [undefined, 'tender', undefined],
])('a document %s of a %s: %s', (canonical, place, published) => {
  expect(documentType(canonical, place)).toBe(published);
});
