import { readFile } from 'node:fs/promises';
import { TEXT_BYTES_MAX } from '@procurement/contracts/events/publications';
import { waitFor } from '@procurement/testing/wait-for';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tenderId, type LoggedPublication } from '../../test-support/fake-owner.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import { readFollow } from './follow.store.ts';
import { redactRevisions } from '../redaction/redaction.store.ts';
import { verify } from './verify.ts';

let server: TestBus;
let register: RunningRegister;

beforeAll(async () => {
  server = await freshBus();
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  register = await runningRegister(server);
});

afterEach(async () => {
  await register.close();
});

const REVISIONS = `SELECT position::bigint, replace(id::text, '-', '') AS id, rev, listed, is_test, void, flags, changed, text
  FROM revision LEFT JOIN revision_text USING (position) ORDER BY position`;

interface RevisionRow {
  readonly position: string;
  readonly id: string;
  readonly rev: string;
  readonly listed: boolean;
  readonly void: boolean;
  readonly flags: number;
  readonly changed: readonly string[] | null;
  readonly text: string | null;
}

async function revisions(): Promise<readonly RevisionRow[]> {
  return (await register.database.pool.query<RevisionRow>(REVISIONS)).rows;
}

async function tenders(): Promise<
  readonly { id: string; rev: string; listed: boolean; complete: boolean; body: string }[]
> {
  const { rows } = await register.database.pool.query(
    `SELECT replace(tender.id::text, '-', '') AS id, rev, listed, complete, title, status, body FROM tender
     LEFT JOIN tender_body ON tender_body.id = tender.id ORDER BY tender.id`,
  );
  return rows;
}

/** Promise R1 (register.md 2.9): the listed revisions are the listed publications, in order, byte for byte. */
async function expectEqualLogs(publications: readonly LoggedPublication[]): Promise<void> {
  const stored = (await revisions()).filter((row) => row.listed && !row.void);
  const expected = publications.filter(({ listed }) => listed);
  expect(stored.map(({ position, id, rev, text }) => [Number(position), id, Number(rev), text])).toEqual(
    expected.map(({ position, id, rev, text }) => [position, id, rev, text]),
  );
}

/** Promise R2: the newest text of each listed tender. */
async function expectEqualViews(): Promise<void> {
  const listed = (await tenders()).filter((row) => row.listed);
  const views = register.owner.views().filter((view) => view.listed);
  expect(new Map(listed.map(({ id, body }) => [id, body]))).toEqual(new Map(views.map(({ id, text }) => [id, text])));
}

