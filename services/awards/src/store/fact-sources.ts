import { awardEvents } from '@procurement/contracts/events/award.events';
import { sqlFactSource, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import type pg from 'pg';
import { awardFacts } from '../domain/awarding.view.ts';
import { AWARDING_COLUMNS, readRow } from './awarding.row.ts';

const KEYS = `SELECT tender_id AS key, octet_length(document) + octet_length("inner") AS bytes FROM awarding
  WHERE tender_id > $1 ORDER BY tender_id LIMIT $2`;
const FACTS = `SELECT ${AWARDING_COLUMNS} FROM awarding WHERE tender_id = ANY($1::text[])`;
const EXISTING = 'SELECT tender_id AS key FROM awarding WHERE tender_id = ANY($1::text[])';

/** All awards and contracts of every tender, as its last `award.changed` carried them. */
export function factSources(pool: pg.Pool): Readonly<Record<string, FactSource>> {
  return {
    'award.changed': sqlFactSource(pool, {
      schema: awardEvents['award.changed'].schema,
      name: 'award-changed',
      keysSql: KEYS,
      factsSql: FACTS,
      existingSql: EXISTING,
      read(row) {
        const { state } = readRow(row);
        return { subject: state.id, version: state.version, data: awardFacts(state) };
      },
    }),
  };
}
