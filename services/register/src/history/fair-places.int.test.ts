import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paperTenders } from '../../test-support/paper.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { indexAll } from '../../test-support/index-all.ts';

let running: RunningService;
const ID = String(paperTenders[0]?.['id']);

beforeAll(async () => {
  running = await runningService();
  const publications = paperTenders.map((tender, n) => ({ rev: n + 1, tender }));
  await storeRevisions(running.database.pool, publications);
  await setPosition(running.database.pool, 1_775_000_000_000_000n);
  await indexAll(running.deps);
});
afterAll(async () => {
  await running.close();
});

describe('places of the register', () => {
  it.each([
    ['searches', '/search?limit=1&mode=_all_', 4, 32],
    ['largeAnswers', `/lookup?ids=${ID}&expand=1`, 1, 16],
  ] as const)(
    'of %s are refused to the client that fills them with 503, and to nobody else',
    async (name, url, places, waiting) => {
      let free = (): void => undefined;
      const freed = new Promise<void>((resolve) => (free = resolve));
      const held = Array.from({ length: places + waiting }, async () =>
        running.deps[name].run('flood', async () => freed).catch(() => undefined),
      );
      const refused = await running.get(url, 'flood');
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
      expect((await running.get(url, 'honest')).statusCode).toBe(200);
      free();
      await Promise.all(held);
      expect((await running.get(url, 'flood')).statusCode).toBe(200);
    },
  );

  it('compare texts in a thread once, and tell the gateway how much', async () => {
    const url = `/tenders/${ID}/history?diff=1`;
    const first = await running.get(url, 'one');
    expect(Number(first.headers['x-work-bytes'])).toBeGreaterThan(1_000);
    const again = await running.get(url, 'two');
    expect([again.headers['x-work-bytes'], again.body]).toEqual([undefined, first.body]);
    const changes = await running.get(`/tenders/${ID}/history/2/changes`, 'three');
    expect([changes.statusCode, changes.headers['x-work-bytes']]).toEqual([200, '0']);
  });
});
