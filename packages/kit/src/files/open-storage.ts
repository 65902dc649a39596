import { folderStorage } from './folder-storage.ts';
import { s3Storage } from './s3-storage.ts';
import type { FileStorage } from './file-storage.ts';

export interface StorageSettings {
  /** Name of the setting that holds `storage`, for errors. */
  readonly setting: string;
  /** `folder:<path>`, or `s3:<scheme>://<host>:<port>/<bucket>`. */
  readonly storage: string;
  readonly s3: {
    readonly accessKey?: string | undefined;
    readonly secretKey?: string | undefined;
    readonly region: string;
  };
}

/** The storage that the settings name. Throws when they name none. Does not connect: the first file does. */
export function openStorage({ setting, storage, s3 }: StorageSettings): FileStorage {
  if (storage.startsWith('folder:')) return folderStorage(storage.slice('folder:'.length));
  const s3Address = storage.startsWith('s3:') ? storage.slice('s3:'.length) : '';
  const address = URL.canParse(s3Address) ? new URL(s3Address) : null;
  const bucket = address?.pathname.slice(1) ?? '';
  if (address === null || bucket === '' || !/^https?:$/.test(address.protocol)) {
    throw new Error(`${setting} is neither folder:<path> nor s3:<http or https>://<host>/<bucket>`);
  }
  const { accessKey, secretKey, region } = s3;
  if (accessKey === undefined || secretKey === undefined) throw new Error('S3 needs S3_ACCESS_KEY and S3_SECRET_KEY');
  return s3Storage({ endpoint: address, bucket, accessKey, secretKey, region });
}
