import { createHash } from 'node:crypto';
import type { Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { withRegister } from './with-register.ts';

/**
 * Each tender has one of the rare words, 24 picks of the usual ones, and every second tender has the common one. The `n`th usual word is
 * in about 2.9 / n of all tenders, as words of a language are.
 */
const WORDS = { rare: 3_000, usual: 4_000, common: 1 } as const;
const USUAL_OF_EACH = 24;
const REGIONS = [
  'UA-05',
  'UA-07',
  'UA-12',
  'UA-14',
  'UA-18',
  'UA-21',
  'UA-23',
  'UA-26',
  'UA-30',
  'UA-32',
  'UA-46',
  'UA-51',
  'UA-63',
];
const BUYERS = 5_000;
/** Words of one description. A tender has 2,000 places at most (register.md 6.3). */
const WORDS_OF_TENDER = 1_000;
/** Letters that replace digits: the service reads a word with digits as a code. */
const LETTERS = 'бвгджзклмн';
const BEGINS: Readonly<Record<keyof typeof WORDS, string>> = { rare: 'рідке', usual: 'звичне', common: 'часте' };

/** The `n`th word of a kind. */
export function generatedWord(kind: keyof typeof WORDS, n: number): string {
  return BEGINS[kind] + String(n % WORDS[kind]).replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '');
}

/** Which usual word a tender has at a place. */
export function pickedWord(tender: number, place: number): number {
  const random =
    Number.parseInt(createHash('md5').update(`${tender}:${place}`).digest('hex').slice(0, 7), 16) / 2 ** 28;
  return Math.floor(WORDS.usual ** random) - 1;
}

/** The region of a tender. */
export function generatedRegion(tender: number): string {
  return REGIONS[tender % REGIONS.length] ?? '';
}

const numbers = (from: number, to: number): string => `CREATE TEMP TABLE made AS
  SELECT md5('bench' || n)::uuid AS id, 1000000000000000 + n AS position, n, ('{${REGIONS.join()}}'::text[])[n % ${REGIONS.length} + 1] AS region,
    'UA-EDR-' || n % ${BUYERS} AS buyer, 30197630 + n % 7 AS cpv FROM generate_series(${from}, ${to}) AS n`;
const PICKED = `floor(power(${WORDS.usual}::float8, ('x' || left(md5(made.n || ':' || k), 7))::bit(28)::int / 268435456.0::float8))::int - 1`;
/** A word has the weight and the place of `at`. */
const lexemes = (kind: keyof typeof WORDS, n: string, at: string): string =>
  `(SELECT replace(lexemes, '@', ${at}) FROM bench_word WHERE kind = '${kind}' AND bench_word.n = ${n})`;
const FILL = [
  `INSERT INTO tender (id, number, position, rev, created, listed, is_test, complete, status, method, buyer, currency, amount, cpv,
      regions, tender_end, title, summary)
    SELECT id, 'UA-2001-09-09-' || lpad(n::text, 7, '0'), position, 1, position, true, false, true,
      (ARRAY['complete', 'unsuccessful', 'active.tendering'])[n % 3 + 1], 'belowThreshold', buyer, 'UAH', n % 100000,
      ARRAY[cpv], ARRAY[region], position, 'title', '{}'
    FROM made`,
  `INSERT INTO tender_body SELECT id, '{"data":{"id":"' || replace(id::text, '-', '') || '","description":"' || repeat('опис ', 300) || '"}}'
    FROM made`,
  // These lexemes are as the service makes them: some 60, half of them stems.
  `INSERT INTO tender_words SELECT id, concat_ws(' ', ${lexemes('rare', `made.n % ${WORDS.rare}`, `'1A'`)},
      (SELECT string_agg(${lexemes('usual', PICKED, `(k + 2) || 'B'`)}, ' ')
        FROM generate_series(0, ${USUAL_OF_EACH - 1}) AS k),
      CASE WHEN made.n % 2 = 0 THEN ${lexemes('common', '0', `'${USUAL_OF_EACH + 2}C'`)} END,
      (SELECT string_agg(quote_literal('=cpv:' || left(cpv::text, length)), ' ') FROM generate_series(2, 8) AS length),
      quote_literal('=region:' || region), quote_literal('=buyer:' || buyer), quote_literal('=method:belowThreshold'))::tsvector
    FROM made`,
  `INSERT INTO word SELECT word, ndoc FROM ts_stat('SELECT words FROM tender_words') WHERE word NOT LIKE '=%'
    ON CONFLICT (word) DO UPDATE SET tenders = excluded.tenders`,
  `INSERT INTO key_count SELECT word, ndoc FROM ts_stat('SELECT words FROM tender_words') WHERE word LIKE '=%'
    ON CONFLICT (key) DO UPDATE SET tenders = excluded.tenders`,
  'ANALYZE tender, tender_body, tender_words, word, key_count',
] as const;
const WORD_TABLE = `CREATE TABLE bench_word (kind text, n integer, lexemes text, PRIMARY KEY (kind, n))`;
/** Words and what stands at their places. */
const TERMS = `INSERT INTO bench_word SELECT asked.kind, asked.n, string_agg(quote_literal(same.lexeme) || ':@', ' ')
  FROM json_to_recordset($2) AS asked(kind text, n integer, word text), tender_words, unnest(words) AS own, unnest(words) AS same
  WHERE id = $1::uuid AND own.lexeme = asked.word AND own.positions[1] = ANY(same.positions) GROUP BY 1, 2`;

/** Reads the terms that the service makes of all words. Call it once, before `generateTenders`. */
export async function readGeneratedWords(stack: Stack): Promise<void> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const all = Object.entries(WORDS).flatMap(([kind, count]) =>
    // Safe cast: the keys of the table.
    Array.from({ length: count }, (_, n) => ({ kind, n, word: generatedWord(kind as keyof typeof WORDS, n) })),
  );
  await withRegister(stack, async (client) => {
    await client.query(WORD_TABLE);
    for (let from = 0; from < all.length; from += WORDS_OF_TENDER) {
      const own = all.slice(from, from + WORDS_OF_TENDER);
      const { id } = await publish(buyer, minimalTender({ description: own.map(({ word }) => word).join(' ') }));
      const isStored = async (): Promise<boolean> =>
        (await client.query(TERMS, [id, JSON.stringify(own)])).rowCount === own.length;
      await waitFor(isStored, { what: 'the terms of words' });
    }
  });
}

/** Adds tenders `from` to `to` before all others; returns ids of some of them. */
export async function generateTenders(
  stack: Stack,
  from: number,
  to: number,
  idCount: number,
): Promise<readonly string[]> {
  return withRegister(stack, async (client) => {
    await client.query(numbers(from, to));
    for (const statement of FILL) await client.query(statement);
    const { rows } = await client.query<{ id: string }>(
      `SELECT replace(id::text, '-', '') AS id FROM made ORDER BY id LIMIT ${idCount}`,
    );
    return rows.map(({ id }) => id);
  });
}
