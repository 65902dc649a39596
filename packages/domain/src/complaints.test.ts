import { describe, expect, it } from 'vitest';
import { nextComplaintNumber } from './complaints.ts';

describe('nextComplaintNumber (tenders.md 7.1)', () => {
  it.each([
    ['', 0, 'UA-2026-05-04-000001.1'],
    ['', 9, 'UA-2026-05-04-000001.10'],
    ['s', 2, 'UA-2026-05-04-000001.s3'],
  ])('server %j, %d complaints before', (serverId, count, number) => {
    expect(nextComplaintNumber('UA-2026-05-04-000001', serverId, count)).toBe(number);
  });
});
