import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { RedactionRow } from '@procurement/contracts/events/redactions';
import { ExportManifest } from '@procurement/contracts/resources/export';
import { folderStorage } from '@procurement/kit/files/folder-storage';
import { StorageError, type FileStorage } from '@procurement/kit/files/file-storage';
import { anonymousIdentity } from '@procurement/testing/identity';
import { padId } from '@procurement/testing/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paperTenders } from '../../test-support/paper.ts';
import { exportsCommandDeps, startTestExports, watchedStorage } from '../../test-support/running-exports.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { storeRevisions } from '../../test-support/stored-revisions.ts';
import { packingStore } from '../revisions/packing.store.ts';
import { redactionFiles } from './redaction-files.store.ts';
import { unpackTexts } from '../revisions/text-packs.ts';
import { exportsCommand } from '../exports/exports-command.ts';
import { archivedLines, readChain } from '../exports/read-archive.ts';
import { redactCommand, type RedactDeps } from './redact-command.ts';
import { respondRedactions } from './respond-redactions.ts';
import { redactNextFile } from './redact-files.ts';

// Exports are made and written again: a busy machine is ten times slower.
vi.setConfig({ testTimeout: 120_000 });

const SECRET = '+380501234567';
const OTHER = '+380507654321';
const [TENDER, NEIGHBOUR, GONE] = [padId('a1'), padId('b2'), padId('c3')];
const POINTER = '/questions/0/author/contactPoint';
const REASON = 'order 12';

let running: RunningService;
let folder: string;
let files: FileStorage;

beforeEach(async () => {
  signals = 0;
  folder = mkdtempSync(join(tmpdir(), 'procurement-redaction-'));
  files = folderStorage(folder);
  running = await runningService({ EXPORT_STORE: `folder:${folder}` });
  await publish(TENDER, 1, SECRET);
  await publish(NEIGHBOUR, 1, OTHER);
  await publish(TENDER, 2, SECRET);
  await publish(GONE, 1, SECRET);
  await pack();
  await publish(TENDER, 3, SECRET);
  for (const kind of ['tenders', 'revisions', 'changes']) await exported(kind);
  await publish(GONE, 2, SECRET, false);
  await publish(TENDER, 4, undefined);
});
afterEach(async () => {
  await running.close();
  rmSync(folder, { recursive: true, force: true });
});

let published = 0;

function questions(telephone: string | undefined): object[] {
  const author = { name: 'Олена', ...(telephone === undefined ? {} : { contactPoint: { telephone, name: 'Олена' } }) };
  return [{ id: padId('1'), title: 'Чи є аналоги?', author, date: '2026-04-01T09:00:00+03:00' }];
}

async function publish(id: string, rev: number, telephone: string | undefined, listed = true): Promise<void> {
  published += 1;
  const { mode: _mode, ...paper } = paperTenders[0] ?? {};
  const dateModified = `2026-04-01T09:00:00.${String(published).padStart(6, '0')}+03:00`;
  const tender = { ...paper, id, tenderID: `UA-2026-04-01-0000${id.slice(-2)}`, dateModified };
  const members = { ...tender, description: `revision ${rev}`, questions: questions(telephone) };
  await storeRevisions(running.database.pool, [{ rev, listed, tender: members }]);
}

async function pack(): Promise<number> {
  const { pool } = running.database;
  const packing = packingStore({ pool, log: running.deps.log, waitsForArchive: false });
  return (await packing.packBefore(2n ** 60n)).failedTenders;
}

/** Makes an export until now, and archives it. */
async function exported(kind: string): Promise<void> {
  const { stop } = startTestExports(running, files);
  const print = (): void => undefined;
  expect(await exportsCommand(['run', kind], exportsCommandDeps(running, files), print)).toBe(0);
  await stop();
}

let signals = 0;

function commandDeps(): RedactDeps {
  return { pool: running.database.pool, log: running.deps.log, signalRedacted: () => void (signals += 1) };
}

