import type { DocumentInput } from './resources.golden.ts';
import {
  credentialHeaders,
  randomHex,
  makeRefusal,
  withRepetition,
  type ApiRequest,
  type RequestOptions,
  type Send,
  type TransportSettings,
  type UploadBody,
} from './transport.ts';
import { ConnectionError } from './problem.ts';

/** A file to send. A Blob of the file system (`openFile` of `@procurement/client/node`) is read while it is sent. */
export interface FileContent {
  /** Name with its ending. It becomes the title of the document. */
  readonly name: string;
  /** Media type; without it the service guesses it from the ending. */
  readonly type?: string;
  readonly content: Blob | Uint8Array<ArrayBuffer> | string;
}

export interface UploadOptions extends RequestOptions {
  /** Called while the body is sent; each attempt counts from 0 again. Node only. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
}

/** The bytes of a file. */
export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes; undefined when the server does not say. */
  readonly bytes: number | undefined;
  readonly type: string;
}

/** fetch of Node reads a Blob into memory before it sends it; fetch of browsers streams a Blob, and a stream only over HTTP/2. */
const IS_NODE = typeof process !== 'undefined' && process.versions.node !== undefined;

/** The part of a form, with the name in UTF-8 (http.md 2.3). */
export function buildForm({ name, type, content }: FileContent, onProgress?: UploadOptions['onProgress']): UploadBody {
  const boundary = `form-${randomHex()}`;
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename*=utf-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percentEncoded)}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  const form = new Blob([`${head.join('\r\n')}\r\n\r\n`, content, `\r\n--${boundary}--\r\n`]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: form.size,
    open: () => (IS_NODE ? counted(form, onProgress) : form),
  };
}

/** `encodeURIComponent` leaves characters that RFC 5987 does not allow. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function counted(form: Blob, onProgress: UploadOptions['onProgress']): ReadableStream<Uint8Array> {
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sentBytes += chunk.byteLength;
      onProgress?.(sentBytes, form.size);
      controller.enqueue(chunk);
    },
  });
  return form.stream().pipeThrough(counter);
}

/** Sends a file to the document service; the answer is what `documents` of a bid, or `register`, takes. */
export async function uploadFile(send: Send, file: FileContent, options: UploadOptions = {}): Promise<DocumentInput> {
  const upload = buildForm(file, options.onProgress);
  const { body } = await send({ method: 'POST', path: '/upload', upload, options });
  // http.md 2.8: title, format, url and hash.
  return body.data as DocumentInput;
}

const REDIRECTS_MAX = 3;

/**
 * Opens the file at the address of a document. Key and token go to the API only, which redirects to the file; a file of a sealed bid
 * needs them. Repeats until the answer begins; a stream that breaks later fails in the reader, who may go on `fromByte`.
 */
export async function downloadFile(
  settings: TransportSettings,
  address: string,
  owners: readonly string[],
  options: RequestOptions = {},
  fromByte = 0,
): Promise<Download> {
  const request: ApiRequest = { method: 'GET', path: new URL(address).pathname, owners, options };
  const { download } = await withRepetition<{ readonly download: Download; readonly failure?: never }>(
    settings,
    request,
    async (signal) => {
      try {
        const credentials = await credentialHeaders(settings, request);
        const response = await followed(settings, { address, credentials, range: rangeFrom(fromByte) }, signal);
        if (response.ok && fromByte > 0 && response.status !== PARTIAL) throw new Error('the range was not answered');
        return response.ok ? { download: opened(response) } : makeRefusal(response, await response.text());
      } catch (error) {
        signal?.throwIfAborted();
        return { failure: {}, errorOf: (summary) => new ConnectionError(summary, error) };
      }
    },
  );
  return download;
}

const PARTIAL = 206;

function rangeFrom(byte: number): Readonly<Record<string, string>> {
  return byte > 0 ? { range: `bytes=${byte}-` } : {};
}

interface FileRequest {
  readonly address: string;
  /** Headers that only the API gets. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly range: Readonly<Record<string, string>>;
}

async function followed(
  { url, fetch }: TransportSettings,
  { address, credentials, range }: FileRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let next = address;
  for (let redirects = 0; ; redirects += 1) {
    const isApi = next.startsWith(`${url}/api/`);
    const response = await fetch(next, {
      headers: isApi ? { ...credentials, ...range } : range,
      // A browser hides the target of a redirect, so it follows by itself, and only without credentials.
      redirect: isApi && 'authorization' in credentials ? 'manual' : 'follow',
      ...(signal === undefined ? {} : { signal }),
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    if (redirects >= REDIRECTS_MAX) throw new Error('too many redirects');
    await response.body?.cancel();
    next = new URL(location, next).href;
  }
}

function opened(response: Response): Download {
  const length = response.headers.get('content-length');
  return {
    // 204 for a file without bytes (http.md 2.8).
    stream: response.body ?? new Blob([]).stream(),
    bytes: response.status === 204 ? 0 : length === null ? undefined : Number(length),
    type: response.headers.get('content-type') ?? 'application/octet-stream',
  };
}
