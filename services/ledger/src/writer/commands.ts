import { completeAudit, operatorAct } from '@procurement/kit/database/audit';
import { judgePage } from '@procurement/kit/messaging/request/judge-page';
import { askPublications } from '@procurement/kit/messaging/request/publication-pages';
import {
  packEntries,
  unpackEntries,
  fullTilesBetween,
  tilePath,
  TILE_WIDTH,
  type Tile,
} from '@procurement/proof/tiles';
import { leafHash } from '@procurement/proof/tree';
import { writeEdge } from '../domain/edge-file.ts';
import { appendLeaves } from '../store/append.ts';
import { findCheckpoint } from '../store/checkpoints.store.ts';
import { readHead, resumeLog, type Head } from '../store/head.store.ts';
import { leafHashes, leafTexts } from '../store/leaf.store.ts';
import { findUpload } from '../store/upload.store.ts';
import type { WriterDeps } from './deps.ts';
import { unseenEpochs } from './read-owners.ts';
import { reconcile } from './start-log.ts';
import { CHECKPOINT, EDGES, readStoredNote } from './stored-log.ts';
import { askWitness } from './witnesses.ts';

type Print = (line: string) => void;

const USAGE = 'usage: accept-hole | refill | resume';

/**
 * Logs that publications are missing for ever, because tenders has deleted them before they were read. The states of now follow as
 * baselines. Refused while tenders still has what follows the log.
 */
export async function acceptHole(args: readonly string[], deps: WriterDeps, print: Print): Promise<number> {
  if (args.length > 0) return usage(print);
  const head = await readHead(deps.pool);
  const { position, epoch = 0, phase, halted } = head;
  if (halted !== undefined) return refuse(print, `the log is halted: ${halted}`);
  if (phase === 'listing') return refuse(print, 'the log lists tenders: it has no hole');
  const owner = { bus: deps.bus, page: { rowsMax: 1, bytesMax: 1 }, texts: false } as const;
  const page = await askPublications(owner, { after: position, epoch, horizon: false });
  if (page === undefined) return refuse(print, 'tenders does not answer');
  const hasNewEpochs = (await unseenEpochs(deps, head, page)).length > 0;
  const verdict = judgePage({
    position,
    epoch,
    isUnlinked: phase === 'begins',
    publications: page.publications,
    owner: { ...page, hasNewEpochs },
  });
  if (verdict.kind !== 'hole') return refuse(print, `there is no hole after position ${position}: ${verdict.kind}`);
  const before = page.publications[0]?.position ?? page.head;
  await recordBegun(deps, 'accept-hole', { after: String(position), before: String(before) });
  const { number, redaction } = head;
  await appendLeaves(deps, head, {
    drafts: [{ kind: 'hole', after: position, before }],
    progress: { position, number, epoch: page.epoch, redaction, phase: 'listing' },
  });
  print(`logged: publications between ${position} and ${before} are missing`);
  return 0;
}

/** Writes a lost store again, as far as the database has it: all tiles, and the bundles whose entries it still has. */
export async function refill(args: readonly string[], deps: WriterDeps, print: Print): Promise<number> {
  if (args.length > 0) return usage(print);
  const head = await readHead(deps.pool);
  if (head.size === 0) return refuse(print, 'the log is empty');
  // A checkpoint that is there may contradict the database: nothing is written over it.
  if ((await readStoredNote(deps)) !== 'none') return refuse(print, 'the store has a checkpoint: it is not lost');
  await recordBegun(deps, 'refill', { size: String(head.size) });
  let written = 0;
  const missing: Tile[] = [];
  for (const tile of fullTilesBetween(0, head.size)) {
    if (tile.level === 'entries' && (await isBundleStored(deps, tile))) continue;
    const bytes =
      tile.level === 'entries' ? await bundleOfDatabase(deps, tile) : await deps.nodes.tile(deps.pool, tile);
    if (bytes === undefined) missing.push(tile);
    else {
      await deps.files.write(tilePath(tile), bytes);
      written += 1;
    }
  }
  for (const tile of missing) print(`missing: ${tilePath(tile)}. Copy it from a mirror of the log`);
  if (missing.length > 0) return 1;
  await writeNewest(deps, head);
  print(`${written} tiles and bundles written; the store has the log of size ${head.size}`);
  return 0;
}

async function writeNewest({ pool, files }: WriterDeps, { size }: Head): Promise<void> {
  const open = size % TILE_WIDTH;
  const entries = await leafTexts(pool, size - open, size);
  if (entries === undefined) throw new Error('entries of the open bundle are not in the database');
  if (open > 0) await files.write(EDGES[0], writeEdge({ size, entries }));
  const checkpoint = await findCheckpoint(pool, { size });
  if (checkpoint === undefined) throw new Error(`the log has no checkpoint of size ${size}`);
  await files.write(CHECKPOINT, checkpoint.text);
}

/** Whether the store has the bundle, with the leaves of the database. */
async function isBundleStored({ pool, files }: WriterDeps, tile: Tile): Promise<boolean> {
  const entries = unpackEntries((await files.read(tilePath(tile))) ?? Buffer.alloc(0));
  if (entries?.length !== TILE_WIDTH) return false;
  const from = tile.index * TILE_WIDTH;
  const hashes = await leafHashes(pool, from, from + TILE_WIDTH);
  return hashes.every((hash, at) => hash.equals(leafHash(entries[at] ?? Buffer.alloc(0))));
}

async function bundleOfDatabase({ pool }: WriterDeps, { index }: Tile): Promise<Buffer | undefined> {
  const from = index * TILE_WIDTH;
  const texts = await leafTexts(pool, from, from + TILE_WIDTH);
  return texts === undefined ? undefined : packEntries(texts);
}

/** Lets a halted log go on, when nothing contradicts it any more: the store has all tiles and entries, and witnesses agree. */
export async function resume(args: readonly string[], deps: WriterDeps, print: Print): Promise<number> {
  if (args.length > 0) return usage(print);
  const { halted } = await readHead(deps.pool);
  if (halted === undefined) {
    print('the log is not halted');
    return 0;
  }
  const halt = await reconcile(deps);
  if (halt !== undefined) return refuse(print, `still halted: ${halt}`);
  const head = await readHead(deps.pool);
  for (const tile of fullTilesBetween(0, head.size)) {
    if (!(await isStoredOrWaiting(deps, tile)))
      return refuse(print, `still halted: the store has no ${tilePath(tile)}. Copy it from a mirror of the log`);
  }
  for (const witness of head.size === 0 ? [] : deps.witnesses) {
    const answer = await askWitness(deps, witness, head.note);
    if (answer.kind === 'contradiction') return refuse(print, `still halted: ${answer.why}`);
    if (answer.kind === 'failed') print(`witness ${witness.name} has not signed: ${answer.why}`);
  }
  await recordBegun(deps, 'resume', { halted });
  await resumeLog(deps.pool);
  print(`the log goes on at size ${head.size}; it was halted: ${halted}`);
  return 0;
}

async function isStoredOrWaiting({ files, pool }: WriterDeps, tile: Tile): Promise<boolean> {
  const path = tilePath(tile);
  return (await files.has(path)) || (await findUpload(pool, path)) !== undefined;
}

/** A record of the command before its first effect. */
async function recordBegun(
  { pool, log }: WriterDeps,
  command: string,
  objects: Readonly<Record<string, string>>,
): Promise<void> {
  await completeAudit(pool, log, operatorAct(command, objects), { outcome: 'begun' });
}

function usage(print: Print): number {
  print(USAGE);
  return 2;
}

function refuse(print: Print, why: string): number {
  print(why);
  return 1;
}
