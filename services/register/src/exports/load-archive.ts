import { parseArgs } from 'node:util';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { StorageError } from '@procurement/kit/files/file-storage';
import { toError } from '@procurement/kit/runtime/to-error';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { ZodError } from 'zod';
import { readArchivedLine, type ArchivedLine } from './archive-lines.ts';
import { isVoid, type ArchiveManifest, type ArchiveVoid } from './archive-objects.ts';
import { applyPage } from '../follow/apply-publications.ts';
import { FOLLOWER_LOCK, readFollow, type FollowState } from '../follow/follow.store.ts';
import { beginLoad, endLoad, removeTender } from './load-archive.store.ts';
import { endReleases, lastReleaseLoaded, loadReleases, type ArchivedRelease } from './load-releases.ts';
import { ArchiveError, archivedLines, readChain, type ArchiveChain } from './read-archive.ts';

export interface LoadArchiveDeps {
  readonly pool: pg.Pool;
  readonly files: FileStorage;
  readonly log: Logger;
}

type Print = (line: string) => void;

const USAGE = 'usage: archive load [--from <day, for example 2026-03-28>]';
const BEGINNING = '0000-00-00';
/** Limits of one transaction. */
const LINES_MAX = 200;
const BYTES_MAX = 4_000_000;

/**
 * The command `archive load`: fills an empty database from the archive (register.md 2.6), which the service then follows from. It may be killed
 * at any point and be repeated. Returns the exit code.
 */
export async function archiveCommand(args: readonly string[], deps: LoadArchiveDeps, print: Print): Promise<number> {
  const from = dayIn(args);
  if (from === undefined) {
    print(USAGE);
    return 2;
  }
  try {
    return await withoutFollower(deps.pool, async () => load(deps, from, print));
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof StorageError)) throw error;
    print(error.message);
    return 1;
  }
}

/** Undefined for wrong usage. */
function dayIn([verb, ...args]: readonly string[]): string | undefined {
  try {
    const { from = BEGINNING } = parseArgs({ args, options: { from: { type: 'string' } } }).values;
    return verb === 'load' && /^\d{4}-\d{2}-\d{2}$/.test(from) ? from : undefined;
  } catch {
    return undefined;
  }
}

/** Holds the lock of the follower during the work: no process of the service may follow meanwhile. */
async function withoutFollower(pool: pg.Pool, work: () => Promise<number>): Promise<number> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [FOLLOWER_LOCK]);
    if (rows[0]?.held !== true) throw new ArchiveError('the service runs: stop every process of the register first');
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [FOLLOWER_LOCK]);
    }
  } finally {
    client.release();
  }
}

async function load(deps: LoadArchiveDeps, from: string, print: Print): Promise<number> {
  const { pool, files } = deps;
  const begun = await readFollow(pool);
  if (begun !== undefined && begun.backfill?.archive === undefined) {
    throw new ArchiveError(
      'this database is not empty: the archive is loaded into an empty one, before the service starts',
    );
  }
  const former = begun?.backfill?.archive ?? from;
  if (former !== from) throw new ArchiveError(`the load was begun with another --from: ${former}`);
  const revisions = await readChain(files, 'revisions', (name) => parseDay(name) >= from);
  const last = revisions?.manifests.at(-1);
  if (revisions === undefined || last === undefined)
    throw new ArchiveError('the archive has no revisions of that time');
  const releases = await readChain(files, 'releases', () => true);
  await beginLoad(pool, from);
  await loadRevisions(deps, revisions, print);
  const { voids, manifests } = revisions;
  if (releases !== undefined) await loadAllReleases(deps, releases, print);
  await endLoad(pool, {
    voids,
    archivedTo: last.to,
    epoch: Math.max(last.epoch, ...voids.map(({ epoch }) => epoch)),
    manifests: [...manifests, ...(releases?.manifests ?? [])],
  });
  print('loaded: start the service, which lists and follows tenders from here');
  return 0;
}

/** Day in the name of an export. */
function parseDay(name: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? '';
}

async function loadRevisions(deps: LoadArchiveDeps, { manifests, voids }: ArchiveChain, print: Print): Promise<void> {
  let end: bigint | undefined;
  for (const manifest of manifests) {
    const { name, from, to } = manifest;
    if (end !== undefined && (from ?? 0n) > end) print(`${name}: the archive has nothing of the time before it`);
    end = to;
    print(`${name}: ${await loadExport(deps, manifest, voids)} lines applied`);
  }
  if ((await readPosition(deps.pool)) === 0) throw new ArchiveError('the archive has no revision');
}

