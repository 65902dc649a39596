import { readFileSync } from 'node:fs';
import { makeLog } from '@procurement/kit/runtime/log';
import type { OcdsSettings } from '@procurement/ocds/settings';
import type pg from 'pg';
import { beginProjection } from '../src/ocds/ocds-position.store.ts';
import { projectBatch, type ProjectionDeps } from '../src/ocds/project-batch.ts';
import { storeRevisions } from './stored-revisions.ts';

type Members = Readonly<Record<string, unknown>>;

/** Settings of the service that give the packages of the examples (ocds.md 8). */
export const OCDS_ENV = {
  PUBLIC_BASE_URL: 'https://procurement.example',
  OCDS_OCID_PREFIX: 'ocds-213czf',
  SANDBOX_MODE: 'on',
  OCDS_PUBLISHER_NAME: 'Приклад: електронна система закупівель',
  OCDS_PUBLISHER_SCHEME: 'UA-EDR',
  OCDS_PUBLISHER_UID: '45678904',
  OCDS_PUBLISHER_URI: 'https://procurement.example/',
  OCDS_PUBLICATION_POLICY: 'https://procurement.example/ocds/policy',
} as const;

export const OCDS_SETTINGS: OcdsSettings = {
  publicBaseUrl: OCDS_ENV.PUBLIC_BASE_URL,
  ocidPrefix: OCDS_ENV.OCDS_OCID_PREFIX,
  language: 'uk',
  includeTest: true,
  contactPoints: 'procuringEntity',
  publisher: { name: OCDS_ENV.OCDS_PUBLISHER_NAME },
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
};

/** An example of packages/ocds, by the end of its file name. */
export function example(name: string): unknown {
  const url = new URL(`../../../packages/ocds/examples/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** Successive public views of a tender. */
export function exampleStates(name: string): readonly Members[] {
  return example(`${name}.states`) as readonly Members[];
}

/**
 * Stores the views of an example as revisions, without projecting them. With a year they are published in that year: positions must
 * grow from one example to the next.
 */
export async function storeExample(pool: pg.Pool, name: string, year = '2026'): Promise<void> {
  const states = exampleStates(name).map((tender) => ({
    ...tender,
    dateModified: String(tender['dateModified']).replace('2026', year),
  }));
  await storeRevisions(
    pool,
    states.map((tender, n) => ({ rev: n + 1, tender })),
  );
}

export function projection(pool: pg.Pool): ProjectionDeps {
  return { pool, log: makeLog('register', 'fatal'), settings: OCDS_SETTINGS };
}

/** Projects all that is applied. Returns the number of releases. */
export async function projectAll(pool: pg.Pool): Promise<number> {
  await beginProjection(pool);
  let releases = 0;
  for (;;) {
    const batch = await projectBatch(projection(pool));
    releases += batch.releases;
    if (!batch.isMore) return releases;
  }
}
