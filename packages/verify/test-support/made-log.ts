import { signCheckpoint } from '@procurement/proof/checkpoints';
import { deriveBlind, deriveCommitment } from '@procurement/proof/commitments';
import { writeEntry, type Entry } from '@procurement/proof/entries';
import { sha256 } from '@procurement/proof/hash';
import { COSIGNATURE, signatureLine } from '@procurement/proof/notes';
import { packEntries, hashOfTile, TILE_WIDTH, tilePath, tilesOf } from '@procurement/proof/tiles';
import { leafHash, rootOfLeaves } from '@procurement/proof/tree';
import { testSigner } from '../../proof/test-support/fixtures.ts';
import type { Mirror } from './mirror.ts';

export const ORIGIN = 'procurement.example/log';
const LOG = testSigner(ORIGIN, 'log');
const WITNESSES = ['one', 'two'].map((name) => testSigner(`witness-${name}.example/w`, `witness ${name}`, COSIGNATURE));
const KEY = sha256('procurement proof test key: blinds');
export const NOW = 1_778_603_599;

/** A state of a tender with its text. */
export interface MadeState {
  readonly entry: Exclude<Entry, { readonly kind: 'restore' | 'hole' }>;
  readonly text: string;
}

/** Writes an entry of a state at its place in the log. */
export function stateAt(
  index: number,
  text: string,
  values: Pick<MadeState['entry'], 'kind' | 'tender' | 'rev' | 'position'> & {
    readonly number?: bigint;
    readonly member?: string;
  },
): Entry {
  const commit = deriveCommitment(deriveBlind(KEY, index), sha256(text));
  // Safe cast: the caller gives number or member with the kind that has it.
  return { ...values, commit, bytes: BigInt(Buffer.byteLength(text)) } as Entry;
}

/** Signs the checkpoint of entries, as a witness has seen it, or two of them: each at its time in seconds since 1970. */
export function buildCheckpoint(entries: readonly string[], ...times: readonly number[]): string {
  const root = rootOfLeaves(entries.map((entry) => leafHash(entry)));
  const note = signCheckpoint({ origin: ORIGIN, size: entries.length, root }, [LOG]);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const cosignatures = WITNESSES.slice(0, times.length || 1).map((witness, at) =>
    signatureLine(text, witness, times[at] ?? NOW - 5),
  );
  return note + cosignatures.join('');
}

/** Returns the files of a log: checkpoint, tiles, bundles. */
export function filesOfLog(entries: readonly string[]): Record<string, Mirror['files'][string]> {
  const files: Record<string, Mirror['files'][string]> = { 'log/checkpoint': buildCheckpoint(entries) };
  const put = (path: string, bytes: Buffer) => (files[`log/${path}`] = { base64: bytes.toString('base64') });
  const rows: Buffer[][] = [entries.map((entry) => leafHash(entry))];
  for (const tile of tilesOf(entries.length)) {
    const level = Number(tile.level);
    const from = tile.index * TILE_WIDTH;
    const bytes = Buffer.concat((rows[level] ?? []).slice(from, from + tile.width));
    put(tilePath(tile), bytes);
    if (tile.width === TILE_WIDTH) (rows[level + 1] ??= []).push(hashOfTile(bytes));
    if (level === 0) put(tilePath({ ...tile, level: 'entries' }), packEntries(entries.slice(from, from + tile.width)));
  }
  return files;
}

/** Returns the answers about a tender: its leaves with their blinds, its history, the texts of its states, and the newest one as the view. */
export function filesOfTender(
  tender: string,
  states: readonly { readonly index: number; readonly rev: number; readonly text: string }[],
): Record<string, Mirror['files'][string]> {
  const path = `api/2.5/tenders/${tender}`;
  const leaves = states.map(({ index }) => ({ index, blind: deriveBlind(KEY, index).toString('hex') }));
  return {
    [`log/tenders/${tender}`]: JSON.stringify({ leaves }),
    [`${path}/history`]: JSON.stringify({ data: states.map(({ rev }) => ({ rev })) }),
    ...Object.fromEntries(states.map(({ rev, text }) => [`${path}/history/${rev}?exact=1`, text])),
    [path]: states.at(-1)?.text ?? '',
  };
}

/** Makes entries of a log: a baseline each for so many tenders, then publications of them in turns. */
export function madeEntries(count: number): string[] {
  const tenderIdOf = (n: number) => (n % 97).toString(16).padStart(32, '0');
  return Array.from({ length: count }, (_, index) => {
    const values = {
      tender: tenderIdOf(index),
      rev: BigInt(Math.floor(index / 97) + 1),
      position: 1_000_000n + BigInt(index),
    };
    const kind =
      index < 97 ? ({ kind: 'baseline' } as const) : ({ kind: 'publication', number: BigInt(index) } as const);
    return writeEntry(stateAt(index, `text ${index}`, { ...values, ...kind }));
  });
}
