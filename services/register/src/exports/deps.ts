import type { FileStorage } from '@procurement/kit/files/file-storage';
import { openStorage } from '@procurement/kit/files/open-storage';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import type { OcdsAccess } from '../ocds/domain/ocds-access.ts';
import { exportsStore, type ExportsStore } from './exports.store.ts';

/** What answers about exports need. */
export interface ExportsDeps {
  readonly config: {
    readonly ocds: OcdsAccess;
    readonly PUBLIC_BASE_URL: string;
    readonly EXPORTS_PUBLIC_URL?: string | undefined;
    readonly EXPORT_LICENSE: string;
  };
  readonly log: Logger;
  readonly exports: ExportsStore;
  readonly exportFiles: FileStorage;
}

/** Where exports are stored. */
export interface ExportStoreSettings {
  readonly EXPORT_STORE: string;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly S3_SECRET_KEY?: string | undefined;
  readonly S3_REGION: string;
}

export function makeExports(
  settings: ExportStoreSettings,
  pool: pg.Pool,
): Pick<ExportsDeps, 'exports' | 'exportFiles'> {
  return { exports: exportsStore(pool), exportFiles: exportFiles(settings) };
}

/** Does not connect. */
export function exportFiles({
  EXPORT_STORE,
  S3_ACCESS_KEY,
  S3_SECRET_KEY,
  S3_REGION,
}: ExportStoreSettings): FileStorage {
  return openStorage({
    setting: 'EXPORT_STORE',
    storage: EXPORT_STORE,
    s3: { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION },
  });
}
