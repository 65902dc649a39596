import { describe, expect, it } from 'vitest';
import { numbered } from './facts-statement.ts';

describe('numbered', () => {
  it('numbers the parameters of a part behind those before it, and leaves casts as they are', () => {
    const values: unknown[] = ['a', 'b'];
    const text = numbered({ text: 'unnest(:1::text[], :2::bigint[]) WHERE x = :1', values: ['c', 'd'] }, values);
    expect([text, values]).toEqual(['unnest($3::text[], $4::bigint[]) WHERE x = $3', ['a', 'b', 'c', 'd']]);
  });
});
