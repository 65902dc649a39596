import { describe, expect, it } from 'vitest';
import { documentBodies } from '../api/documents.api.ts';
import { TenderInput } from '../resources/tender.ts';
import { parseWith } from '../reading/parse-with.ts';
import { explainedBody } from './explained-body.ts';
import { allowing, invalid, problem, problemBody, type Problem } from './problems.ts';

const pointersOf = (refusal: Problem) => explainedBody(refusal).errors.map(({ pointer }) => pointer);

describe('explainedBody', () => {
  it('adds code and link to each error, and the pointer of the row', () => {
    expect(explainedBody(problem('contract.currency'))).toEqual({
      status: 'error',
      errors: [
        {
          location: 'body',
          name: 'data',
          description: "Can't update currency for contract value",
          code: 'contract.currency',
          pointer: '/data/value/currency',
          link: '/docs/errors#contract.currency',
        },
      ],
    });
    expect(pointersOf(problem('object.not-found', { kind: 'tender' }))).toEqual([undefined]);
  });

  it('says when and with what the request would be allowed', () => {
    const allowance = {
      allowedFrom: '2026-05-10T00:00:00+03:00',
      allowedUntil: undefined,
      allowedStatuses: ['active.tendering'],
    };
    const refusal = allowing(problem('bid.add-status', { status: 'draft' }), allowance);
    const [shown] = JSON.parse(JSON.stringify(explainedBody(refusal))).errors;
    expect(shown).toMatchObject({ code: 'bid.add-status', allowedStatuses: ['active.tendering'] });
    expect(Object.keys(shown).slice(3)).toEqual(['code', 'link', 'allowedFrom', 'allowedStatuses']);
    expect(problem('lot.add-status', { status: 'draft' }).errors[0]?.allowedStatuses).toBeUndefined();
    expect(problem('award.add-lot').errors[0]?.allowedStatuses).toEqual(['active']);
  });

  it('points to the only fault of a member, and to the member with several', () => {
    const error = (name: string, description: Problem['errors'][number]['description']) => ({
      location: 'body',
      name,
      description,
    });
    const refusal = invalid([
      error('a/b', 'Rogue field'),
      error('period', { startDate: ['x'] }),
      error('value', { amount: ['x'], currency: ['x'] }),
      error('items', [{ quantity: ['x'] }]),
      { location: 'documents', name: 'url', description: 'x' },
      { location: 'header', name: 'x', description: 'x' },
    ]);
    expect(pointersOf(refusal)).toEqual([
      '/data/a~1b',
      '/data/period/startDate',
      '/data/value',
      '/data/items',
      '/data/documents',
      undefined,
    ]);
  });

  it.each([
    [
      'the first faulty element of the first pass',
      [{}, { quantity: 'x' }, { quantity: 'y' }],
      '/data/items/1/quantity',
    ],
    ['the only faulty element of the second pass', [{}], '/data/items/0'],
    ['the list, with faults in several elements of the second pass', [{}, {}], '/data/items'],
  ])('points to %s', (_what, items, pointer) => {
    const reading = parseWith(TenderInput, { items });
    const errors = reading.ok ? [] : reading.errors.filter(({ name }) => name === 'items');
    expect(pointersOf(invalid(errors))).toEqual([pointer]);
  });

  it('has no pointer into a document that is in the body of a bid', () => {
    const reading = parseWith(documentBodies.create, { title: {} });
    const errors = reading.ok ? [] : reading.errors.map((error) => ({ ...error, location: 'documents' }));
    expect(new Set(pointersOf(invalid(errors)))).toEqual(new Set(['/data/documents']));
  });
});

describe('problemBody', () => {
  it('has the classic members only', () => {
    const reading = parseWith(TenderInput, { items: [{ quantity: 'x' }] });
    const refusal = allowing(invalid(reading.ok ? [] : reading.errors), { allowedStatuses: ['draft'] });
    const { errors } = problemBody(refusal);
    expect(errors.map((error) => Object.keys(error))).toEqual([['location', 'name', 'description']]);
  });
});