describe('the follower', () => {
  it('applies publications in order, and stores what changed', async () => {
    const { owner } = register;
    register.follow();
    await register.caughtUp();
    owner.publish(tenderId(1), { members: { title: 'one' } });
    owner.publish(tenderId(2));
    await register.caughtUp();
    owner.publish(tenderId(1), { members: { title: 'two', value: { amount: 5 } } });
    await register.caughtUp();
    await expectEqualLogs(owner.log);
    await expectEqualViews();
    expect((await revisions()).map(({ changed }) => changed)).toEqual([null, null, ['title', 'value']]);
    expect((await tenders()).map(({ complete }) => complete)).toEqual([true, true]);
  });

  it('keeps drafts out, and takes out what is no longer listed (A5)', async () => {
    const { owner } = register;
    register.follow();
    owner.publish(tenderId(1), { listed: false });
    await register.caughtUp();
    expect([await revisions(), await tenders()]).toEqual([[], []]);
    owner.publish(tenderId(1));
    owner.publish(tenderId(1), { listed: false, test: true });
    await register.caughtUp();
    expect((await revisions()).map(({ rev, listed, text }) => [rev, listed, text !== null])).toEqual([
      ['2', true, true],
      ['3', false, false],
    ]);
    expect(await tenders()).toMatchObject([{ rev: '3', listed: false, complete: true }]);
  });

  it('stops before a publication that is missing, reports it, and goes on when it is there (A4)', async () => {
    const { owner, metrics, database } = register;
    const follower = register.follow();
    const first = owner.publish(tenderId(1));
    await register.caughtUp();
    const missing = owner.publish(tenderId(2));
    owner.log.pop();
    owner.publish(tenderId(3));
    await waitFor(() => follower.problems().length > 0, { what: 'the problem' });
    expect(follower.problems()).toMatchObject([{ kind: 'follower', text: expect.stringContaining('gap') }]);
    expect(await metrics.registry.metrics()).toMatch(/register_gap_total\{[^}]*\} [1-9]/);
    expect((await readFollow(database.pool))?.position).toBe(first.position);
    await expectEqualLogs([first]);
    owner.log.splice(1, 0, missing);
    await waitFor(async () => (await tenders()).length === 3, { what: 'the rest' });
    await expectEqualLogs(owner.log);
    expect(follower.problems()).toEqual([]);
  });

  it('stores what it cannot read, and what the database refuses, and goes on', async () => {
    const { owner } = register;
    register.follow();
    await register.caughtUp();
    owner.publish(tenderId(1), { members: { title: 'before' } });
    owner.publish(tenderId(2));
    owner.publish(tenderId(1), { text: '{"data":' });
    owner.publish(tenderId(3), { members: { numberOfBids: 1e15 } });
    owner.publish(tenderId(4), { members: { title: 'a\0b\ud800' } });
    await register.caughtUp();
    await expectEqualLogs(owner.log);
    const { unread } = REVISION_FLAGS;
    expect((await revisions()).map(({ flags }) => flags & unread)).toEqual([0, 0, unread, unread, 0]);
    expect(await tenders()).toMatchObject([
      { title: 'before', rev: '2' },
      {},
      { status: '' },
      { title: 'a\ufffdb\ufffd' },
    ]);
    const { rows } = await register.database.pool.query('SELECT subject FROM kit.dead_letter ORDER BY id');
    expect(rows).toHaveLength(2);
  });

  it('indexes the newest readable text of each tender of a page, also when the database refuses one', async () => {
    const { owner } = register;
    register.follow();
    await register.caughtUp();
    owner.publish(tenderId(1), { members: { title: 'first' } });
    owner.publish(tenderId(1), { members: { title: 'second' } });
    owner.publish(tenderId(1), { text: '{"data":' });
    owner.publish(tenderId(2), { members: { title: 'third' } });
    owner.publish(tenderId(2), { members: { title: 'fourth', numberOfBids: 1e15 } });
    await register.caughtUp();
    const { rows } = await register.database.pool.query<{ word: string }>('SELECT word FROM word ORDER BY word');
    const words = new Set(rows.map(({ word }) => word));
    const titles = ['first', 'second', 'third', 'fourth'];
    expect(titles.filter((title) => words.has(title))).toEqual(['second', 'third']);
  });

  it('reads a text that is larger than a line in parts (A7)', async () => {
    const { owner } = register;
    register.follow();
    owner.publish(tenderId(1), { members: { description: 'ї'.repeat(TEXT_BYTES_MAX / 2) } });
    await register.caughtUp();
    await expectEqualViews();
    expect(owner.questions.filter((question) => 'part' in question)).toHaveLength(2);
  });

  it('leaves publications to one process, and to another when that one ends', async () => {
    const { owner, database } = register;
    const first = register.follow();
    register.follow();
    for (let n = 1; n <= 20; n += 1) owner.publish(tenderId(n));
    await register.caughtUp();
    await database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'register-follower' AND datname = current_database()",
    );
    for (let n = 1; n <= 20; n += 1) owner.publish(tenderId(n));
    await register.caughtUp();
    await first.stop();
    for (let n = 1; n <= 20; n += 1) owner.publish(tenderId(n));
    await register.caughtUp();
    await expectEqualLogs(owner.log);
  });
});

describe('stop', () => {
  it('does not wait for an owner that is silent', async () => {
    register.owner.beforeAnswer = async () => new Promise(() => undefined);
    const follower = register.follow();
    await waitFor(() => register.owner.questions.length > 0, { what: 'the question' });
    // The question would end by its own time-out: it is the last one.
    const { length } = register.owner.questions;
    await follower.stop();
    expect(register.owner.questions).toHaveLength(length);
  });
});