/** The command, with a service that makes exports. */
async function redact(...args: readonly string[]): Promise<{ code: number; printed: readonly string[] }> {
  const exporting = startTestExports(running, files);
  const printed: string[] = [];
  const code = await redactCommand(args, commandDeps(), (line) => printed.push(line));
  await exporting.stop();
  return { code, printed };
}

const asked = (...more: readonly string[]): readonly string[] => [
  TENDER,
  '--pointer',
  POINTER,
  '--reason',
  REASON,
  ...more,
];

/** Where a text is: tables of a dump of the database, packs and stored files. */
async function findPlaces(text: string): Promise<readonly string[]> {
  const { pool } = running.database;
  const places: string[] = [];
  const tables = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables.rows) {
    const { rowCount } = await pool.query(`SELECT FROM "${name}" AS row WHERE strpos(row::text, $1) > 0`, [text]);
    if (rowCount !== 0) places.push(name);
  }
  for (const { pack: packed } of (await pool.query<{ pack: Buffer }>('SELECT pack FROM revision_pack')).rows) {
    if ((await unpackTexts(packed)).some((one) => one.text.includes(text))) places.push('a pack');
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    const content = entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    if (content.includes(text)) places.push(entry.name.replace(/-.*/, ' file'));
  }
  return [...new Set(places)].toSorted();
}

interface RevisionRow {
  readonly position: string;
  readonly flags: number;
}

async function revisions(): Promise<readonly RevisionRow[]> {
  const columns = 'position, id, rev, previous_of_tender, listed, causes, changed, void';
  return (await running.database.pool.query<RevisionRow>(`SELECT ${columns}, flags FROM revision ORDER BY position`))
    .rows;
}

async function manifests(): Promise<readonly ExportManifest[]> {
  const { data } = (await running.get('/exports')).json();
  const names = data.map(({ name }: { name: string }) => name).toSorted();
  return Promise.all(
    names.map(async (name: string) => ExportManifest.parse((await running.get(`/exports/${name}`)).json().data)),
  );
}

const pathOf = (url: string): string => new URL(url).pathname.replace('/api/2.5', '');

