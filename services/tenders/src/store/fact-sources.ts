import { tenderEvents } from '@procurement/contracts/events/tender.events';
import { sqlFactSource, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import type pg from 'pg';
import { z } from 'zod';

const KEYS = 'SELECT id AS key, octet_length(facts) AS bytes FROM tender WHERE id > $1 ORDER BY id LIMIT $2';
const FACTS = 'SELECT id, facts FROM tender WHERE id = ANY($1::text[])';
const Row = z.object({ id: z.string(), facts: z.string() });
const Data = z.looseObject({ version: z.int() });

/** The facts of every tender, as its last `tender.created` or `tender.changed` carried them. */
export function factSources(pool: pg.Pool): Readonly<Record<string, FactSource>> {
  return {
    'tender.changed': sqlFactSource(pool, {
      schema: tenderEvents['tender.changed'].schema,
      name: 'tender-changed',
      keysSql: KEYS,
      factsSql: FACTS,
      read(row) {
        const { id, facts } = Row.parse(row);
        const data = Data.parse(JSON.parse(facts));
        return { subject: id, version: data.version, data };
      },
    }),
  };
}
