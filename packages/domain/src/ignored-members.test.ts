import { describe, expect, it } from 'vitest';
import { editsInAnyStatus, ignoredMembers, type Edits } from './ignored-members.ts';

type Json = Readonly<Record<string, unknown>>;

const EDITS: Edits = {
  status: 'closed',
  statuses: ['open', 'late', 'closed'],
  membersIn: (status) => ({ open: ['title', 'value', 'items'], late: ['title'] })[status] ?? [],
};

function pointersIn(sent: Json, before: Json, after: Json, edits = EDITS): readonly string[] {
  return ignoredMembers({ sent, before, after, edits }).map(({ path }) => path.join('/'));
}

describe('ignoredMembers', () => {
  it('names what a PATCH sends and the table does not allow, with the statuses that allow it', () => {
    const before = { title: 'a', value: { amount: 1 } };
    expect(ignoredMembers({ sent: { title: 'b', value: { amount: 2 } }, before, after: before, edits: EDITS })).toEqual(
      [
        { path: ['title'], allowedStatuses: ['open', 'late'] },
        { path: ['value', 'amount'], allowedStatuses: ['open'] },
      ],
    );
  });

  it('names nothing of an object that is sent back as it was read', () => {
    const before = {
      title: 'a',
      value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
      period: { endDate: '2026-05-20T18:00:00+03:00' },
      items: [{ id: '1', documents: [{ url: 'http://service/get/1?Signature=x' }] }],
      sealed: { url: 'http://service/api/2.5/tenders/1/bids/2/documents/3?download=4' },
    };
    const sent = {
      ...before,
      period: { endDate: '2026-05-20T15:00:00Z' },
      value: { amount: '500.0', valueAddedTaxIncluded: 'true' },
      items: [{ documents: [{ url: 'https://api.example.org/get/1?Signature=x' }] }],
      sealed: { url: 'https://api.example.org/api/2.3/tenders/1/bids/2/documents/3?download=4' },
      lots: [],
      description: null,
    };
    // A member that the service has changed meanwhile had the value that was sent.
    expect(pointersIn(sent, before, { ...before, title: 'changed by the service' })).toEqual([]);
  });

  it('names nothing that the table allows and that took effect, whatever its stored form', () => {
    const edits = editsInAnyStatus(['title', 'value', 'items']);
    const before = { title: '[TEST] a', value: { amount: 1, currency: 'UAH' }, items: [{ id: '1', quantity: 1 }] };
    const after = { title: '[TEST] b', value: { amount: 2, currency: 'UAH' }, items: [{ id: '1', quantity: 2 }] };
    expect(pointersIn({ title: 'b', value: { amount: 2 }, items: [{ quantity: 2 }] }, before, after, edits)).toEqual(
      [],
    );
    expect(pointersIn({ title: 'a' }, before, before, edits)).toEqual([]);
  });

  it('names a part of an allowed member that had no effect', () => {
    const edits = editsInAnyStatus(['buyer', 'lotValues', 'title']);
    const before = { buyer: { name: 'a', kind: 'general' }, lotValues: [{ relatedLot: '1' }], title: 'a' };
    const after = { ...before, buyer: { name: 'b', kind: 'general' } };
    const sent = { buyer: { name: 'b', kind: 'special' }, lotValues: [{ url: 'x' }], title: null };
    expect(pointersIn(sent, before, after, edits)).toEqual(['buyer/kind', 'lotValues', 'title']);
  });

  it('names no more members than the object shows, whatever was sent', () => {
    const before = { value: { amount: 1 }, items: [{ id: '1' }] };
    const flood = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`member${at}`, at]));
    const sent = { value: flood, items: Array.from({ length: 1_000 }, () => flood), documents: flood };
    expect(pointersIn(sent, before, before)).toEqual(['value', 'items', 'documents']);
  });

  it('reads no member of the prototype', () => {
    const sent = JSON.parse('{"__proto__":{"toString":1},"constructor":{"name":"x"}}') as Json;
    expect(pointersIn(sent, {}, {})).toEqual(['__proto__', 'constructor']);
  });
});