/** Returns how many lines were applied; those at or before the position are there already. */
async function loadExport(
  { pool, files, log }: LoadArchiveDeps,
  { epoch, files: own, to }: ArchiveManifest,
  voids: readonly ArchiveVoid[],
): Promise<number> {
  let applied = 0;
  for (const file of own) {
    const begun = await readPosition(pool);
    if (file.last <= begun) continue;
    const batch = makeBatch({ pool, log });
    let before = 0;
    for await (const text of archivedLines(files, file)) {
      const line = readLine(text, file.key);
      const position = positionIn(line);
      if (position <= before || BigInt(position) > to)
        throw new ArchiveError(`${file.key}: a position is out of order`);
      before = position;
      if (position <= begun || isVoid(voids, epoch, BigInt(position))) continue;
      await batch.add(line);
      applied += 1;
    }
    await batch.flush();
  }
  return applied;
}

async function readPosition(pool: pg.Pool): Promise<number> {
  return (await readFollow(pool))?.position ?? 0;
}

function readLine(text: string, key: string): ArchivedLine {
  try {
    return readArchivedLine(text);
  } catch (error) {
    throw new ArchiveError(`${key}: a line cannot be read: ${toError(error).message}`);
  }
}

function positionIn(line: ArchivedLine): number {
  return line.kind === 'hidden' ? line.position : line.publication.position;
}

type ArchivedPublication = Extract<ArchivedLine, { kind: 'publication' }>;

/** Applies lines in transactions of their own, each with the position. */
function makeBatch(deps: Pick<LoadArchiveDeps, 'pool' | 'log'>) {
  let lines: ArchivedPublication[] = [];
  let bytes = 0;

  async function flush(): Promise<void> {
    const [first] = lines;
    if (first === undefined) return;
    const publications = lines.map(({ publication }) => publication);
    const before = await currentState(deps.pool);
    const step = { ...before, position: publications.at(-1)?.position ?? before.position };
    await applyPage(deps, before, { publications, source: { baseline: first.isBaseline }, step });
    [lines, bytes] = [[], 0];
  }

  return {
    flush,
    async add(line: ArchivedLine): Promise<void> {
      const isOther = line.kind === 'hidden' || lines[0]?.isBaseline !== line.isBaseline;
      if (isOther || lines.length === LINES_MAX || bytes > BYTES_MAX) await flush();
      if (line.kind === 'hidden') return removeTender(deps.pool, line.id);
      lines.push(line);
      bytes += line.publication.text?.length ?? 0;
    },
  };
}

async function currentState(pool: pg.Pool): Promise<FollowState> {
  const state = await readFollow(pool);
  if (state?.backfill?.archive === undefined) throw new ArchiveError('the database was changed meanwhile');
  return state;
}

/** All of them, whatever `--from` says: releases are permanent. */
async function loadAllReleases(
  { pool, files }: LoadArchiveDeps,
  { manifests }: ArchiveChain,
  print: Print,
): Promise<void> {
  for (const manifest of manifests) {
    await loadReleasesOf(pool, files, manifest);
    print(`${manifest.name}: loaded`);
  }
  const last = manifests.at(-1);
  await endReleases(pool, { seq: last?.seqTo ?? 0n, position: last?.to ?? 0n });
}

/**
 * Places count back from the last one of the export. Where places were never used, earlier lines get greater ones than they had, so that a
 * reader with a cursor from before the loss gets lines again rather than none.
 */
async function loadReleasesOf(
  pool: pg.Pool,
  files: FileStorage,
  { files: own, seqTo }: ArchiveManifest,
): Promise<void> {
  let seq = seqTo ?? 0n;
  for (const file of own) seq -= BigInt(file.lines);
  for (const file of own) {
    const loaded = await lastReleaseLoaded(pool);
    let batch: ArchivedRelease[] = [];
    const flush = async (): Promise<void> => {
      await loadBatch(pool, batch, file.key);
      batch = [];
    };
    for await (const text of archivedLines(files, file)) {
      seq += 1n;
      if (seq > loaded) batch.push({ seq, text });
      if (batch.length === LINES_MAX) await flush();
    }
    await flush();
  }
}

async function loadBatch(pool: pg.Pool, batch: readonly ArchivedRelease[], key: string): Promise<void> {
  try {
    await loadReleases(pool, batch);
  } catch (error) {
    if (error instanceof ZodError) throw new ArchiveError(`${key}: a line is no release: ${error.message}`);
    throw error;
  }
}
