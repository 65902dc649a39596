import { createHmac } from 'node:crypto';
import { openStorage } from '@procurement/kit/files/open-storage';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Config } from './config.ts';
import { makeLogFiles } from './files/log-files.ts';
import type { ReadDeps } from './http/log-answer.ts';
import { beginHead } from './store/head.store.ts';
import { makeNodes } from './store/nodes.ts';
import type { WriterDeps } from './writer/deps.ts';

/** What one process serves requests with, and writes the log with. */
export type Deps = WriterDeps & ReadDeps & { readonly config: Config };

export function makeDeps(config: Config, context: Omit<ServiceContext, 'outbox' | 'ids'>): Deps {
  const files = makeLogFiles(
    openStorage({
      setting: 'LEDGER_STORE',
      storage: config.LEDGER_STORE,
      s3: { accessKey: config.S3_ACCESS_KEY, secretKey: config.S3_SECRET_KEY, region: config.S3_REGION },
    }),
  );
  return {
    ...context,
    config,
    files,
    nodes: makeNodes(async (tile) => files.readTile(tile)),
    signers: config.signers,
    origin: config.LEDGER_ORIGIN,
    blindKey: config.blindKey,
    witnesses: config.witnesses,
    receiptKeys: config.receiptKeys,
    intervalMs: config.LEDGER_INTERVAL_MS,
    databaseUrl: config.DATABASE_URL,
  };
}

/** Makes the head of an empty log. Throws when the log began with another blind key: its commitments could not be opened. */
export async function requireBlindKey({ pool, blindKey }: Pick<Deps, 'pool' | 'blindKey'>): Promise<void> {
  const digest = createHmac('sha256', blindKey).update('blind check').digest();
  const stored = await beginHead(pool, digest);
  if (!stored.equals(digest)) throw new Error('LEDGER_BLIND_KEY is not the key with which this log began');
}
