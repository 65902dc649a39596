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

/** Between the 5 MiB that S3 asks of all parts but the last, and memory: two of them are held for each upload (http.md 2.9). */
export const PART_BYTES = 8 * 1024 * 1024;

/** Long enough to begin reading; what has begun goes on. */
const URL_SECONDS = 300;

/**
 * Files in a bucket of any S3, by the `minio` client. `putObject` of a stream buffers, and asks servers for what not all have
 * (platform.md 4.1), so parts are sent by hand: one fills while the other is on its way. Small files are one request.
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
    const taken = await withTimeout(async () =>
      client.putObject(bucket, key, body, body.length, { 'Content-Type': type }),
    );
    requireEtag(taken.etag, digest.md5);
  }

  /** Sends parts one after the other while the next one fills; complete only what was accepted and what the bucket confirms. */
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
        const etag = md5Of(filled);
        etags.push({ part: partNumber, etag });
        sending = send({ key, uploadID, partNumber, etag }, filled);
        // Its failure is heard below; until then nobody else may call it unhandled.
        sending.catch(() => undefined);
        const next = await body.next();
        await sending;
        part = next.done === true ? undefined : next.value;
      }
      const digest = accept();
      const { etag } = await withTimeout(async () => client.completeMultipartUpload(bucket, key, uploadID, etags));
      // Of parts S3 tells the hash of their hashes; some servers that of the whole.
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
    const taken = await withTimeout(async () =>
      client.uploadPart({ bucketName: bucket, objectName: key, uploadID, partNumber, headers }, part),
    );
    requireEtag(taken.etag, etag);
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
    async put(key, type, arriving) {
      try {
        const digest = await putVerified(key, type, arriving);
        const kept = await head(key);
        if (kept?.bytes === digest.bytes) return digest;
        throw new StorageError(`${kept?.bytes} bytes in the bucket, ${digest.bytes} arrived`);
      } catch (error) {
        // What the bucket made of it is not known; the clean-up looks again.
        if (error instanceof StorageError) await client.removeObject(bucket, key).catch(() => undefined);
        throw error;
      }
    },

    url: async (key) => new URL(await withTimeout(async () => client.presignedGetObject(bucket, key, URL_SECONDS))),

    head,

    async remove(key) {
      await withTimeout(async () => client.removeObject(bucket, key));
    },

    // Parts of uploads that never ended are the bucket's: a lifecycle rule, or MinIO's own daily clean-up, removes them.
    removeAbandoned: async () => undefined,
  };

  async function head(key: string) {
    try {
      return { bytes: (await client.statObject(bucket, key)).size };
    } catch (error) {
      if (error instanceof S3Error && (error.code === 'NotFound' || error.code === 'NoSuchKey')) return undefined;
      throw new StorageError('the bucket does not answer', error);
    }
  }
}

/** Throws when the bucket kept other bytes than it was given. Where it encrypts by keys of its own its tags are no hashes. */
function requireEtag(actual: string, expected: string): void {
  if (actual !== expected) throw new StorageError('the bucket kept other bytes than it was given');
}

function md5Of(part: Buffer): string {
  return createHash('md5').update(part).digest('hex');
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** The tag of an object made of parts: the hash of their hashes, and how many they are. */
function multipartEtag(etags: readonly { readonly etag: string }[]): string {
  const hash = createHash('md5');
  for (const { etag } of etags) hash.update(Buffer.from(etag, 'hex'));
  return `${hash.digest('hex')}-${etags.length}`;
}

/** A part takes seconds; a bucket that says nothing for so long is away. */
const RESPONSE_MS_MAX = 60_000;

async function withTimeout<T>(act: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StorageError('the bucket says nothing')), RESPONSE_MS_MAX);
  });
  try {
    return await Promise.race([act(), timeout]);
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError('the bucket did not take a file', error);
  } finally {
    clearTimeout(timer);
  }
}
