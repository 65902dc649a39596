import { freshBus, type TestBus } from '@procurement/testing/bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenderId } from '../../test-support/fake-owner.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { followDetails, followUnready } from './follow-health.ts';
import { verify } from './verify.ts';

let server: TestBus;
let register: RunningRegister;

beforeAll(async () => {
  server = await freshBus();
  register = await runningRegister(server);
});

afterAll(async () => {
  await register.close();
  await server.stop();
});

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const { bus, log, database } = register;
  const code = await verify(args, { bus, log, pool: database.pool, print: (line) => lines.push(line) });
  return { code, lines };
}

async function change(statement: string): Promise<void> {
  await register.database.pool.query(statement);
}

describe('readiness', () => {
  it('is red before the back-fill, and while publications are applied late', async () => {
    const { database, owner } = register;
    expect(await followUnready(database.pool)).toContain('not begun');
    expect(await run()).toEqual({ code: 1, lines: ['the back-fill has not ended'] });
    for (let n = 1; n <= 5; n += 1) owner.publish(tenderId(n));
    register.follow();
    await register.caughtUp();
    expect([await followUnready(database.pool), await followDetails(database.pool)]).toEqual([undefined, []]);
    await change('UPDATE follow SET head = position + 1');
    // The positions of the fake owner are of another day.
    expect(await followUnready(database.pool)).toMatch(/^publications are applied \d+ s late$/);
    await change("UPDATE follow SET head = position, heard_at = now() - interval '2 minutes'");
    expect(await followUnready(database.pool)).toBeUndefined();
    expect(await followDetails(database.pool)).toMatchObject([{ kind: 'follower', oldestSeconds: expect.any(Number) }]);
  });
});

describe('verify', () => {
  it('finds no difference, also where a tender has moved on', async () => {
    register.owner.publish(tenderId(2));
    expect(await run()).toEqual({ code: 0, lines: [expect.stringContaining('no difference')] });
  });

  it('reads a day again in which a tender is missing, and is content then', async () => {
    await change(`DELETE FROM tender WHERE id = '${tenderId(3)}'`);
    const { code, lines } = await run();
    expect([code, lines]).toEqual([
      0,
      ['2026-05-21: the owner has 5 tenders, here are 4', '2026-05-21: read again', '2 ranges: no difference'],
    ]);
  });

  it('reports a difference that it cannot repair', async () => {
    await change(`UPDATE tender SET rev = rev + 1 WHERE id = '${tenderId(4)}'`);
    const { code, lines } = await run('--from', '2026-05-01T00:00:00Z');
    expect([code, lines.at(-1)]).toEqual([1, '2 ranges: 1 differ']);
    expect((await run('--to', '2026-05-01T00:00:00Z')).code).toBe(0);
  });

  it('refuses times that it cannot read', async () => {
    expect((await run('--from', 'yesterday')).code).toBe(2);
    expect((await run('--since', '2026-05-01')).code).toBe(2);
  });
});
