import { describe, expect, it } from 'vitest';
import { outlineOf } from './redact-event.ts';

const ID = '5d1f0a7be4f24c0f9a5f7b1c2d3e4f50';

describe('outlineOf', () => {
  it('shows ids, statuses and versions, and of everything else the kind', () => {
    const data = {
      id: ID,
      tenderId: ID,
      status: 'active.tendering',
      version: 7,
      amount: 400,
      title: 'Папір',
      at: null,
    };
    expect(outlineOf(data)).toEqual({
      ...data,
      amount: 'number',
      title: 'text of 5 characters',
    });
  });

  it('shows neither hashes of tokens, nor who bids, nor a sealed amount', () => {
    const secrets = {
      tokenHash: 'a'.repeat(64),
      token: ID,
      tenderers: [{ name: 'ТОВ', identifier: { scheme: 'UA-EDR', id: '00137256' } }],
      value: { amount: 450, valueAddedTaxIncluded: true },
    };
    const text = JSON.stringify(outlineOf(secrets));
    for (const value of ['aaaa', ID, 'ТОВ', '00137256', '450', 'true']) expect(text).not.toContain(value);
  });

  it('counts the elements of a long list', () => {
    expect(outlineOf([1, 2, 3, 4, 5])).toEqual(['number', 'number', 'number', '2 more']);
  });
});