describe('redact', () => {
  it('leaves no trace of a member in the database, in packs and in files, and nothing else differs (A47)', async () => {
    const before = { rows: await revisions(), manifests: await manifests(), others: await findPlaces(OTHER) };
    expect(await findPlaces(SECRET)).toEqual(
      ['a pack', 'changes file', 'revision_text', 'revisions file', 'tender_body', 'tenders file'].toSorted(),
    );
    const { code, printed } = await redact(...asked());
    expect([code, printed]).toEqual([
      0,
      [
        '3 revisions redacted',
        'waiting for the service to write files of exports again',
        'no file of an export has it',
      ],
    ]);
    expect((await redact(GONE, '--pointer', POINTER, '--reason', REASON)).code).toBe(0);
    expect(await findPlaces(SECRET)).toEqual([]);
    expect(await findPlaces(OTHER)).toEqual(before.others);
    const after = await revisions();
    expect(after.map(({ flags: _flags, ...row }) => row)).toEqual(before.rows.map(({ flags: _flags, ...row }) => row));
    expect(after.map(({ flags }) => flags)).toEqual([8, 0, 8, 8, 8, 0, 0]);
    await expectReadable(before.manifests);
  });

  /** History, packs, checksums and the archive, after both tenders were redacted. */
  async function expectReadable(before: readonly ExportManifest[]): Promise<void> {
    const history = await running.get(`/tenders/${TENDER}/history?diff=1`);
    expect(history.json().data.map((entry: { redacted?: boolean }) => entry.redacted)).toEqual([
      true,
      true,
      true,
      undefined,
    ]);
    for (const rev of [1, 2, 3]) {
      const answer = await running.get(`/tenders/${TENDER}/history/${rev}`);
      expect(answer.json().data).toMatchObject({ description: `revision ${rev}`, questions: questions(undefined) });
    }
    const { rows } = await running.database.pool.query(
      'SELECT text, digest, bytes FROM revision_text JOIN revision USING (position)',
    );
    for (const { text, digest, bytes } of rows) {
      expect(createHash('sha256').update(text).digest().subarray(0, 16).equals(digest)).toBe(true);
      expect(bytes).toBe(Buffer.byteLength(text));
    }
    expect(await pack()).toBe(0);
    const now = await manifests();
    for (const [n, manifest] of now.entries()) {
      // Each of the two redactions was in it.
      expect([manifest.name, manifest.version, manifest.redacted]).toEqual([before[n]?.name, 3, true]);
      expect([manifest.lines, manifest.position]).toEqual([before[n]?.lines, before[n]?.position]);
      for (const { url } of before[n]?.files ?? []) expect((await running.get(pathOf(url))).statusCode).toBe(404);
      for (const { url, sha256, rawBytes } of manifest.files) {
        const { rawPayload } = await running.get(pathOf(url));
        expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(sha256);
        expect(gunzipSync(rawPayload).length).toBe(rawBytes);
      }
      expect(await exportsCommand(['check', manifest.name], exportsCommandDeps(running, files), () => undefined)).toBe(
        0,
      );
    }
    const chain = await readChain(files, 'revisions', () => true);
    const lines: string[] = [];
    for (const file of chain?.manifests.flatMap((one) => one.files) ?? [])
      for await (const line of archivedLines(files, file)) lines.push(line);
    expect(lines.map((line) => JSON.parse(line).redacted)).toEqual([true, undefined, true, true, true]);
  }

  it('goes on wherever it was killed, also between the storage and the database', async () => {
    const { pool } = running.database;
    // The command is killed while it waits.
    const killed = redactCommand(asked(), commandDeps(), (line) => {
      if (line.startsWith('waiting')) throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    const client = await pool.connect();
    let kills = 0;
    const onKill = (): void => {
      kills += 1;
    };
    const [flaky, database] = [killing(files, onKill), killing(redactionFiles(client), onKill)];
    for (let isMore = true; isMore;) {
      try {
        const redaction = await database.next();
        isMore = redaction !== undefined;
        if (redaction === undefined) break;
        if (!(await redactNextFile(flaky, database, redaction))) await database.finish(redaction.id);
      } catch (error) {
        expect(error).toBeInstanceOf(StorageError);
      }
    }
    client.release();
    expect(kills).toBeGreaterThan(20);
    expect((await redact(...asked())).printed).toEqual(['no more revisions redacted', 'no file of an export has it']);
    expect((await redact(GONE, '--pointer', POINTER, '--reason', REASON)).code).toBe(0);
    expect(await findPlaces(SECRET)).toEqual([]);
    for (const { name, version } of await manifests()) {
      expect([name, version]).toEqual([name, 3]);
      expect(await exportsCommand(['check', name], exportsCommandDeps(running, files), () => undefined)).toBe(0);
    }
    expect((await readChain(files, 'revisions', () => true))?.manifests).toHaveLength(1);
  });

  it('reaches a file that was being made of earlier texts', async () => {
    const { pool } = running.database;
    expect((await redact(GONE, '--pointer', POINTER, '--reason', REASON)).code).toBe(0);
    const watched = watchedStorage(folder);
    let [isBegun, release] = [false, (): void => undefined];
    const blocked = new Promise<void>((resolve) => (release = resolve));
    // The first page of the file was read.
    watched.beforePut(async () => {
      isBegun = true;
      await blocked;
    });
    const exporting = startTestExports(running, watched.storage);
    const made = exportsCommand(['run', 'revisions'], exportsCommandDeps(running, files), () => undefined);
    await waitFor(() => isBegun, { what: 'the file' });
    const redacted = redactCommand(asked(), commandDeps(), () => undefined);
    const rows = async (): Promise<boolean> => (await pool.query('SELECT FROM redaction')).rowCount === 2;
    await waitFor(rows, { what: 'the redaction of the database' });
    watched.beforePut();
    release();
    expect([await made, await redacted]).toEqual([0, 0]);
    await exporting.stop();
    expect(await findPlaces(SECRET)).toEqual([]);
    expect((await manifests()).map(({ redacted: isMarked }) => isMarked)).toEqual([true, true, true, true]);
  });

  it('records who and why, and answers neither', async () => {
    await redact(...asked('--rev', '2..3'));
    const { rows } = await running.database.pool.query(
      'SELECT pointer, first_rev, last_rev, by, reason, files_at FROM redaction',
    );
    expect(rows).toEqual([
      {
        pointer: POINTER,
        first_rev: '2',
        last_rev: '3',
        by: expect.any(String),
        reason: REASON,
        files_at: expect.any(Date),
      },
    ]);
    const audit = await running.database.pool.query('SELECT route, objects FROM kit.audit');
    expect(audit.rows).toEqual([{ route: 'redact', objects: expect.stringContaining(TENDER) }]);
    const answers = await Promise.all(
      [`/tenders/${TENDER}/history`, '/exports'].map(async (path) => running.get(path)),
    );
    expect(answers.map(({ body }) => body).join('')).not.toContain(REASON);
    expect((await revisions()).map(({ flags }) => flags)).toEqual([0, 0, 8, 0, 8, 0, 0]);
  });

  it('tells the ledger digest and length of each text, in pages, and wakes it', async () => {
    const { pool } = running.database;
    await pool.query('UPDATE revision SET void = true WHERE id = $1 AND rev = 2', [TENDER]);
    expect(await told(0)).toEqual([]);
    await redact(...asked());
    expect(signals).toBe(1);
    const rows = await told(0);
    expect(rows).toEqual(await presentTexts([1, 3]));
    expect(await told(rows[0]?.id ?? 0)).toEqual(rows.slice(1));
    expect(await told(0, 1)).toEqual(rows.slice(0, 1));
    // A second member of the same text: its last row has the present digest.
    await redact(TENDER, '--pointer', '/questions/0/author/name', '--rev', '1..1', '--reason', REASON);
    const [last] = await told(rows.at(-1)?.id ?? 0);
    const [present] = await presentTexts([1]);
    expect(last).toEqual({ ...present, member: '/questions/0/author/name' });
  });

  it('tells when it is repeated what came again without the member, after a restore of the owner', async () => {
    await redact(...asked());
    const rows = await told(0);
    await comeAgain();
    expect((await redact(...asked())).printed[0]).toBe('no more revisions redacted');
    const again = await told(0);
    expect(again.map(({ id: _id, ...row }) => row)).toEqual(rows.map(({ id: _id, ...row }) => row));
    expect((await redact(...asked())).code).toBe(0);
    expect(await told(0)).toEqual(again);
  });

  it('tells each of two members that came again removed, and none that was never removed', async () => {
    const name = [TENDER, '--pointer', '/questions/0/author/name', '--rev', '3..3', '--reason', REASON];
    await redact(...asked());
    await redact(...name);
    await comeAgain();
    const before = await told(0);
    const mistyped = await redact(TENDER, '--pointer', `${POINTER}s`, '--reason', REASON);
    expect([mistyped.code, await told(0)]).toEqual([1, before]);
    await redact(...asked());
    await redact(...name);
    const after = await told(before.at(-1)?.id ?? 0);
    const present = (await presentTexts([3])).at(-1);
    expect(after).toEqual([present, { ...present, member: '/questions/0/author/name' }]);
  });

  /** As when the owner was restored: there is a former revision 3, and what was told of it is of that. */
  async function comeAgain(): Promise<void> {
    const { pool } = running.database;
    await pool.query('DELETE FROM redaction_text WHERE rev = 3');
    await pool.query(
      `INSERT INTO revision SELECT former.* FROM revision,
         jsonb_populate_record(revision, jsonb_build_object('position', position - 100, 'void', true)) AS former
       WHERE revision.id = $1 AND revision.rev = 3`,
      [TENDER],
    );
  }

  /** What the ledger is answered. */
  async function told(after: number, rowsMax = 1_000): Promise<readonly RedactionRow[]> {
    const lines = await respondRedactions(running.database.pool)({ after, rowsMax });
    return lines.map((line) => RedactionRow.parse(JSON.parse(line)));
  }

  /** The texts of revisions as they are stored now, in the form of an answer. */
  async function presentTexts(revs: readonly number[]): Promise<readonly object[]> {
    const { pool } = running.database;
    const { rows } = await pool.query(
      'SELECT rev, position::text, digest, bytes FROM revision WHERE id = $1 AND rev = ANY($2) ORDER BY position',
      [TENDER, revs],
    );
    return rows.map(({ rev, position, digest, bytes }) => ({
      id: expect.any(Number),
      tender: TENDER,
      rev: Number(rev),
      position,
      member: POINTER,
      sha256: expect.stringMatching(new RegExp(`^${digest.toString('hex')}`)),
      bytes,
    }));
  }

  it('has another ETag than the text before, so that a copy of that is not taken for it', async () => {
    const path = `/tenders/${TENDER}/history/1`;
    const { etag } = (await running.get(path)).headers;
    expect(etag).toBe('"1-2.5"');
    await redact(...asked());
    const again = async (tag: string) =>
      running.app.inject({ url: path, headers: { ...anonymousIdentity(), 'if-none-match': tag } });
    const answer = await again('"1-2.5"');
    expect([answer.statusCode, answer.json().revision.redacted]).toEqual([200, true]);
    const exact = await running.get(`${path}?exact=1`);
    expect(exact.headers.etag).toMatch(/^"1-[0-9a-f]{8}-2\.5-exact"$/);
    expect(exact.json().data.questions).toEqual(questions(undefined));
    const newTag = String(answer.headers.etag);
    expect(newTag).toMatch(/^"1-[0-9a-f]{8}-2\.5"$/);
    expect((await again(newTag)).statusCode).toBe(304);
  });

  it('removes what filters, lists and searches made of a member', async () => {
    const buyer = '/procuringEntity/identifier';
    expect((await redact(GONE, '--pointer', buyer, '--reason', REASON)).code).toBe(0);
    const { rows } = await running.database.pool.query(
      `SELECT revision.buyer AS revision, tender.buyer AS tender FROM revision JOIN tender USING (id)
        WHERE id = $1 AND revision.listed`,
      [GONE],
    );
    expect(rows).toEqual([{ revision: null, tender: null }]);
  });

  it('is refused while the tender still shows the member, and changes nothing', async () => {
    await publish(TENDER, 5, SECRET);
    const before = await revisions();
    const { code, printed } = await redact(...asked());
    expect([code, printed.join()]).toEqual([1, expect.stringContaining('the tender still shows it in revision 5')]);
    expect(await revisions()).toEqual(before);
    expect(await findPlaces(REASON)).toEqual([]);
    expect((await redact(...asked('--rev', '1..4'))).code).toBe(0);
  });

  it('changes nothing for wrong arguments, and where there is no such tender or member', async () => {
    const before = await revisions();
    const refused: readonly (readonly [readonly string[], number])[] = [
      [['x', '--pointer', POINTER, '--reason', REASON], 2],
      [[TENDER, '--pointer', '/id', '--reason', REASON], 2],
      [[TENDER, '--pointer', `/${'ї'.repeat(600)}`, '--reason', REASON], 2],
      [[TENDER, '--pointer', POINTER], 2],
      [asked('--rev', '3..2'), 2],
      [[padId('dd'), '--pointer', POINTER, '--reason', REASON], 1],
      [[TENDER, '--pointer', '/questions/7/title', '--reason', REASON], 1],
    ];
    for (const [args, expected] of refused) expect([args, (await redact(...args)).code]).toEqual([args, expected]);
    expect(await revisions()).toEqual(before);
    expect(await findPlaces(REASON)).toEqual([]);
  });
});

/** Each function fails before its effect when it is called first with these arguments, and after it the second time. */
function killing<T extends object>(subject: T, onKill: () => void): T {
  const calls = new Map<string, number>();
  return new Proxy(subject, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]) => {
        const call = `${String(name)} ${String(args[0])} ${JSON.stringify(args[1]) ?? ''}`;
        const n = (calls.get(call) ?? 0) + 1;
        calls.set(call, n);
        if (n === 1) {
          onKill();
          throw new StorageError('killed before');
        }
        const result: unknown = await Reflect.apply(method, target, args);
        if (n === 2) {
          onKill();
          throw new StorageError('killed after');
        }
        return result;
      };
    },
  });
}
