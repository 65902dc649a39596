import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '@procurement/kit/files/file-storage';
import { signCheckpoint } from '@procurement/proof/checkpoints';
import { makeSigner } from '@procurement/proof/notes';
import { waitFor } from '@procurement/testing/wait-for';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachLedger } from '../../test-support/each-ledger.ts';
import { tenderId } from '../../test-support/fake-owners.ts';
import { newKey, ORIGIN, type RunningLedger } from '../../test-support/running-ledger.ts';
import { requireBlindKey } from '../deps.ts';
import { readHead } from '../store/head.store.ts';
import { acceptHole, refill, resume } from './commands.ts';

const running = eachLedger();
let ledger: RunningLedger;

beforeEach(() => {
  ledger = running();
});

const TABLES = ['head', 'leaf', 'open_entry', 'checkpoint', 'cosignature', 'upload'];

/** Keeps the tables, for `rollBack`. */
async function keep(): Promise<void> {
  for (const table of TABLES)
    await ledger.database.pool.query(
      `DROP TABLE IF EXISTS kept_${table}; CREATE TABLE kept_${table} AS TABLE ${table}`,
    );
}

/** The database as it was at `keep`. */
async function rollBack(): Promise<void> {
  for (const table of TABLES)
    await ledger.database.pool.query(`TRUNCATE ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`);
}

async function publish(count: number, from = 0): Promise<void> {
  for (let n = from; n < from + count; n += 1) ledger.owners.publish(tenderId(n));
  await ledger.caughtUp();
}

const file = (path: string): string => join(ledger.folder, 'log', path);

async function expectHalt(text: string): Promise<void> {
  const writer = ledger.write();
  await waitFor(() => writer.problems()[0]?.text?.includes(text), { what: `the halt: ${text}` });
  const { size } = await readHead(ledger.database.pool);
  ledger.owners.publish(tenderId(999));
  // A statement later it would have been logged: the halted writer has been through its pause.
  await waitFor(async () => (await readHead(ledger.database.pool)).halted?.includes(text), {
    what: 'the stored reason',
  });
  expect((await readHead(ledger.database.pool)).size).toBe(size);
}

