import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { dividePacks, type PackedText } from './domain/pack-lines.ts';
import { packTexts, unpackTexts } from './text-packs.ts';

/** Texts that are to be packed, and the places of all that leave their rows then, in order. */
export interface HotTexts<T> {
  readonly texts: readonly T[];
  readonly positions: readonly bigint[];
}

/** A kind of texts that move from rows into packs. An owner is what a pack belongs to, such as a tender. */
export interface PackedKind<T extends PackedText> {
  /** Numbers the advisory locks of its owners, apart from other locks of this database. */
  readonly lock: number;
  hot(tx: pg.PoolClient, owner: string): Promise<HotTexts<T>>;
  /** Texts of the newest pack that stay. */
  open(tx: pg.PoolClient, owner: string): Promise<readonly T[]>;
  /** Whether a pack gives back the text. */
  isSame(text: T, unpacked: string | undefined): boolean;
  /** Stores a pack in place of the one that begins with the same text. */
  write(tx: pg.PoolClient, owner: string, pack: NewPack<T>): Promise<void>;
  /** Takes texts out of their rows. */
  clear(tx: pg.PoolClient, positions: readonly bigint[]): Promise<void>;
}

export interface NewPack<T> {
  readonly texts: readonly T[];
  readonly rawBytes: number;
  readonly pack: Buffer;
}

/**
 * Moves texts of one owner into packs (register.md 7.3), in one transaction: it may end at any point and be called again, also by several
 * processes. Returns how many rows were cleared. Throws, and changes nothing, when a pack does not give back what it is made of.
 */
export async function moveToPacks<T extends PackedText>(
  pool: pg.Pool,
  kind: PackedKind<T>,
  owner: string,
): Promise<number> {
  return transact(pool, async (tx) => {
    await lockPacks(tx, kind, owner);
    const { texts, positions } = await kind.hot(tx, owner);
    // Another process was faster.
    const open = positions.length === 0 ? [] : await kind.open(tx, owner);
    for (const group of dividePacks([...open, ...texts])) await kind.write(tx, owner, await verifiedPack(kind, group));
    await kind.clear(tx, positions);
    return positions.length;
  });
}

/** Orders all who rewrite packs of an owner. */
async function lockPacks(tx: pg.PoolClient, { lock }: Pick<PackedKind<never>, 'lock'>, owner: string): Promise<void> {
  // What a crash takes back was not cleared either, and is packed again.
  await tx.query('SET LOCAL synchronous_commit = off');
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lock, owner]);
}

async function verifiedPack<T extends PackedText>(kind: PackedKind<T>, texts: readonly T[]): Promise<NewPack<T>> {
  const packed = await packTexts(texts);
  const unpacked = await unpackTexts(packed.pack);
  const isSame = texts.every((text, n) => kind.isSame(text, unpacked[n]?.text));
  if (!isSame) throw new Error('a pack does not give back its texts');
  return { texts, ...packed };
}
