import { freshBus, type TestBus } from '@procurement/testing/bus';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reindex } from '../follow/index-terms.ts';
import { tenderId } from '../../test-support/fake-owner.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { LIMITS } from './search-limits.ts';
import type { SearchRequest } from './search-request.ts';
import type { Statement } from '../requests/bounded-read.ts';
import { searchStore } from './search.store.ts';
import { candidatesPage, buildCounts, walkEnd, walkPage } from './search-statements.ts';

let server: TestBus;
let register: RunningRegister;

beforeAll(async () => {
  server = await freshBus();
  register = await runningRegister(server);
  register.follow();
});
afterAll(async () => {
  await register.close();
  await server.stop();
});

const COUNTED = `SELECT lexeme, count(*)::int AS tenders FROM tender_words, unnest(tsvector_to_array(words)) AS lexeme GROUP BY 1 ORDER BY 1`;
const STORED = `SELECT lexeme, tenders FROM (SELECT word AS lexeme, tenders FROM word UNION ALL SELECT key, tenders FROM key_count)
  AS counts ORDER BY 1`;

async function counts(): Promise<readonly { lexeme: string; tenders: number }[]> {
  const { pool } = register.database;
  const [counted, stored] = await Promise.all([pool.query(COUNTED), pool.query(STORED)]);
  expect(stored.rows).toEqual(counted.rows);
  return stored.rows;
}

const lexemes = async (): Promise<readonly string[]> => (await counts()).map(({ lexeme }) => lexeme);

