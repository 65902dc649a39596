import type pg from 'pg';
import { splitIntoChunks } from './byte-chunks.ts';
import { unpackTexts } from '../revisions/text-packs.ts';

/** Bytes of a body, whether it is in its row or in a pack. An expression over `ocds_release`. */
export const RELEASE_BYTES = 'coalesce(bytes, octet_length(body))';

/** Compressed packs that are in memory at once; each is unpacked alone. */
const PACKS_BYTES_MAX = 2_000_000;

const BODIES = 'SELECT seq, ocid, body FROM ocds_release WHERE seq = ANY($1::bigint[])';
// Packs of a process do not overlap, so that the last one that begins at or before a release has it.
const PLACES = `SELECT DISTINCT asked.ocid, pack."firstSeq", pack.bytes
  FROM unnest($1::text[], $2::bigint[]) AS asked (ocid, seq) CROSS JOIN LATERAL
    (SELECT first_seq AS "firstSeq", octet_length(pack) AS bytes FROM ocds_pack
      WHERE ocds_pack.ocid = asked.ocid AND first_seq <= asked.seq ORDER BY first_seq DESC LIMIT 1) AS pack`;
const PACKS = `SELECT pack FROM unnest($1::text[], $2::bigint[]) AS asked (ocid, first_seq)
  JOIN ocds_pack USING (ocid, first_seq)`;

interface BodyRow {
  readonly seq: string;
  readonly ocid: string;
  readonly body: string | null;
}

interface PackPlace {
  readonly ocid: string;
  readonly firstSeq: string;
  readonly bytes: number;
}

/**
 * Bodies of releases by `seq`, byte for byte as they were published, in the order that was asked for. Throws when one is missing. What is
 * asked for is in memory, and packs one by one.
 */
export async function releaseBodies(pool: pg.Pool, seqs: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  const found = await readBodies(pool, seqs);
  const missing = seqs.find((seq) => !found.has(seq));
  if (missing !== undefined) throw new Error(`release ${missing} has no body`);
  return new Map(seqs.map((seq) => [seq, found.get(seq) ?? '']));
}

async function readBodies(pool: pg.Pool, seqs: readonly bigint[]): Promise<Map<bigint, string>> {
  const { rows } = await pool.query<BodyRow>({ name: 'ocds-bodies', text: BODIES, values: [seqs] });
  const bodies = new Map<bigint, string>();
  const packed: BodyRow[] = [];
  for (const row of rows) {
    if (row.body === null) packed.push(row);
    else bodies.set(BigInt(row.seq), row.body);
  }
  if (packed.length > 0) await addPacked(pool, packed, bodies);
  return bodies;
}

async function addPacked(pool: pg.Pool, packed: readonly BodyRow[], bodies: Map<bigint, string>): Promise<void> {
  const asked = new Set(packed.map(({ seq }) => BigInt(seq)));
  const { rows } = await pool.query<PackPlace>({
    name: 'ocds-pack-places',
    text: PLACES,
    values: [packed.map(({ ocid }) => ocid), packed.map(({ seq }) => seq)],
  });
  for (const places of splitIntoChunks(rows, PACKS_BYTES_MAX)) {
    const packs = await pool.query<{ pack: Buffer }>({
      name: 'ocds-packs',
      text: PACKS,
      values: [places.map(({ ocid }) => ocid), places.map(({ firstSeq }) => firstSeq)],
    });
    for (const { pack } of packs.rows)
      for (const { position, text } of await unpackTexts(pack)) if (asked.has(position)) bodies.set(position, text);
  }
}
