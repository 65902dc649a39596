import { join } from 'node:path';
import { makeLog } from '@procurement/kit/runtime/log';
import { fixedClock } from '@procurement/testing/clock';
import { ApiAwayError, type Answer } from '../src/api/read-api.ts';
import { config } from '../src/config.ts';
import { makeDeps, type Deps } from '../src/deps.ts';

/** The instant of every page of the double: 25 November 2026, 12:00 in Kyiv. */
export const NOW = '2026-11-25T12:00:00+02:00';

/** What the double answers for a path with its query; undefined: 404. A function of the search decides by its parameters. */
export type DoubleAnswer = { readonly status?: number; readonly body: object } | 'away';
export type DoubleApi = (path: string, query: URLSearchParams) => DoubleAnswer | undefined;

/** Dependencies of a portal whose API gives fixed answers, at a fixed time. `calls` has the paths that were asked, in order. */
export function doubleDeps(
  api: DoubleApi,
  { isSandbox = false, now = NOW, publicUrl = 'https://portal.example' } = {},
): Deps & { readonly calls: readonly string[] } {
  const settings = config({
    API_URL: 'http://api.example',
    API_PUBLIC_URL: 'https://api.example',
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'fatal',
  });
  // Its own program stands for the release.
  process.argv[1] ??= join(import.meta.dirname, 'api-double.ts');
  const calls: string[] = [];
  return {
    ...makeDeps(settings, makeLog('portal', settings.LOG_LEVEL)),
    clock: fixedClock(now),
    calls,
    readApi: async (path): Promise<Answer> => {
      calls.push(path);
      const url = new URL(path, 'http://api.example');
      const answer = path === '/health' ? { body: { data: {} } } : api(url.pathname, url.searchParams);
      if (answer === 'away') throw new ApiAwayError('the double is away');
      const { status = 200, body } = answer ?? { status: 404, body: { errors: [] } };
      return { status, body, tag: path, isSandbox };
    },
  };
}
