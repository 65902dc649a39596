import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { sqlFactSource, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import type pg from 'pg';
import { z } from 'zod';

const KEYS = 'SELECT id AS key, octet_length(facts) AS bytes FROM tender WHERE id > $1 ORDER BY id LIMIT $2';
// The version of the row: that of the text is of its last change, and does not grow when a loss is accepted.
const FACTS = 'SELECT id, version, facts FROM tender WHERE id = ANY($1::text[])';
const EXISTING = 'SELECT id AS key FROM tender WHERE id = ANY($1::text[])';
const Row = z.object({ id: z.string(), version: z.coerce.number().int(), facts: z.string() });

/** The facts of every tender, as its last `tender.created` or `tender.changed` carried them. */
export function factSources(pool: pg.Pool): Readonly<Record<string, FactSource>> {
  return {
    'tender.changed': sqlFactSource(pool, {
      schema: tenderEvents['tender.changed'].schema,
      name: 'tender-changed',
      keysSql: KEYS,
      factsSql: FACTS,
      existingSql: EXISTING,
      read(row) {
        const { id, version, facts } = Row.parse(row);
        return { subject: id, version, data: { ...JSON.parse(facts), version } };
      },
    }),
  };
}
