import { formatDataRef, type DataReference } from '@procurement/contracts/events/envelope';
import { eventDataSubject } from '@procurement/contracts/events/subjects';
import type pg from 'pg';
import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { Bus } from '../bus.ts';
import { EVENT_BYTES_HARD_MAX } from '../event-bytes.ts';
import { parseEnvelope } from '../parse-envelope.ts';
import { respondTo } from '../request/request.ts';

// Large events (docs/decisions/0057-size-of-events-and-streams.md): the relay publishes them without `data`, with a reference;
// a consumer requests the data from the publisher, in parts, before it opens its transaction.

/** Bytes of one part. In base64 less than the 1 MB that a NATS server accepts by default. */
const PART_BYTES = 512 * 1024;
const PURGE_BATCH_ROWS = 100;
/** The stream counts the age from the publication, the table from shortly before it. Clocks differ, too. */
const KEPT_LONGER_MS = 24 * 3_600_000;

const Request = z.object({ id: z.uuid(), from: z.int().nonnegative() });

const SELECT_PART = `SELECT encode(substring(data FROM $2 FOR ${PART_BYTES}), 'base64') AS part FROM kit.event_data WHERE id = $1`;
const RENEW = 'UPDATE kit.event_data SET published_at = now() WHERE id = $1';
const SELECT_REFERENCE = `SELECT attributes, octet_length(data) AS size, sha256 FROM kit.event_data WHERE id = $1`;
// `data` is the last member of an envelope, and no member before it is an object. Inside a string a quote is escaped. So the
// first `,"data":` begins it.
const DATA_MEMBER = ',"data":';
const INSERT = `INSERT INTO kit.event_data (id, attributes, data, sha256)
  SELECT id, left(envelope, place - 1) || '}', data, encode(sha256(data), 'hex') FROM (
    SELECT id, envelope, place,
      convert_to(substr(envelope, place + ${DATA_MEMBER.length}, length(envelope) - place - ${DATA_MEMBER.length}), 'UTF8') AS data
    FROM (SELECT id, envelope, strpos(envelope, '${DATA_MEMBER}') AS place FROM kit.outbox
      WHERE id = $1 AND octet_length(envelope) <= ${EVENT_BYTES_HARD_MAX}) AS found
    WHERE place > 0) AS split
  ON CONFLICT (id) DO NOTHING`;
const PURGE = `DELETE FROM kit.event_data WHERE id IN
  (SELECT id FROM kit.event_data WHERE published_at < now() - make_interval(secs => $1) ORDER BY published_at LIMIT ${PURGE_BATCH_ROWS})`;

/**
 * Stores the data of an event of the outbox for requests, and returns the text to publish instead of its envelope. Undefined
 * when the row is no event envelope or larger than an event may be.
 */
export async function storeEventData(db: Pick<pg.Client, 'query'>, id: string): Promise<string | undefined> {
  const { rowCount } = await db.query({ name: 'event-data-renew', text: RENEW, values: [id] });
  if (rowCount === 0) await db.query({ name: 'event-data-insert', text: INSERT, values: [id] });
  const { rows } = await db.query<{ attributes: string; size: number; sha256: string }>({
    name: 'event-data-reference',
    text: SELECT_REFERENCE,
    values: [id],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const reference: DataReference = { dataref: formatDataRef(id), datasize: row.size, datasha256: row.sha256 };
  const text = `${row.attributes.slice(0, -1)},${JSON.stringify(reference).slice(1)}`;
  return parseEnvelope(text) === undefined ? undefined : text;
}

/** Deletes at most 100 rows whose event the stream has discarded, by the age limit of the stream. */
export async function purgeEventData(db: Pick<pg.Client, 'query'>, streamAgeMaxMs: number): Promise<void> {
  await db.query(PURGE, [(streamAgeMaxMs + KEPT_LONGER_MS) / 1_000]);
}

/** Responds with parts of the data of large events of this service. */
export function respondEventData(
  stream: string,
  deps: { readonly bus: Bus; readonly pool: pg.Pool; readonly log: Logger },
): void {
  respondTo(deps.bus, eventDataSubject(stream), deps.log, async (request) => {
    const { id, from } = Request.parse(request);
    const statement = { name: 'event-data-part', text: SELECT_PART, values: [id, from + 1] };
    return (await deps.pool.query<{ part: string }>(statement)).rows[0]?.part;
  });
}
