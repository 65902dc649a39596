import { documentEvents } from '@procurement/contracts/events/document.events';
import { readKeys } from '@procurement/kit/database/read-keys';
import { selectKeys, type Fact, type FactSource } from '@procurement/kit/messaging/repair/fact-pages';
import { isRepairing } from '@procurement/kit/messaging/repair/repair-rows';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import type pg from 'pg';
import { z } from 'zod';
import { documentFacts, TenderDocumentsRow, type PermanentUrl } from './documents-changed.ts';

const KEYS = `SELECT tender_id AS key, (SELECT coalesce(sum(octet_length(record) + 300), 0) FROM document_version
    WHERE document_version.tender_id = tender_documents.tender_id) + 200 AS bytes
  FROM tender_documents WHERE tender_id > $1 AND version > 0 ORDER BY tender_id LIMIT $2`;
const TENDERS = `SELECT tender_id AS "tenderId", version, bids_opened AND NOT bids_erased AS "bidsOpened",
  bids_erased AS "bidsErased" FROM tender_documents WHERE tender_id = ANY($1::text[])`;
const EXISTING = 'SELECT tender_id AS key FROM tender_documents WHERE tender_id = ANY($1::text[]) AND version > 0';
const Row = TenderDocumentsRow.extend({ tenderId: z.string() });

/** All public documents of every tender, as `document.changed` carries them. */
export function factSources(pool: pg.Pool, permanent: PermanentUrl): Readonly<Record<string, FactSource>> {
  return {
    'document.changed': {
      schema: documentEvents['document.changed'].schema,
      keys: async (after, max) => selectKeys(pool, { name: 'document-changed', keysSql: KEYS }, after, max),
      existing: async (tenderIds) => readKeys(pool, EXISTING, [tenderIds]),
      async facts(tenderIds) {
        // Whether documents of bids are public is decided by copies of tenders and bids.
        if (await isRepairing(pool)) throw new UnavailableError('a copy that is being repaired');
        const { rows } = await pool.query({ name: 'document-changed-tender', text: TENDERS, values: [tenderIds] });
        const facts: Fact[] = [];
        // The versions are read before the documents: these may be newer than their version says, never older.
        for (const row of z.array(Row).parse(rows)) {
          facts.push({ subject: row.tenderId, version: row.version, data: await documentFacts(pool, permanent, row) });
        }
        return facts;
      },
    },
  };
}
