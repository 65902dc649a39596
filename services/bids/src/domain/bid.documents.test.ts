import { REQUIRED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import { documentsRefusal, locateDocumentFaults } from './bid.documents.ts';
import { tenderFacts } from '../../test-support/bidding-facts.ts';

describe('locateDocumentFaults (http.md 2.6)', () => {
  const locate = (description: Parameters<typeof locateDocumentFaults>[0][number]['description']) =>
    locateDocumentFaults([
      { location: 'body', name: 'value', description: REQUIRED },
      { location: 'body', name: 'documents', description },
    ]).slice(1);

  it.each([
    [
      'an error for each member of each document',
      [{ url: REQUIRED, title: REQUIRED }, { hash: ['Hash type is not supported.'] }],
      [
        { location: 'documents', name: 'url', description: REQUIRED },
        { location: 'documents', name: 'title', description: REQUIRED },
        { location: 'documents', name: 'hash', description: ['Hash type is not supported.'] },
      ],
    ],
    [
      'an error that is no list',
      { titl: 'Rogue field' },
      [{ location: 'documents', name: 'titl', description: 'Rogue field' }],
    ],
    [
      'a list that is no array',
      ['Please use a list for this field.'],
      [{ location: 'body', name: 'documents', description: ['Please use a list for this field.'] }],
    ],
  ])('locates %s', (_title, description, expected) => {
    expect(locate(description)).toEqual(expected);
  });

  it('leaves errors of other members unchanged', () => {
    const errors = [{ location: 'body', name: 'value', description: REQUIRED }];
    expect(locateDocumentFaults(errors)).toEqual(errors);
  });
});

describe('documentsRefusal', () => {
  const document = { title: 'a', format: 'a/b', url: 'u' };
  const tender = tenderFacts({ items: [{ id: 'an item' }] });

  it('refuses a `relatedItem` that the tender does not have', () => {
    const refused = documentsRefusal(
      [document, { ...document, documentOf: 'lot', relatedItem: 'none' }],
      tenderFacts(),
    );
    expect(refused?.errors).toEqual([
      { location: 'documents', name: 'relatedItem', description: ['relatedItem should be one of lots'] },
    ]);
  });

  it('accepts a `relatedItem` that the tender has, and any for the tender itself', () => {
    const related = { ...document, documentOf: 'item' as const, relatedItem: 'an item' };
    expect(
      documentsRefusal([related, { ...document, documentOf: 'tender', relatedItem: 'x' }], tender),
    ).toBeUndefined();
  });
});
