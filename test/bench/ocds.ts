import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { patientBroker, until } from '../support/broker.ts';
import { minimalTender } from '../support/request-bodies.ts';
import type { BenchmarkRow } from './row.ts';

const TENDER_COUNT = 5_000;

// Copies of one public text, each as the first revision of a tender of its own, before what the follower has applied: the follower
// itself stays where it is.
const FILL = `WITH newest AS (
    SELECT text, replace(id::text, '-', '') AS id, (SELECT position FROM follow) AS reached
    FROM revision JOIN revision_text USING (position) WHERE id = $1 ORDER BY position DESC LIMIT 1),
  copies AS (
    SELECT reached - n AS position, md5(n::text) AS id,
      replace(replace(text, id, md5(n::text)), $2, 'UA-2001-01-01-' || lpad(n::text, 6, '0')) AS text
    FROM newest, generate_series(1, ${TENDER_COUNT}) AS n),
  revisions AS (
    INSERT INTO revision (position, id, rev, listed, is_test, causes, bytes)
    SELECT position, id::uuid, 1, true, false, 2, octet_length(text) FROM copies
    ON CONFLICT DO NOTHING RETURNING position)
  INSERT INTO revision_text (position, text) SELECT position, text FROM copies JOIN revisions USING (position)`;
const REWIND = `UPDATE ocds_position SET position = (SELECT position FROM follow) - ${TENDER_COUNT} - 1`;
const STATE = `SELECT ocds_position.position >= follow.position AS "isDone",
  (SELECT count(*)::int FROM ocds_release) AS releases FROM ocds_position, follow`;

/** How many tenders a second become releases, of texts as they are published. For information: ocds.md names no bar. */
export async function ocdsRows(stack: Stack): Promise<BenchmarkRow[]> {
  const buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  const { id, tenderID } = (await buyer.post('/tenders', minimalTender())).body.data;
  const seen = await buyer.get(`/tenders/${id}?opt_schema=ocds`);
  if (seen.status !== 200) throw new Error(`no release: ${seen.text}`);
  const client = new pg.Client({ connectionString: stack.databaseUrl('register') });
  await client.connect();
  try {
    const before = (await client.query<{ releases: number }>(STATE)).rows[0]?.releases ?? 0;
    await client.query(FILL, [id, tenderID]);
    const startedMs = performance.now();
    await client.query(REWIND);
    const releases = await until(
      'the releases of all tenders',
      async () => {
        const { rows } = await client.query<{ isDone: boolean; releases: number }>(STATE);
        return rows[0]?.isDone === true && rows[0].releases - before;
      },
      10 * 60_000,
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    return [
      {
        what: 'projection of tenders to releases, in thousands a second',
        ratio: releases / seconds / 1_000,
        figures: `${releases} tenders of ${Math.round(seen.text.length / 1_024)} KB in ${seconds.toFixed(1)} s`,
      },
    ];
  } finally {
    await client.end();
  }
}
