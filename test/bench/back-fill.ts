import type { Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { interfaceTender } from '../support/request-bodies.ts';
import { copyBetween } from './copy-rows.ts';
import type { BenchmarkRow } from './row.ts';

/** The bar of register.md 13 (B9) is of 100,000: `npm run bench -- back-fill tenders=100000`. */
const TENDERS = 5_000;
const WAIT_MS = 1_800_000;

// Texts of a usual size. Positions before those of the log, so that the owner lists them.
const FILL = `WITH rows AS (SELECT n, md5(n::text) AS id, 
    replace(replace($1, $2, md5(n::text)), $4, 'UA-2001-01-01-' || lpad(n::text, 6, '0')) AS text
    FROM generate_series(1, $3::integer) AS n),
  views AS (INSERT INTO tender_view (tender_id, rev, body) SELECT id, 1, text FROM rows)
  INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT id, 1000000000000000 + n, 1, true, false, '{}', '{}' FROM rows`;
const SOURCE = 'COPY (SELECT stamp, body FROM tender_feed JOIN tender_view USING (tender_id) ORDER BY stamp) TO STDOUT';
const TABLES = `SELECT string_agg(oid::regclass::text, ', ') AS names FROM pg_class
  WHERE relnamespace IN ('public'::regnamespace, 'kit'::regnamespace) AND relkind = 'r' AND relname NOT LIKE '%migration%' AND relname <> 'audit'`;

/** The back-fill of an emptied register against COPY of the same texts into a table without an index (register.md 13, B9). */
export async function backFillRows(stack: Stack, tenders = TENDERS): Promise<BenchmarkRow[]> {
  const created = await broker(stack.gatewayUrl, 'broker1', '2.5').post('/tenders', interfaceTender());
  const { id, tenderID } = created.body.data;
  const body = (await broker(stack.gatewayUrl, undefined, '2.5').get(`/tenders/${id}`)).text;
  const owner = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  const register = new pg.Client({ connectionString: stack.databaseUrl('register') });
  await Promise.all([owner.connect(), register.connect()]);
  try {
    await stack.parts.register.stop();
    await owner.query(FILL, [body, id, tenders, tenderID]);
    await owner.query('ANALYZE tender_feed, tender_view');
    const copied = await copySeconds(owner, register);
    const { rows } = await register.query<{ names: string }>(TABLES);
    await register.query(`TRUNCATE ${rows[0]?.names}`);
    const filled = await fillSeconds(stack, register);
    const [own, copy] = [tenders / filled, tenders / copied];
    return [
      {
        what: `back-fill of ${tenders} tenders, against COPY into a table without an index (B9)`,
        ratio: own / copy,
        atLeast: 0.04,
        figures: `${Math.round(own)}/s of ${Math.round(copy)}/s`,
      },
    ];
  } finally {
    await Promise.all([owner.end(), register.end()]);
  }
}

async function copySeconds(owner: pg.Client, register: pg.Client): Promise<number> {
  await register.query('CREATE TABLE bare (stamp bigint, body text)');
  const startedMs = performance.now();
  await copyBetween({ client: owner, text: SOURCE }, { client: register, text: 'COPY bare FROM STDIN' });
  const seconds = (performance.now() - startedMs) / 1_000;
  await register.query('DROP TABLE bare');
  return seconds;
}

/** Seconds from the first contact with the owner to the end of the back-fill. */
async function fillSeconds(stack: Stack, register: pg.Client): Promise<number> {
  const state = async (): Promise<string | undefined> => {
    const { rows } = await register.query<{ state: string }>(
      `SELECT CASE WHEN backfill IS NULL THEN 'ended' ELSE 'begun' END AS state FROM follow`,
    );
    return rows[0]?.state;
  };
  const started = startUntilReady(stack);
  await waitFor(async () => (await state()) !== undefined, { what: 'the back-fill to begin', timeoutMs: WAIT_MS });
  const beganMs = performance.now();
  await waitFor(async () => (await state()) === 'ended', { what: 'the back-fill to end', timeoutMs: WAIT_MS });
  const seconds = (performance.now() - beganMs) / 1_000;
  await started;
  return seconds;
}

/** A start is given up, and its process ended, after a minute without readiness: a back-fill goes on where it was. */
async function startUntilReady(stack: Stack): Promise<void> {
  for (let start = 1; ; start += 1) {
    try {
      return await stack.parts.register.start();
    } catch (error) {
      if (start * 60_000 > WAIT_MS) throw error;
    }
  }
}
