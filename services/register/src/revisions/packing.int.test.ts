import { parseInstant } from '@procurement/contracts/reading/instant';
import { makeLog } from '@procurement/kit/runtime/log';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { padId } from '@procurement/testing/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poolEndingAt } from '../../test-support/ending-pool.ts';
import { paperTenders } from '../../test-support/paper.ts';
import { publicText, storeRevisions, type Publication } from '../../test-support/stored-revisions.ts';
import { packDay } from '../follow/pack-texts.ts';
import { PACK_TEXTS_MAX } from './domain/pack-lines.ts';
import { historyStore, type HistoryStore } from './history.store.ts';
import { packingStore, type PackingStore } from './packing.store.ts';
import { releasePackingStore } from '../ocds/release-packing.store.ts';

let database: TestDatabase;
let history: HistoryStore;
let packing: PackingStore;

const PAPER = paperTenders[0] ?? {};
const END = 9_000_000_000_000_000n;

beforeAll(async () => {
  database = await freshDatabase('register');
  history = historyStore(database.pool);
  packing = packingStore({ pool: database.pool, log: makeLog('test', 'fatal'), waitsForArchive: false });
});
afterAll(async () => {
  await database.drop();
});

/** A tender of its own with many revisions, a second apart. */
function buildRevisions(id: string, count: number, firstRev = 1): Publication[] {
  return Array.from({ length: count }, (_, n) => {
    const rev = firstRev + n;
    const seconds = 60 * Number.parseInt(id, 16) * 60 + rev;
    const clock = [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) =>
      String(Math.floor(part)).padStart(2, '0'),
    );
    const dateModified = `2026-03-28T${clock.join(':')}.000000+02:00`;
    return { rev, tender: { ...PAPER, id, tenderID: `UA-2026-03-28-${id.slice(-6)}`, dateModified, title: `${rev}` } };
  });
}

async function servedTexts(id: string): Promise<readonly string[]> {
  const revisions = await history.page(id, { descending: false, limit: 1_000 });
  const texts = await history.texts(id, revisions);
  return revisions.map(({ position }) => texts.get(position) ?? '');
}

async function counts(id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM revision_text JOIN revision USING (position) WHERE id = $1) AS hot,
      (SELECT array_agg(ARRAY[first_rev, last_rev]::int[] ORDER BY first_rev) FROM revision_pack WHERE id = $1) AS packs`,
    [id],
  );
  return rows[0];
}

/** Number of statements for a tender with an open pack, COMMIT included. */
const STATEMENTS = 9;

describe('packBefore', () => {
  it('moves texts into packs that give back the same bytes, in several runs (A41)', async () => {
    const id = padId('1');
    const publications = buildRevisions(id, PACK_TEXTS_MAX + 10);
    const texts = publications.map(({ tender }) => publicText(tender));
    await storeRevisions(database.pool, publications);
    const middle = BigInt(parseInstant(String(publications[40]?.tender['dateModified'])));
    expect(await packing.packBefore(middle)).toEqual({ texts: 40, failedTenders: 0 });
    expect(await counts(id)).toEqual({ hot: 34, packs: [[1, 40]] });
    expect(await servedTexts(id)).toEqual(texts);
    expect(await packing.packBefore(END)).toEqual({ texts: 34, failedTenders: 0 });
    expect(await counts(id)).toEqual({
      hot: 0,
      packs: [
        [1, 64],
        [65, 74],
      ],
    });
    expect(await servedTexts(id)).toEqual(texts);
    expect(await packing.packBefore(END)).toEqual({ texts: 0, failedTenders: 0 });
  });

  it.each(Array.from({ length: STATEMENTS }, (_, n) => n + 1))(
    'loses and doubles nothing when its connection ends at statement %i of a tender (A41)',
    async (statement) => {
      const id = padId((6 + statement).toString(16));
      const publications = buildRevisions(id, 4);
      await storeRevisions(database.pool, publications.slice(0, 2));
      await packing.packBefore(END);
      await storeRevisions(database.pool, publications.slice(2));
      const pool = poolEndingAt(database.pool, statement);
      const cut = packingStore({ pool, log: makeLog('test', 'fatal'), waitsForArchive: false });
      expect(await cut.packBefore(END)).toMatchObject({ failedTenders: 1 });
      const texts = publications.map(({ tender }) => publicText(tender));
      expect(await servedTexts(id)).toEqual(texts);
      await packing.packBefore(END);
      expect(await counts(id)).toEqual({ hot: 0, packs: [[1, 4]] });
      expect(await servedTexts(id)).toEqual(texts);
    },
  );

  it('packs once when two processes run at the same time', async () => {
    const id = padId('2');
    const publications = buildRevisions(id, 5);
    await storeRevisions(database.pool, publications);
    await Promise.all([packing.packBefore(END), packing.packBefore(END)]);
    expect(await counts(id)).toEqual({ hot: 0, packs: [[1, 5]] });
    expect(await servedTexts(id)).toEqual(publications.map(({ tender }) => publicText(tender)));
  });

  it('leaves the texts of a tender whose digests differ, and packs those of others', async () => {
    const [bad, good] = [padId('3'), padId('4')];
    await storeRevisions(database.pool, [...buildRevisions(bad, 2), ...buildRevisions(good, 2)]);
    await database.pool.query('UPDATE revision SET digest = sha256($2)::bytea WHERE id = $1', [bad, Buffer.from('x')]);
    expect(await packing.packBefore(END)).toEqual({ texts: 2, failedTenders: 1 });
    expect([await counts(bad), await counts(good)]).toEqual([
      { hot: 2, packs: null },
      { hot: 0, packs: [[1, 2]] },
    ]);
    await database.pool.query('DELETE FROM revision_text');
  });

  it('drops texts that a restore has voided, and packs those that took their numbers', async () => {
    const id = padId('5');
    const before = buildRevisions(id, 4);
    await storeRevisions(database.pool, before);
    await packing.packBefore(END);
    const voided = before.slice(2).map(({ tender }) => parseInstant(String(tender['dateModified'])));
    await database.pool.query('UPDATE revision SET void = TRUE WHERE position = ANY($1::bigint[])', [voided]);
    const later = buildRevisions(id, 2, 5).map((publication, n) => ({ ...publication, rev: 3 + n }));
    await storeRevisions(database.pool, later);
    await packing.packBefore(END);
    expect(await counts(id)).toEqual({ hot: 0, packs: [[1, 4]] });
    const kept = [...before.slice(0, 2), ...later];
    expect(await servedTexts(id)).toEqual(kept.map(({ tender }) => publicText(tender)));
  });
});

describe('pack <day>', () => {
  it('packs until the end of the day in the service zone', async () => {
    const id = padId('6');
    const publications = buildRevisions(id, 2);
    await storeRevisions(database.pool, publications);
    const settings = { pool: database.pool, log: makeLog('test', 'fatal'), waitsForArchive: false };
    const both = { texts: packing, releases: releasePackingStore(settings) };
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    expect(await packDay(['2026-03-27'], both, print)).toBe(0);
    expect(await packDay(['2026-03-28'], both, print)).toBe(0);
    expect(await packDay(['yesterday'], both, print)).toBe(2);
    expect(lines).toEqual([
      '0 texts packed, 0 tenders failed',
      '0 releases packed, 0 processes failed',
      '2 texts packed, 0 tenders failed',
      '0 releases packed, 0 processes failed',
      'usage: pack <day>, for example pack 2026-03-28',
    ]);
  });
});
