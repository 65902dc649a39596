import { describe, expect, it } from 'vitest';
import { formatInstant, isInstant } from './instant.ts';

describe('an instant', () => {
  it('has its offset in the hour that comes twice, on both sides, and in no other', () => {
    const shown = ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z'].map(
      (iso) => formatInstant(iso, 'en').replace('\u00a0', ' '),
    );
    expect(shown).toEqual([
      '25 October 2026, 02:30',
      '25 October 2026, 03:30 (UTC+3)',
      '25 October 2026, 03:30 (UTC+2)',
      '25 October 2026, 04:30',
    ]);
  });

  it('can be shown, or is none, at the ends of what Date holds', () => {
    for (const iso of [
      '+275760-09-12T12:00:00Z',
      '+275760-09-13T00:00:00Z',
      '-271821-04-20T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ])
      if (isInstant(iso)) expect(formatInstant(iso, 'uk')).not.toBe('');
    expect(isInstant('9999-12-31T23:59:59Z')).toBe(true);
    expect(isInstant('no date')).toBe(false);
  });
});