describe('the back-fill', () => {
  it('lists tenders while they move, is resumed, and agrees with following (A3, R4)', async () => {
    const { owner, database } = register;
    for (let n = 1; n <= 60; n += 1) owner.publish(tenderId(n));
    for (let n = 1; n <= 30; n += 1) owner.publish(tenderId(n));
    owner.purge(70);
    let answered = 0;
    owner.beforeAnswer = () => {
      answered += 1;
      if (answered < 100) owner.publish(tenderId((answered * 7) % 60));
    };
    const page = { rowsMax: 7, bytesMax: 4_000_000 };
    for (const pages of [3, 6]) {
      const follower = register.follow(page);
      await waitFor(() => answered >= pages, { what: 'pages of the listing' });
      await follower.stop();
    }
    expect((await readFollow(database.pool))?.backfill).toBeDefined();
    register.follow(page);
    await waitFor(() => answered >= 100, { what: 'the end of the writers' });
    await register.caughtUp();
    await expectEqualViews();
    const { followedFrom = 0 } = (await readFollow(database.pool)) ?? {};
    const followed = (await revisions()).filter(({ position }) => Number(position) > followedFrom);
    expect(followed.map(({ position, text }) => [Number(position), text])).toEqual(
      owner.log.filter(({ position }) => position > followedFrom).map(({ position, text }) => [position, text]),
    );
    const baselines = (await revisions()).filter(({ flags }) => (flags & REVISION_FLAGS.baseline) !== 0);
    expect(baselines.length).toBeGreaterThan(0);
    expect(baselines.every(({ position }) => Number(position) <= followedFrom)).toBe(true);
  });

  it('lists again what changed while the register was away for longer than the log is kept', async () => {
    const { owner, database } = register;
    const follower = register.follow();
    for (const n of [1, 2, 3]) owner.publish(tenderId(n));
    await register.caughtUp();
    await follower.stop();
    for (const n of [1, 2, 1, 4, 2]) owner.publish(tenderId(n));
    owner.purge(6);
    register.follow();
    await waitFor(async () => (await tenders()).length === 4, { what: 'the new tender' });
    await register.caughtUp();
    await expectEqualViews();
    const { rows } = await database.pool.query(
      'SELECT tender.rev::integer, flags, complete FROM tender JOIN revision USING (position) ORDER BY tender.id',
    );
    const { baseline, folded } = REVISION_FLAGS;
    expect(rows).toEqual([
      { rev: 3, flags: baseline | folded, complete: false },
      { rev: 3, flags: folded, complete: false },
      { rev: 1, flags: 0, complete: true },
      { rev: 1, flags: baseline, complete: true },
    ]);
  });
});

/** Publishes tenders that only the listing has, and one that the log has. */
function publishListed(count: number, members: (n: number) => object = () => ({})): void {
  const { owner } = register;
  for (let n = 1; n <= count; n += 1) owner.publish(tenderId(n), { members: members(n) });
  owner.publish(tenderId(count + 1));
  owner.purge(count);
}

const SMALL_PAGE = { rowsMax: 5, bytesMax: 4_000_000 };

async function expectListed(count: number): Promise<void> {
  await register.caughtUp();
  await expectEqualViews();
  const positions = (await revisions()).map(({ position }) => position);
  expect([positions.length, new Set(positions).size]).toEqual([count + 1, count + 1]);
}

describe('a page of a back-fill', () => {
  it('is asked for again when the owner does not answer', async () => {
    publishListed(30);
    const failing = new Set([3, 4, 7]);
    let asked = 0;
    register.owner.beforeAnswer = (question) => {
      if ('upTo' in question && failing.has((asked += 1))) throw new Error('no answer');
    };
    register.follow(SMALL_PAGE);
    await expectListed(30);
    expect(asked).toBeGreaterThan(7);
  });

  it('is stored once when the lock is lost meanwhile', async () => {
    publishListed(60);
    let asked = 0;
    register.owner.beforeAnswer = async (question) => {
      if (!('upTo' in question) || (asked += 1) % 3 !== 0 || asked > 9) return;
      await register.database.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'register-follower' AND datname = current_database()",
      );
    };
    register.follow(SMALL_PAGE);
    register.follow(SMALL_PAGE);
    await expectListed(60);
    expect(asked).toBeGreaterThan(9);
  });

  it('is stored to the last row when the database refuses one of them', async () => {
    publishListed(20, (n) => (n % 6 === 0 ? { numberOfBids: 1e15 } : {}));
    register.follow(SMALL_PAGE);
    await expectListed(20);
    const unread = (await revisions()).filter(({ flags }) => (flags & REVISION_FLAGS.unread) !== 0);
    expect(unread.map(({ id }) => id)).toEqual([6, 12, 18].map(tenderId));
  });

  it('is taken back when the owner was restored meanwhile', async () => {
    const { owner } = register;
    const published = Array.from({ length: 30 }, (_, n) => owner.publish(tenderId(n + 1)));
    const kept = published[19];
    if (kept === undefined) throw new Error('nothing is published');
    owner.publish(tenderId(31));
    // The log begins after what the restore takes back.
    const log = owner.log.splice(0, 30);
    let asked = 0;
    owner.beforeAnswer = (question) => {
      if (!('upTo' in question) || (asked += 1) !== 5) return;
      owner.log.unshift(...log);
      owner.restore(kept, 2);
      owner.log.splice(0, 19);
      owner.publish(tenderId(40));
    };
    register.follow(SMALL_PAGE);
    await waitFor(() => asked >= 5, { what: 'the restore' });
    await waitFor(async () => (await tenders()).some(({ id }) => id === tenderId(40)), { what: 'the new tender' });
    await register.caughtUp();
    await expectEqualViews();
    const { rows } = await register.database.pool.query('SELECT epoch FROM epoch_void');
    expect(rows).toEqual([{ epoch: 2 }]);
  });
});

