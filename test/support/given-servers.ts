import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabases } from '@procurement/local-stack/postgres';
import { loadOrCreateSecrets } from '@procurement/local-stack/secrets';
import type { StackOptions } from '@procurement/local-stack/stack';

/** The settings that name a store, by the services that have one. */
const STORES: Readonly<Record<string, string>> = {
  documents: 'STORAGE',
  register: 'EXPORT_STORE',
  ledger: 'LEDGER_STORE',
};

/**
 * Makes the services of a system use the PostgreSQL of TEST_DATABASE_URL and the object store of TEST_S3_URL, which `npm run test:containers`
 * starts. The system's own PostgreSQL runs beside it, unused. Answers no options without both addresses.
 */
export async function useGivenServers(): Promise<Pick<StackOptions, 'dataDir' | 'adjustEnv'>> {
  const { TEST_DATABASE_URL = '', TEST_S3_URL = '' } = process.env;
  if (TEST_DATABASE_URL === '' || TEST_S3_URL === '') return {};
  const dataDir = mkdtempSync(join(tmpdir(), 'procurement-story-'));
  const { postgres: _own, ...passwords } = (await loadOrCreateSecrets(dataDir)).databasePasswords;
  await ensureDatabases({ urlOf: (name) => new URL(`/${name}`, TEST_DATABASE_URL).href }, passwords);
  const store = new URL(TEST_S3_URL);
  return {
    dataDir,
    adjustEnv({ DATABASE_URL = '', NATS_USER: service = '', ...env }) {
      const database = new URL(DATABASE_URL);
      database.host = new URL(TEST_DATABASE_URL).host;
      const setting = STORES[service];
      const ofStore =
        setting === undefined
          ? {}
          : {
              [setting]: `s3:http://${store.host}/${service}`,
              S3_ACCESS_KEY: service,
              S3_SECRET_KEY: store.password,
            };
      return { ...env, NATS_USER: service, DATABASE_URL: database.href, ...ofStore };
    },
  };
}
