import { readFileSync } from 'node:fs';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { secondsText } from '@procurement/domain/feed-offset';
import { describe, expect, it } from 'vitest';
import { createAwarded } from '../../test-support/awarding-fixtures.ts';
import { anonymousHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';

/** A case of docs/spec/contracting/feed.json. */
interface FeedCase {
  readonly request: string;
  readonly rows?: readonly string[];
  readonly next?: string;
  readonly prev?: string | null;
  readonly path?: string;
  readonly members?: readonly string[];
  readonly rowsAtMost?: number;
  readonly status?: number;
  readonly errors?: readonly object[];
}

const FIXTURE = new URL('../../../../docs/spec/contracting/feed.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { readonly cases: readonly FeedCase[] };

const running = setupAwards();

async function page(url: string) {
  return send(running().app, 'GET', url, anonymousHeaders);
}

describe('GET /contracts', () => {
  it('answers as docs/spec/contracting/feed.json says', async () => {
    const ids = new Map<string, string>();
    for (const [name, mode] of [
      ['a', undefined],
      ['b', 'test'],
      ['c', undefined],
    ] as const) {
      const { contract } = await createAwarded(running(), mode === undefined ? {} : { mode });
      ids.set(name, contract.id);
    }
    const rows: readonly { id: string; dateModified: string }[] = (await page('/contracts?mode=_all_')).json().data;
    const formatPosition = (name: string): string => {
      const row = rows.find(({ id }) => id === ids.get(name));
      return secondsText(BigInt(parseInstant(row?.dateModified ?? '')));
    };
    const filled = (text: string): string =>
      text.replaceAll(/P\((\w)\)/g, (_all, name: string) => formatPosition(name));
    expect(cases.length).toBeGreaterThan(10);
    for (const one of cases) {
      const answer = await page(filled(one.request));
      expect(answer.statusCode, one.request).toBe(one.status ?? 200);
      const body = answer.json();
      if (one.errors !== undefined) expect(body.errors, one.request).toMatchObject(one.errors);
      if (one.rows !== undefined) {
        const shown: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
        expect(shown, one.request).toEqual(one.rows.map((name) => ids.get(name)));
      }
      if (one.next !== undefined) expect(body.next_page.offset, one.request).toBe(filled(one.next));
      if (one.prev !== undefined)
        expect(body.prev_page?.offset ?? null, one.request).toBe(one.prev === null ? null : filled(one.prev));
      if (one.path !== undefined) expect(body.next_page.path, one.request).toBe(filled(one.path));
      if (one.members !== undefined)
        for (const row of body.data) expect(one.members, one.request).toEqual(expect.arrayContaining(Object.keys(row)));
      if (one.rowsAtMost !== undefined) expect(body.data.length).toBeLessThanOrEqual(one.rowsAtMost);
    }
  });
});
