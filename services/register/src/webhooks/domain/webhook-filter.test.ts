import { WebhookFilter } from '@procurement/contracts/resources/webhook';
import { describe, expect, it } from 'vitest';
import { FILTER_PARAMETERS } from '../../requests/domain/filters.ts';
import { readFilter } from './webhook-filter.ts';

describe('readFilter', () => {
  it('has the members of the filters of the stream', () => {
    expect(Object.keys(WebhookFilter.shape)).toEqual(Object.keys(FILTER_PARAMETERS));
  });

  it('reads as the stream does', () => {
    expect(readFilter({ status: ['active', 'complete'], cpv: ['30'], amountFrom: 1.5, mode: 'test', ids: [] })).toEqual(
      {
        filter: {
          status: ['active', 'complete'],
          cpv: [{ from: 30_000_000, to: 31_000_000 }],
          amountFrom: 1.5,
          mode: 'test',
        },
      },
    );
  });

  it('names what it cannot read', () => {
    const filter = { status: ['open'], cpv: ['3'], region: ['a,b'], causes: ['clock'], currency: 'hryvnia' };
    expect(readFilter(filter)).toEqual({ invalid: ['status', 'cpv', 'region', 'currency'] });
  });
});
