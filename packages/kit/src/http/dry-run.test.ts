import { describe, expect, it } from 'vitest';
import { asksForDryRun } from './dry-run.ts';

describe('asksForDryRun', () => {
  it.each(['?opt_dry_run=1', '?x=1&opt_dry_run=true', '?opt_dry_run=0'])('POST /tenders%s', (query) => {
    expect(asksForDryRun('POST', `/tenders${query}`)).toBe(true);
  });

  it.each([
    ['POST', '/tenders'],
    ['POST', '/tenders?opt_dry_run='],
    ['POST', '/tenders?x=opt_dry_run'],
    ['GET', '/tenders?opt_dry_run=1'],
  ])('not %s %s', (method, target) => {
    expect(asksForDryRun(method, target)).toBe(false);
  });
});
