import { describe, expect, it } from 'vitest';
import { documentsRefusal, locateDocumentFaults } from './bid.documents.ts';
import { tenderFacts } from '../../test-support/bidding-facts.ts';

const REQUIRED = ['This field is required.'];

describe('placedFaults (http.md 2.6)', () => {
  const of = (description: Parameters<typeof locateDocumentFaults>[0][number]['description']) =>
    locateDocumentFaults([
      { location: 'body', name: 'value', description: REQUIRED },
      { location: 'body', name: 'documents', description },
    ]).slice(1);

  it.each([
    [
      'each member of each document',
      [{ url: REQUIRED, title: REQUIRED }, { hash: ['Hash type is not supported.'] }],
      [
        { location: 'documents', name: 'url', description: REQUIRED },
        { location: 'documents', name: 'title', description: REQUIRED },
        { location: 'documents', name: 'hash', description: ['Hash type is not supported.'] },
      ],
    ],
    ['a lone tree', { titl: 'Rogue field' }, [{ location: 'documents', name: 'titl', description: 'Rogue field' }]],
    [
      'no list',
      ['Please provide an array.'],
      [{ location: 'body', name: 'documents', description: ['Please provide an array.'] }],
    ],
  ])('%s', (_title, description, expected) => {
    expect(of(description)).toEqual(expected);
  });

  it('leaves every other member where it is', () => {
    const errors = [{ location: 'body', name: 'value', description: REQUIRED }];
    expect(locateDocumentFaults(errors)).toEqual(errors);
  });
});

describe('documentsRefusal', () => {
  const document = { title: 'a', format: 'a/b', url: 'u' };
  const tender = tenderFacts({ items: [{ id: 'an item' }] });

  it('of an item or lot that the tender has not', () => {
    const refused = documentsRefusal(
      [document, { ...document, documentOf: 'lot', relatedItem: 'none' }],
      tenderFacts(),
    );
    expect(refused?.errors).toEqual([
      { location: 'documents', name: 'relatedItem', description: ['relatedItem should be one of lots'] },
    ]);
  });

  it('none of what it has, and of the tender as a whole', () => {
    const related = { ...document, documentOf: 'item' as const, relatedItem: 'an item' };
    expect(
      documentsRefusal([related, { ...document, documentOf: 'tender', relatedItem: 'x' }], tender),
    ).toBeUndefined();
  });
});
