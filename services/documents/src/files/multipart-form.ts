import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { Dicer } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { fieldName, parseFileName } from './part-file-name.ts';
import { watchArrival, type StreamTimeouts } from './stream-timeouts.ts';

/** The file of a form: the name and type of its part, and its bytes, not yet read. */
export interface FormFile {
  /** The name as sent, after decoding. */
  readonly name: string;
  readonly contentType: string | undefined;
  readonly bytes: Readable;
}

/** A form up to its file; parts after the file are ignored. */
export interface Form {
  /** Text parts before the file, by name. */
  readonly fields: ReadonlyMap<string, string>;
  readonly file?: FormFile;
}

export interface FormOptions {
  /** The content type with the boundary. */
  readonly contentType: string | undefined;
  readonly fileNames: readonly string[];
  /** Time-outs for all that comes before the bytes of the file. */
  readonly timeouts: StreamTimeouts;
}

const FIELDS_MAX = 20;
/** Parts of any kind: each costs 40 µs, however short it is. */
const PARTS_MAX = 100;
const TEXT_PARTS_BYTES_MAX = 64 * 1024;
const PART_HEADER_BYTES_MAX = 16 * 1024;
/** Headers of a part; real ones have two or three. */
const PART_HEADERS_MAX = 50;

/**
 * Reads a multipart form up to its first file part with one of these names; other parts are discarded as they arrive (http.md
 * 2.3). The bytes of the file are read on demand, so a slow storage slows the sender down. Throws 422 `body.undecodable` when the
 * body is no form or ends early; the stream of the file fails with the same error. Throws 408 when the sender stalls before its file.
 */
export async function openForm(source: Readable, { contentType, fileNames, timeouts }: FormOptions): Promise<Form> {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '');
  if (boundary === null) throw undecodable();
  // A variable, because the parser's types lack its option `maxHeaderSize`.
  const config = {
    boundary: boundary[1] ?? boundary[2] ?? '',
    maxHeaderPairs: PART_HEADERS_MAX,
    maxHeaderSize: PART_HEADER_BYTES_MAX,
  };
  const dicer = new Dicer(config);
  return new Promise<Form>((resolve, reject) => {
    const stopWatching = watchArrival(source, timeouts, (refusal) => fail(refusal));
    const open = (form: Form): void => {
      stopWatching();
      resolve(form);
    };
    const fields = new Map<string, string>();
    let partCount = 0;
    let textCount = 0;
    let textBytes = 0;
    let openPart: Readable | undefined;
    const fail = (error: Error): void => {
      stopWatching();
      source.unpipe(dicer);
      // Reported to the reader of the file once it is open, before that to the caller of openForm.
      openPart?.destroy(error);
      reject(error);
    };
    const readTextPart = (name: string, part: Readable): void => {
      textCount += 1;
      const chunks: Buffer[] = [];
      part.on('data', (chunk: Buffer) => {
        textBytes += chunk.length;
        if (textBytes > TEXT_PARTS_BYTES_MAX || textCount > FIELDS_MAX) fail(undecodable());
        else chunks.push(chunk);
      });
      part.once('end', () => fields.set(name, Buffer.concat(chunks).toString('utf8')));
    };
    dicer.on('part', (part: Readable) => {
      part.on('error', fail);
      partCount += 1;
      if (partCount > PARTS_MAX) {
        part.resume();
        fail(undecodable());
        return;
      }
      part.once('header', (header: Readonly<Record<string, readonly string[] | undefined>>) => {
        const disposition = header['content-disposition']?.[0] ?? '';
        const [name, fileName] = [fieldName(disposition), parseFileName(disposition)];
        if (fileName === null) fail(undecodable());
        else if (openPart !== undefined || name === undefined) part.resume();
        else if (fileName === undefined) readTextPart(name, part);
        else if (!fileNames.includes(name)) part.resume();
        else {
          openPart = part;
          const type = header['content-type']?.[0];
          open({ fields, file: { name: fileName, contentType: type, bytes: part } });
        }
      });
    });
    // A form that ends early is an error of the parser. An error that nobody listens for ends the process.
    dicer.on('error', () => fail(undecodable()));
    dicer.once('finish', () => open({ fields }));
    source.on('error', fail);
    source.once('close', () => {
      if (!source.readableEnded) fail(new ProblemError(problem('request.bad')));
    });
    source.pipe(dicer);
  });
}

function undecodable(): ProblemError {
  return new ProblemError(problem('body.undecodable'));
}