describe('the start of the log', () => {
  it('refuses another blind key', async () => {
    await expect(requireBlindKey({ ...ledger.deps, blindKey: Buffer.alloc(32, 8) })).rejects.toThrow(
      'LEDGER_BLIND_KEY',
    );
    await requireBlindKey(ledger.deps);
  });

  it('goes on where the process before it ended', async () => {
    await ledger.begun();
    await publish(3);
    await ledger.stopWriters();
    ledger.owners.publish(tenderId(3));
    ledger.write();
    await ledger.caughtUp();
    expect((await ledger.entries()).length).toBe(4);
  });

  it.each([
    [5, 700],
    [300, 512],
    [0, 3],
  ])('takes leaves back from the store when the database is older: %d leaves of %d (T9)', async (kept, size) => {
    await ledger.begun();
    if (kept > 0) await publish(kept);
    const state = ledger.owners.publish(tenderId(5_000));
    await ledger.caughtUp();
    await ledger.stopWriters();
    await keep();
    ledger.write();
    await publish(size - kept, kept);
    ledger.owners.redact(state, '/title');
    await waitFor(async () => (await ledger.checkpoint()).size === size + 2, { what: 'the redaction' });
    const before = (await ledger.get('checkpoint')).body;
    await ledger.stopWriters();
    await rollBack();
    expect((await readHead(ledger.database.pool)).size).toBe(kept + 1);
    ledger.write();
    await waitFor(async () => (await readHead(ledger.database.pool)).published === size + 2, { what: 'the leaves' });
    expect((await ledger.get('checkpoint')).body).toBe(before);
    ledger.owners.publish(tenderId(1));
    await ledger.caughtUp();
    const entries = await ledger.entries();
    expect(entries.map(({ kind }) => kind).filter((kind) => kind === 'redaction')).toHaveLength(1);
    expect(entries.flatMap((entry) => ('number' in entry ? [Number(entry.number)] : []))).toEqual(
      Array.from({ length: size + 2 }, (_, at) => at + 1),
    );
    const { leaves } = (await ledger.get(`tenders/${tenderId(5_000)}`)).json();
    expect(leaves).toMatchObject([{ index: kept, blind: null, redacted: size + 1 }, { kind: 'redaction' }]);
  });

  it('learns the epoch of tenders that its store does not say', async () => {
    ledger.owners.epochs.push({ epoch: 3, restoredTo: 1, began: 2 });
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    await ledger.database.pool.query('UPDATE head SET epoch = NULL');
    ledger.write();
    await publish(1, 2);
    expect((await readHead(ledger.database.pool)).epoch).toBe(3);
  });

  it('halts without the checkpoint that it has published; refill and resume bring it back', async () => {
    await ledger.begun();
    await publish(300);
    await ledger.stopWriters();
    const bundle = readFileSync(file('tile/entries/000'));
    rmSync(join(ledger.folder, 'log'), { recursive: true });
    await expectHalt('no checkpoint');
    const printed: string[] = [];
    const print = (line: string): void => void printed.push(line);
    expect(await resume([], ledger.deps, print)).toBe(1);
    // Entries of full bundles were in the store only.
    expect(await refill([], ledger.deps, print)).toBe(1);
    expect(printed.join()).toContain('missing: tile/entries/000');
    await ledger.deps.files.write('tile/entries/000', bundle);
    expect(await refill([], ledger.deps, print)).toBe(0);
    expect(await refill([], ledger.deps, print)).toBe(1);
    const tile = readFileSync(file('tile/0/000'));
    rmSync(file('tile/0/000'));
    expect(await resume([], ledger.deps, print)).toBe(1);
    expect(printed.at(-1)).toContain('the store has no tile/0/000');
    await ledger.deps.files.write('tile/0/000', tile);
    expect(await resume([], ledger.deps, print)).toBe(0);
    await ledger.caughtUp();
    expect((await ledger.entries()).length).toBe(301);
  });

  it('halts when the store is emptied while it writes, and does not cover that up', async () => {
    const writer = await ledger.begun();
    await publish(3);
    rmSync(join(ledger.folder, 'log'), { recursive: true });
    ledger.owners.publish(tenderId(4));
    await waitFor(() => writer.problems()[0]?.text?.includes('the store has no checkpoint'), { what: 'the halt' });
    expect(existsSync(file('checkpoint'))).toBe(false);
    expect(await readHead(ledger.database.pool)).toMatchObject({ size: 4, published: 3 });
  });

  it('forgets what it has computed before each comparison', async () => {
    const { nodes, files } = ledger.deps;
    let [forgotten, failures] = [0, 1];
    const prepare = async (): Promise<void> => {
      if (failures > 0) {
        failures -= 1;
        throw new StorageError('away');
      }
    };
    const forget = (): void => {
      forgotten += 1;
      nodes.forget();
    };
    ledger.write({ nodes: { ...nodes, forget }, files: { ...files, prepare } });
    await ledger.caughtUp();
    expect(forgotten).toBe(2);
  });

  it('halts over a checkpoint that is not of this log', async () => {
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    writeFileSync(
      file('checkpoint'),
      signCheckpoint({ origin: ORIGIN, size: 2, root: Buffer.alloc(32) }, [makeSigner(ORIGIN, newKey())]),
    );
    await expectHalt('not of this log');
  });

  it.each([1, 2, 9])('halts over a checkpoint of size %d with another root', async (size) => {
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    writeFileSync(
      file('checkpoint'),
      signCheckpoint({ origin: ORIGIN, size, root: Buffer.alloc(32) }, ledger.deps.signers),
    );
    await expectHalt(size > 2 ? 'no edge of size 9' : 'has another root');
  });

  it('halts when the store has other entries than its root says', async () => {
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    await keep();
    ledger.write();
    await publish(2, 2);
    await ledger.stopWriters();
    await rollBack();
    for (const edge of ['edge/0', 'edge/1']) {
      const bytes = readFileSync(file(edge));
      // A digit of the length of a text.
      bytes[bytes.length - 3] = bytes.at(-3) === 0x39 ? 0x38 : 0x39;
      writeFileSync(file(edge), bytes);
    }
    await expectHalt('entries of the store');
  });

  it('signs nothing when the edge in the database does not fit the size', async () => {
    await ledger.begun();
    await publish(3);
    await ledger.stopWriters();
    await ledger.database.pool.query(`UPDATE head SET edge = '{}'`);
    const writer = ledger.write();
    await waitFor(() => writer.problems()[0]?.text?.includes('does not fit the size'), { what: 'the halt' });
    expect(await ledger.metrics.registry.metrics()).toMatch(/ledger_halted\{[^}]*\} 1/);
    expect((await ledger.checkpoint()).size).toBe(3);
  });

  it('halts when the edge in the database does not give the root', async () => {
    await ledger.begun();
    await publish(3);
    await ledger.stopWriters();
    await ledger.database.pool.query(`UPDATE head SET root = sha256('x')`);
    await expectHalt('does not give its root');
  });

  it('finishes the uploads of a process that ended after its commit', async () => {
    await ledger.begun();
    await publish(200);
    await ledger.stopWriters();
    const copy = `${ledger.folder}-copy`;
    cpSync(ledger.folder, copy, { recursive: true });
    ledger.write();
    await publish(100, 200);
    await ledger.stopWriters();
    // The store as it was before the commit, and the database as it was before the first upload.
    rmSync(ledger.folder, { recursive: true });
    cpSync(copy, ledger.folder, { recursive: true });
    rmSync(copy, { recursive: true });
    const { pool } = ledger.database;
    await pool.query(`UPDATE head SET published = 200`);
    const tile = await ledger.deps.nodes.tile(pool, { level: 0, index: 0, width: 256 });
    await pool.query(`INSERT INTO upload VALUES ('tile/0/000', $1)`, [tile]);
    ledger.write();
    await waitFor(async () => (await readHead(pool)).published === 300, { what: 'the uploads' });
    expect(readFileSync(file('tile/0/000')).equals(tile)).toBe(true);
  });
});

