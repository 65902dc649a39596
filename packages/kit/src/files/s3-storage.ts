import { createHash } from 'node:crypto';
import { Client, S3Error } from 'minio';
import { StorageError, type FileSource, type Digest, type FileStorage } from './file-storage.ts';
import { splitIntoParts } from './split-into-parts.ts';

export interface S3Settings {
  /** Scheme, host and port. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

/** S3 requires 5 MiB of all parts but the last. Two parts are held in memory for each upload (http.md 2.9). */
export const PART_BYTES = 8 * 1024 * 1024;

/** Validity of an address. Only the start of a read needs it; a running read continues. */
const URL_SECONDS = 300;

/**
 * Files in a bucket of any S3, through the `minio` client. Its `putObject` of a stream buffers and uses a request that not every
 * server supports (platform.md 4.1), so parts are sent one by one: one fills while the previous is sent. Small files take one
 * request.
 */
export function s3Storage({ endpoint, bucket, accessKey, secretKey, region }: S3Settings): FileStorage {
  const useSSL = endpoint.protocol === 'https:';
  const port = endpoint.port === '' ? (useSSL ? 443 : 80) : Number(endpoint.port);
  const client = new Client({
    endPoint: endpoint.hostname,
    port,
    useSSL,
    accessKey,
    secretKey,
    region,
    pathStyle: true,
  });

  async function putWhole(key: string, type: string, body: Buffer, digest: Digest): Promise<void> {
    const stored = await withTimeout(async () =>
      client.putObject(bucket, key, body, body.length, { 'Content-Type': type }),
    );
    requireEtag(stored.etag, digest.md5);
  }

  /** Sends each part while the next one fills. Completes the upload only after the file was accepted and each etag matched. */
  async function putParts(key: string, type: string, body: AsyncIterator<Buffer>, first: Buffer, accept: () => Digest) {
    const uploadID = await withTimeout(async () =>
      client.initiateNewMultipartUpload(bucket, key, { 'Content-Type': type }),
    );
    try {
      const etags: { part: number; etag: string }[] = [];
      let sending: Promise<void> = Promise.resolve();
      let part: Buffer | undefined = first;
      while (part !== undefined) {
        const [filled, partNumber]: [Buffer, number] = [part, etags.length + 1];
        const etag = md5Hex(filled);
        etags.push({ part: partNumber, etag });
        sending = send({ key, uploadID, partNumber, etag }, filled);
        // Awaited below; until then a failure must not count as an unhandled rejection.
        sending.catch(() => undefined);
        const next = await body.next();
        await sending;
        part = next.done === true ? undefined : next.value;
      }
      const digest = accept();
      const { etag } = await withTimeout(async () => client.completeMultipartUpload(bucket, key, uploadID, etags));
      // For parts S3 returns the hash of their hashes; some servers return the hash of the whole file.
      if (etag !== digest.md5) requireEtag(etag, multipartEtag(etags));
      return digest;
    } catch (error) {
      await client.abortMultipartUpload(bucket, key, uploadID).catch(() => undefined);
      throw error;
    }
  }

  async function send(
    { key, uploadID, partNumber, etag }: { key: string; uploadID: string; partNumber: number; etag: string },
    part: Buffer,
  ): Promise<void> {
    const headers = { 'Content-MD5': base64(etag), 'Content-Length': String(part.length) };
    const stored = await withTimeout(async () =>
      client.uploadPart({ bucketName: bucket, objectName: key, uploadID, partNumber, headers }, part),
    );
    requireEtag(stored.etag, etag);
  }

  async function putVerified(key: string, type: string, { bytes, finish }: FileSource): Promise<Digest> {
    const body = splitIntoParts(bytes, PART_BYTES);
    const first = await body.next();
    const beginning = first.done === true ? Buffer.alloc(0) : first.value;
    if (beginning.length === PART_BYTES) return putParts(key, type, body, beginning, finish);
    const digest = finish();
    await putWhole(key, type, beginning, digest);
    return digest;
  }

  return {
    async prepare() {
      if (await withTimeout(async () => client.bucketExists(bucket))) return;
      try {
        await withTimeout(async () => client.makeBucket(bucket, region));
      } catch (error) {
        // Another replica was faster.
        if (!(await withTimeout(async () => client.bucketExists(bucket)))) throw error;
      }
    },

    async put(key, type, source, { replaces = false } = {}) {
      try {
        const digest = await putVerified(key, type, source);
        const stored = await head(key);
        if (stored?.bytes === digest.bytes) return digest;
        throw new StorageError(`${stored?.bytes} bytes in the bucket, ${digest.bytes} arrived`);
      } catch (error) {
        // The bucket may hold the file or not; if this removal fails too, the clean-up removes it.
        if (error instanceof StorageError && !replaces) await client.removeObject(bucket, key).catch(() => undefined);
        throw error;
      }
    },

    url: async (key) => new URL(await withTimeout(async () => client.presignedGetObject(bucket, key, URL_SECONDS))),

    head,

    async remove(key) {
      await withTimeout(async () => client.removeObject(bucket, key));
    },

    // The bucket removes parts of uploads that never ended: by a lifecycle rule, or by its clean-up.
    removeAbandoned: async () => undefined,
  };

  async function head(key: string) {
    try {
      return { bytes: (await client.statObject(bucket, key)).size };
    } catch (error) {
      if (error instanceof S3Error && (error.code === 'NotFound' || error.code === 'NoSuchKey')) return undefined;
      throw new StorageError('no response from the bucket', error);
    }
  }
}

/** Throws when the etag is not the hash of the sent bytes. A bucket with SSE-KMS returns other etags (decision 0039). */
function requireEtag(actual: string, expected: string): void {
  if (actual !== expected) throw new StorageError('the etag of the bucket does not match');
}

function md5Hex(part: Buffer): string {
  return createHash('md5').update(part).digest('hex');
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** The etag of a multipart object: the hash of the hashes of its parts, and their number. */
function multipartEtag(etags: readonly { readonly etag: string }[]): string {
  const hash = createHash('md5');
  for (const { etag } of etags) hash.update(Buffer.from(etag, 'hex'));
  return `${hash.digest('hex')}-${etags.length}`;
}

/** A part takes seconds; a bucket without a response for so long counts as unavailable. */
const RESPONSE_MS_MAX = 60_000;

async function withTimeout<T>(act: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StorageError('no response from the bucket')), RESPONSE_MS_MAX);
  });
  try {
    return await Promise.race([act(), timeout]);
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError('cannot write to the bucket', error);
  } finally {
    clearTimeout(timer);
  }
}