describe('a restore of the owner (A6)', () => {
  async function publishAndRestore(epoch?: number): Promise<void> {
    const { owner } = register;
    owner.publish(tenderId(1), { members: { title: 'kept' } });
    const last = owner.publish(tenderId(2));
    await register.caughtUp();
    owner.publish(tenderId(1), { members: { title: 'lost' } });
    owner.publish(tenderId(3));
    await register.caughtUp();
    owner.restore(last, epoch);
  }

  it('takes back what was lost, and follows the new epoch', async () => {
    const { owner, database } = register;
    register.follow();
    await publishAndRestore(2);
    await waitFor(async () => (await tenders()).length === 2, { what: 'the removed tender' });
    expect(await tenders()).toMatchObject([{ title: 'kept', rev: '1' }, {}]);
    owner.publish(tenderId(1), { members: { title: 'new' } });
    await register.caughtUp();
    await expectEqualLogs(owner.log);
    await expectEqualViews();
    expect((await revisions()).filter((row) => row.void)).toHaveLength(2);
    const { rows } = await database.pool.query('SELECT epoch, restored_to::float8, began::float8 FROM epoch_void');
    expect(rows).toEqual(
      owner.epochs.map(({ epoch, restoredTo, began }) => ({ epoch, restored_to: restoredTo, began })),
    );
  });

  it('changes nothing when the owner does not tell of it', async () => {
    const follower = register.follow();
    await publishAndRestore();
    await waitFor(() => follower.problems().length > 0, { what: 'the problem' });
    expect(follower.problems()[0]?.text).toContain('FEED_EPOCH');
    expect(await tenders()).toMatchObject([{ title: 'lost' }, {}, {}]);
  });

  it('lists all tenders again after the statement of the README, when the owner has taken writes meanwhile', async () => {
    const { owner, database } = register;
    const follower = register.follow();
    await publishAndRestore();
    owner.publish(tenderId(4), { members: { title: 'after the restore' } });
    owner.raiseEpoch(2);
    await waitFor(() => follower.problems().some(({ text }) => text?.includes('gap')), { what: 'the gap' });
    await register.stopFollowers();
    await emptyRegister(database.pool);
    register.follow();
    await register.caughtUp();
    await expectEqualViews();
    expect(await tenders()).toMatchObject([{ title: 'kept' }, {}, { title: 'after the restore' }]);
  });
});

/** Runs the statement that the README gives to operators. */
async function emptyRegister(pool: pg.Pool): Promise<void> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, statement = ''] = /```sql\n([^`]*TRUNCATE[^`]*)```/.exec(readme) ?? [];
  await pool.query(statement);
}

describe('a redaction', () => {
  it('is not undone when all publications are read again, and verify finds no difference (A47)', async () => {
    const { owner, database, log, bus } = register;
    const { pool } = database;
    const questions = (author: object): object => ({ questions: [{ title: 'A4?', author }] });
    owner.publish(tenderId(1));
    for (const email of ['private@example.org', 'private@example.org']) {
      owner.publish(tenderId(2), { members: questions({ name: 'A', contactPoint: { email } }) });
      owner.publish(tenderId(3), { members: questions({ name: 'B', contactPoint: { email: 'other@example.org' } }) });
    }
    owner.publish(tenderId(2), { members: questions({ name: 'A' }) });
    register.follow();
    await register.caughtUp();
    const pointer = '/questions/0/author/contactPoint';
    const path = ['questions', '0', 'author', 'contactPoint'];
    const request = { tender: tenderId(2), pointer, path, reason: 'order 12' };
    expect(await redactRevisions({ pool, log }, request)).toMatchObject({ kind: 'redacted', revisions: 2 });
    const redacted = await revisions();
    const lines: string[] = [];
    const check = async (): Promise<number> => verify([], { bus, log, pool, print: (line) => lines.push(line) });
    expect([await check(), lines]).toEqual([0, [expect.stringContaining('no difference')]]);
    await register.stopFollowers();
    await emptyRegister(pool);
    register.follow();
    await register.caughtUp();
    const again = (await revisions()).filter(({ id }) => id === tenderId(2));
    // A member may have changed in the redacted part only.
    const withoutChanges = redacted.filter(({ id }) => id === tenderId(2)).map(({ changed: _changed, ...row }) => row);
    expect(again.map(({ changed: _changed, ...row }) => row)).toEqual(withoutChanges);
    expect(again.map(({ flags, text }) => [flags, text?.includes('private')])).toEqual([
      [REVISION_FLAGS.redacted, false],
      [REVISION_FLAGS.redacted, false],
      [0, false],
    ]);
    const others = (await revisions()).filter(({ id }) => id === tenderId(3));
    expect(others.map(({ text }) => text?.includes('other@example.org'))).toEqual([true, true]);
    await expectEqualViews();
    expect(await check()).toBe(0);
  });
});
