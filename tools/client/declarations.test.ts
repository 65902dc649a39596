import { describe, expect, it } from 'vitest';
import { writeDeclarations } from './declarations.ts';

describe('writeDeclarations', () => {
  it('declares objects, lists, enumerations, references and open objects', () => {
    const text = writeDeclarations({
      Lot: {
        type: 'object',
        description: 'A part.',
        properties: {
          id: { type: 'string' },
          status: { enum: ['active', 'cancelled'] },
          values: { type: 'array', items: { $ref: '#/components/schemas/Value' } },
          ignored: { readOnly: true, description: 'Changed through its own endpoints' },
        },
        required: ['id'],
        additionalProperties: {},
      },
      ClockMove: { anyOf: [{ type: 'object', properties: { to: { const: 'next' } }, required: ['to'] }] },
      Empty: { type: 'object', properties: {} },
    });
    expect(text).toBe(`export type ClockMove = {
  readonly to: 'next';
};

export type Empty = Readonly<Record<string, never>>;

/** A part. */
export interface Lot {
  readonly id: string;
  readonly status?: 'active' | 'cancelled';
  readonly values?: readonly (Value)[];
  readonly [member: string]: unknown;
}
`);
  });

  it('lets a PATCH remove a member', () => {
    const LotPatch = { type: 'object', properties: { title: { type: 'string' }, place: {} } };
    expect(writeDeclarations({ LotPatch })).toBe(
      'export interface LotPatch {\n  readonly title?: string | null;\n  readonly place?: unknown;\n}\n',
    );
  });
});
