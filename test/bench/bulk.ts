import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { serviceCommand } from '../support/service-command.ts';
import { interfaceTender } from '../support/request-bodies.ts';
import { copyTo } from './copy-rows.ts';
import { MEBIBYTE, memoryBytes } from './process-memory.ts';
import type { BenchmarkRow } from './row.ts';

/** BULK_TENDERS=100000 for the number of the bar (register.md 13, B11). */
const TENDERS = Number(process.env['BULK_TENDERS'] ?? 20_000);
/** Enough for the memory to reach the size that it keeps: it does not depend on the number. */
const FEW = Math.round(TENDERS / 2);
const GROWTH_MB_MAX = 20;

// Texts of a usual size, each with a part that does not compress. Positions before those of the log.
const FILL = `WITH rows AS (SELECT n, md5(n::text) AS id, replace($1, $2, md5(n::text)) AS text,
    (SELECT string_agg(md5(n::text || part), '') FROM generate_series(1, 20) AS part) AS noise
    FROM generate_series($3::integer, $4::integer) AS n),
  texts AS (SELECT n, id::uuid, left(text, -2) || ',"noise":"' || noise || '"}}' AS text FROM rows),
  bodies AS (INSERT INTO tender_body (id, body) SELECT id, text FROM texts),
  tenders AS (INSERT INTO tender (id, position, rev, created, listed, is_test, complete, status, method, cpv, regions)
    SELECT id, 1000000000000000 + n, 1, 1000000000000000 + n, true, false, true, '', '', '{}', '{}' FROM texts)
  INSERT INTO revision (position, id, rev, listed, is_test, causes, cpv, regions, bytes)
  SELECT 1000000000000000 + n, id, 1, true, false, 1, '{}', '{}', octet_length(text) FROM texts`;
const COPY = 'COPY (SELECT body FROM tender JOIN tender_body USING (id) WHERE listed ORDER BY position) TO STDOUT';

/** A complete export against the COPY of the same rows through gzip, and the memory of the register meanwhile. */
export async function bulkRows(stack: Stack): Promise<BenchmarkRow[]> {
  const created = await broker(stack.gatewayUrl, 'broker1', '2.5').post('/tenders', interfaceTender());
  const { id } = created.body.data;
  const body = (await broker(stack.gatewayUrl, undefined, '2.5').get(`/tenders/${id}`)).text;
  const client = new pg.Client({ connectionString: stack.databaseUrl('register') });
  await client.connect();
  try {
    const fill = async (from: number, to: number): Promise<void> => {
      await client.query(FILL, [body, id, from, to]);
      await client.query('ANALYZE tender, tender_body, revision');
    };
    await fill(1, FEW);
    const few = await measureExport(stack);
    await fill(FEW + 1, TENDERS);
    const copySeconds = await copyThroughGzip(client);
    const many = await measureExport(stack);
    const [own, copy] = [TENDERS / many.seconds, TENDERS / copySeconds];
    return [
      {
        what: `complete export of ${TENDERS} tenders, against COPY through gzip -6`,
        ratio: own / copy,
        atLeast: 0.5,
        figures: `${Math.round(own)}/s of ${Math.round(copy)}/s`,
      },
      {
        what: `peak memory of the register, export of ${TENDERS} against ${FEW} tenders, parts of ${GROWTH_MB_MAX} MB`,
        ratio: (many.peakMb - few.peakMb) / GROWTH_MB_MAX,
        atMost: 1,
        figures: `${Math.round(many.peakMb)} MB after ${Math.round(few.peakMb)} MB`,
      },
    ];
  } finally {
    await client.end();
  }
}

async function measureExport(stack: Stack): Promise<{ readonly seconds: number; readonly peakMb: number }> {
  const before = await exportSeconds(stack);
  await serviceCommand(stack, 'register', 'exports', 'run', 'tenders');
  const peakMb = memoryBytes(stack.parts.register.pid(), 'VmHWM') / MEBIBYTE;
  return { seconds: (await exportSeconds(stack)) - before, peakMb };
}

async function exportSeconds(stack: Stack): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${stack.ports.register}/metrics`)).text();
  return Number(/^export_seconds\{[^}]*kind="tenders"[^}]*\} (\S+)$/m.exec(text)?.[1] ?? 0);
}

async function copyThroughGzip(client: pg.Client): Promise<number> {
  const startedMs = performance.now();
  const gzip = createGzip({ level: 6 });
  gzip.resume();
  await copyTo(client, COPY, (chunk) => void gzip.write(chunk));
  gzip.end();
  await once(gzip, 'end');
  return (performance.now() - startedMs) / 1_000;
}
