import { describe, expect, it } from 'vitest';
import { doubleDeps } from '../../test-support/api-double.ts';
import { usePage, withPage, type PageInfo } from './page-context.ts';

const SITE = doubleDeps(() => undefined).siteOf({ own: 'https://portal.example', api: 'https://api.example' }, false);
const pageAt = (path: string): PageInfo => ({ lang: 'uk', path, nowMs: 0, site: SITE, onUnread: () => undefined });
const pathNow = (): string => usePage().path;

describe('usePage', () => {
  it('is the page that is rendered, and the outer one again after a page in it, also one that failed', () => {
    const inner = pageAt('/inner');
    const paths = withPage(pageAt('/outer'), () => {
      const first = [pathNow(), withPage(inner, pathNow), pathNow()];
      const fail = (): never => {
        throw new Error('no page');
      };
      expect(() => withPage(inner, fail)).toThrow('no page');
      return [...first, pathNow()];
    });
    expect(paths).toEqual(['/outer', '/inner', '/outer', '/outer']);
  });

  it('has no page outside of one', () => {
    expect(pathNow).toThrow('a part stands outside of a page');
  });
});
