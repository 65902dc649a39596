import { awardsApi } from '@procurement/contracts/api/awards.api';
import { describe, expect, it } from 'vitest';
import { makeCodecs } from './codecs-by-segment.ts';
import { withEncodedIgnoredMembers } from './ignored-members.ts';

describe('withEncodedIgnoredMembers', () => {
  it('names members of an award as segment 2.3 does', () => {
    const codec = makeCodecs('https://api.example.org')('2.3');
    const headers = { etag: '"x"', 'ignored-members': '/value/amount, /suppliers, /date' };
    const encoded = withEncodedIgnoredMembers(headers, codec, { route: awardsApi.patchAward, query: '' });
    expect(encoded).toEqual({ etag: '"x"', 'ignored-members': '/awardValue/amount, /suppliers, /awardDate' });
  });
});