describe('ledger accept-hole', () => {
  it('logs what tenders has deleted before it was read, and the states of now after it', async () => {
    const { owners, deps } = ledger;
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    expect(await acceptHole([], deps, () => undefined)).toBe(1);
    owners.publish(tenderId(7));
    const after = owners.publish(tenderId(8));
    owners.purge(3);
    const writer = ledger.write();
    await waitFor(() => writer.problems()[0]?.text?.includes('accept-hole'), { what: 'the problem' });
    const { pool } = ledger.database;
    const printed: string[] = [];
    await pool.query(`UPDATE head SET halted = 'witness w has seen another log'`);
    expect(await acceptHole([], deps, (line) => void printed.push(line))).toBe(1);
    expect(printed).toEqual(['the log is halted: witness w has seen another log']);
    await pool.query('UPDATE head SET halted = NULL');
    expect(await acceptHole([], deps, () => undefined)).toBe(0);
    await ledger.caughtUp();
    owners.publish(tenderId(8));
    await ledger.caughtUp();
    const entries = await ledger.entries();
    expect(entries.map(({ kind }) => kind)).toEqual([
      'publication',
      'publication',
      'hole',
      'baseline',
      'baseline',
      'publication',
    ]);
    expect(entries[2]).toMatchObject({ before: BigInt(after.position) });
    expect(entries.at(-1)).toMatchObject({ number: 5n });
  });

  it('logs a hole after a restore from the store, which does not say the first epoch', async () => {
    const { owners, deps } = ledger;
    owners.epochs.push({ epoch: 3, restoredTo: 1, began: 2 });
    await ledger.begun();
    await publish(2);
    await ledger.stopWriters();
    await ledger.database.pool.query('UPDATE head SET epoch = NULL');
    owners.publish(tenderId(7));
    owners.publish(tenderId(8));
    owners.purge(3);
    expect(await acceptHole([], deps, () => undefined)).toBe(0);
    expect((await readHead(deps.pool)).epoch).toBe(3);
  });
});
