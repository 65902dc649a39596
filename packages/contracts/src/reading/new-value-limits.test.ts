import { describe, expect, it } from 'vitest';
import { LIST_ELEMENTS_MAX, TEXT_CHARACTERS_MAX, type ListKind, type TextKind } from '../limits.ts';
import { list, model } from './composites.ts';
import { parseWith } from './parse-with.ts';
import { text } from './scalars.ts';

// Safe casts: the keys of a constant object are those of its type.
const TEXT_KINDS = Object.keys(TEXT_CHARACTERS_MAX) as TextKind[];
const LIST_KINDS = Object.keys(LIST_ELEMENTS_MAX) as ListKind[];

const refusal = (name: string, description: unknown) => ({
  ok: false,
  errors: [{ location: 'body', name, description }],
});
const TOO_LONG = ['String value is too long.'];

describe('text', () => {
  describe.each(TEXT_KINDS)('of kind %s', (kind) => {
    const schema = model('Thing', { note: text(kind).optional() });
    const max = TEXT_CHARACTERS_MAX[kind];

    it('may have as many characters as its limit, of any alphabet', () => {
      for (const character of ['a', 'ї', '😀']) {
        expect(parseWith(schema, { note: character.repeat(max) })).toMatchObject({ ok: true });
      }
    });

    it('is refused with one character more', () => {
      for (const character of ['a', 'ї', '😀']) {
        expect(parseWith(schema, { note: character.repeat(max + 1) })).toEqual(refusal('note', TOO_LONG));
      }
    });
  });
});

describe('list', () => {
  describe.each(LIST_KINDS)('of kind %s', (kind) => {
    const schema = model('Thing', { notes: list(kind, text('title')).optional() });
    const max = LIST_ELEMENTS_MAX[kind];
    const error = [`Please provide no more than ${max} item${max === 1 ? '' : 's'}.`];

    it('may have as many elements as its limit', () => {
      expect(parseWith(schema, { notes: Array(max).fill('a') })).toMatchObject({ ok: true });
    });

    it('is refused with one element more', () => {
      expect(parseWith(schema, { notes: Array(max + 1).fill('a') })).toEqual(refusal('notes', error));
    });
  });

  it('that is sent as a single text is limited as well', () => {
    const schema = model('Thing', { notes: list('items', text('identifier')) });
    expect(parseWith(schema, { notes: 'a'.repeat(256) })).toMatchObject(refusal('notes', [TOO_LONG]));
  });
});

describe('an object that is stored above its limits', () => {
  const Part = model('Part', { note: text('identifier').optional(), name: text('name').optional() });
  const schema = model('Thing', {
    title: text('title').optional(),
    note: text('identifier').optional(),
    parts: list('tenderers', Part).optional(),
  });
  const long = 'a'.repeat(300);
  const stored = { note: long, parts: [{ note: long }, { note: 'b' }] };

  it('may keep its texts and lists while other members change', () => {
    expect(parseWith(schema, { ...stored, title: 'new' }, stored)).toMatchObject({ ok: true });
  });

  it('may keep a text whose element moves to another place', () => {
    expect(parseWith(schema, { parts: [{ name: 'new' }, { note: long }] }, stored)).toMatchObject({ ok: true });
  });

  it('may not get another text or a longer list above the limit', () => {
    expect(parseWith(schema, { ...stored, note: `${long}a` }, stored)).toEqual(refusal('note', TOO_LONG));
    expect(parseWith(schema, { ...stored, parts: [...stored.parts, {}] }, stored)).toEqual(
      refusal('parts', ['Please provide no more than 1 item.']),
    );
  });

  it('is refused when it is sent as a new one', () => {
    expect(parseWith(schema, stored)).toMatchObject({ ok: false });
  });

  it('reports lengths together with the other errors of the pass', () => {
    const required = model('Thing', { title: text('title'), note: text('identifier') });
    expect(parseWith(required, { note: long })).toEqual({
      ok: false,
      errors: [
        { location: 'body', name: 'title', description: ['This field is required.'] },
        { location: 'body', name: 'note', description: TOO_LONG },
      ],
    });
  });
});