describe('terms of tenders', () => {
  it('follow every publication, and dictionaries agree with them', async () => {
    const { owner, caughtUp } = register;
    const [one, other] = [tenderId(1), tenderId(2)];
    owner.publish(one, { members: { title: 'крейда papers', procurementMethodType: 'belowThreshold' } });
    const kept = owner.publish(other, { members: { title: "крейда 'x\\" } });
    await caughtUp();
    expect(await counts()).toContainEqual({ lexeme: 'крейда', tenders: 2 });
    expect(await lexemes()).toEqual(expect.arrayContaining(['papers', '~paper', '=method:belowThreshold']));
    owner.publish(one, { members: { title: 'дошка' } });
    await caughtUp();
    expect(await counts()).toContainEqual({ lexeme: 'крейда', tenders: 1 });
    expect(await lexemes()).not.toContain('papers');
    owner.publish(other, { listed: false });
    await caughtUp();
    expect(await lexemes()).not.toContain('крейда');
    owner.publish(other, { members: { title: 'лінійка' } });
    await caughtUp();
    expect(await lexemes()).toContain('лінійка');
    owner.restore(kept, 2);
    owner.publish(tenderId(3), { members: { title: 'указка' } });
    await caughtUp();
    expect(await counts()).toContainEqual({ lexeme: 'крейда', tenders: 2 });
    expect(await lexemes()).not.toContain('лінійка');
  });

  it('are made again by the command', async () => {
    const { pool } = register.database;
    const before = await counts();
    const deps = { pool, log: register.log };
    await pool.query(
      'DELETE FROM tender_words; DELETE FROM word; DELETE FROM key_count; UPDATE tender SET text_hash = NULL',
    );
    const lines: string[] = [];
    expect(await reindex([], deps, (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('3 tenders indexed');
    expect(await counts()).toEqual(before);
    expect(await reindex([tenderId(2)], deps, (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('1 tenders indexed');
    expect(await reindex(['x'], deps, (line) => lines.push(line))).toBe(2);
  });

  it('that the database refuses stop no other tender', async () => {
    const { pool } = register.database;
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '54000'; END $$`);
    await pool.query(`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON tender_words FOR EACH ROW
      WHEN (NEW.id = '${tenderId(1)}') EXECUTE FUNCTION refuse()`);
    await pool.query('DELETE FROM tender_words; UPDATE tender SET text_hash = NULL');
    const lines: string[] = [];
    expect(await reindex([], { pool, log: register.log }, (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('3 tenders indexed');
    const { rows } = await pool.query("SELECT replace(id::text, '-', '') AS id FROM tender_words ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual([tenderId(2), tenderId(3)]);
    await pool.query('DROP TRIGGER refuse ON tender_words');
  });
});

describe('statements of a search look at no more rows than they may (A34)', () => {
  const request: SearchRequest = {
    clauses: [],
    filters: { status: ['complete'] },
    mode: undefined,
    sort: '-created',
    limit: 20,
    after: undefined,
    facets: ['status', 'buyer'],
    isCounted: true,
    isExpanded: false,
    tsquery: undefined,
    rank: { words: undefined, stems: undefined },
  };
  const words = { ...request, tsquery: "'часте'" };
  const TENDERS = 60_000;

  beforeAll(async () => {
    const { pool } = register.database;
    await pool.query(`INSERT INTO tender (id, position, rev, created, listed, is_test, complete, status, method, amount, currency,
        tender_end, cpv, regions)
      SELECT md5(n::text)::uuid, n, 1, n, true, n % 2 = 0, true, 'active.tendering', '', n, 'UAH', n, '{}', '{}'
      FROM generate_series(1, ${TENDERS}) AS n`);
    await pool.query(`INSERT INTO tender_words SELECT md5(n::text)::uuid, '''часте'''::tsvector
      FROM generate_series(1, ${TENDERS}) AS n`);
    await pool.query('ANALYZE tender, tender_words');
  });

  const walkCounts = (asked: SearchRequest): Statement => buildCounts(asked, 'walk');

  interface Node {
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly Node[];
  }

  function examined(node: Node, relation: string): number {
    const own = node['Relation Name'] === relation ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
    const below = (node.Plans ?? []).map((plan) => examined(plan, relation));
    return own * node['Actual Loops'] + below.reduce((sum, one) => sum + one, 0);
  }

  async function countExamined({ text, values }: Statement) {
    const client = await register.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off',
      );
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
      const plan: Node = rows[0]['QUERY PLAN'][0].Plan;
      return { tender: examined(plan, 'tender'), words: examined(plan, 'tender_words') };
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it.each(['-created', 'created', 'tenderEnd', 'amount', '-amount', '-modified'] as const)(
    'walking the order %s, with and without words and in both modes',
    async (sort) => {
      for (const one of [request, words, { ...request, mode: '_all_' as const }, { ...words, mode: '_all_' as const }])
        for (const statement of [walkPage, (asked: SearchRequest) => walkEnd(asked, true), walkCounts])
          expect((await countExamined(statement({ ...one, sort }))).tender).toBeLessThanOrEqual(LIMITS.walked);
    },
  );

  it('of a full page only as many as it takes', async () => {
    const { tender } = await countExamined(walkPage({ ...request, filters: {} }));
    expect(tender).toBeLessThanOrEqual(2 * (request.limit + 1));
  });

  it('by relevance, of the newest matches only', async () => {
    const ranked: SearchRequest = { ...words, sort: 'relevance', rank: { words: "'часте'", stems: undefined } };
    for (const statement of [walkPage, walkCounts])
      expect((await countExamined(statement(ranked))).tender).toBeLessThanOrEqual(LIMITS.walked);
    const byCandidates = await countExamined(candidatesPage(ranked));
    expect(byCandidates.words).toBeLessThanOrEqual(LIMITS.candidates + 1);
  });

  it('of candidates by relevance only as many tenders as a page takes', async () => {
    const ranked: SearchRequest = {
      ...words,
      filters: {},
      sort: 'relevance',
      rank: { words: "'часте'", stems: undefined },
    };
    // Every second one is a test tender, in no order of the ids.
    expect((await countExamined(candidatesPage(ranked))).tender).toBeLessThanOrEqual(10 * (ranked.limit + 1));
  });

  it('to count no more than are told', async () => {
    const { tender, words: terms } = await countExamined(
      buildCounts({ ...words, filters: {}, mode: '_all_' }, 'candidates'),
    );
    expect([tender, terms]).toEqual([LIMITS.counted + 1, LIMITS.counted + 1]);
  });

  it('for a page of many candidates only the first of the order', async () => {
    const { pool } = register.database;
    await pool.query("INSERT INTO word (word, tenders) VALUES ('часте', 40000)");
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    const question = { ...request, filters: {}, facets: [], isCounted: false };
    const clauses = [{ isNegated: false, alternatives: [[{ lexemes: ['часте'], isPrefix: false }]] }];
    const found = await searchStore(pool).search({ ...question, clauses });
    const texts = queries.mock.calls.map(([statement]) => String(statement));
    queries.mockRestore();
    expect(texts.some((text) => text.includes('candidates'))).toBe(false);
    // Of an even number are test tenders.
    expect(found.rows.map(({ created }) => Number(created))).toEqual(
      Array.from({ length: 20 }, (_, n) => TENDERS - 1 - 2 * n),
    );
    expect((await countExamined(walkPage(words, 10_000))).words).toBeLessThanOrEqual(10_000);
  });

  it('by candidates', async () => {
    for (const statement of [candidatesPage(words), buildCounts(words, 'candidates')]) {
      const rows = await countExamined(statement);
      expect(rows.tender).toBeLessThanOrEqual(LIMITS.candidates + 1 + request.limit + 1);
      expect(rows.words).toBeLessThanOrEqual(LIMITS.candidates + 1);
    }
  });
});
