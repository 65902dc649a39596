import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from './yaml.ts';

/** Versions of YAML: the one that is written, and that of older readers, in which `no`, 1_000 and 12:30:00 are no texts. */
const VERSIONS = ['1.1', '1.2'] as const;

describe('writeYaml', () => {
  it.each([
    'no',
    'Null',
    '1e5',
    '1234e567',
    '0x1F',
    '12:30:00',
    '2017-02-16',
    '- item',
    'a: b',
    'a #b',
    "it's",
    'say "no"',
    'ends ',
    'ends:',
    'two\nlines',
    '=',
    '<<',
    '~',
    '',
    '*anchor',
    'ТОВ «Папір»',
    'del \u007F nel \u0085 bom \uFEFF',
    'e_1',
    'ya,ml',
  ])('writes the text %j so that both versions and another library read it back', (text) => {
    const document = { id: text, name: text, list: [text] };
    for (const version of VERSIONS) expect(parse(writeYaml(document), { version }), version).toEqual(document);
    expect(load(writeYaml(document)), 'js-yaml').toEqual(document);
  });

  it('is read back as written, whatever the identities of bidders contain', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(fc.string({ minLength: 1 }), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(value, (identity) => {
        const written = writeYaml({ bids: [{ identification: [identity as string] }] });
        const expected = { bids: [{ identification: [identity] }] };
        for (const read of [parse, load]) expect(read(written)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
