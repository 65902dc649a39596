import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifyEnvironment } from './environment.ts';
import { CannotCheckError } from './report.ts';

/** An answer. A folder answers 404 for a file that it does not have. There are bytes only with 200. */
export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Answers requests for paths, which begin with `log/` or `api/`. */
export interface Source {
  readonly address: string;
  read(path: string, bytesMax?: number): Promise<Answer>;
}

/** Most bytes of a text of a tender or a bid. */
export const TEXT_BYTES_MAX = 64 * 1_048_576;
/** Most bytes of any other answer: those of the longest bundle, a little more than 1 MiB. */
const OTHER_BYTES_MAX = 256 * (2 + 4_096);
const TIME_OUT_MS = 30_000;
const NOTHING = Buffer.alloc(0);
/** The gateway refuses a reader that asks too fast, and says how long to wait (`Retry-After`). */
const TOO_MANY = 429;
const ATTEMPTS = 10;
const WAIT_SECONDS = { min: 1, max: 10 } as const;
/** Most requests at once: a slow connection counts an eighth, and no server is flooded. */
const REQUESTS_MAX = 8;

/** Asks one address. Its server may be hostile: redirects are not followed, an answer has a bound, and 30 seconds to arrive. */
export class HttpSource implements Source {
  readonly address: string;
  readonly #environment: VerifyEnvironment;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(environment: VerifyEnvironment, address: string) {
    this.#environment = environment;
    this.address = address;
  }

  async read(path: string, bytesMax = OTHER_BYTES_MAX): Promise<Answer> {
    if (this.#running === REQUESTS_MAX) await new Promise<void>((start) => this.#waiting.push(start));
    else this.#running += 1;
    try {
      return await this.#askUntilAnswered(path, bytesMax);
    } finally {
      // The place goes to the request that has waited longest.
      const start = this.#waiting.shift();
      if (start === undefined) this.#running -= 1;
      else start();
    }
  }

  async #askUntilAnswered(path: string, bytesMax: number): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const { waitSeconds, ...answer } = await this.#ask(path, bytesMax);
      if (answer.status !== TOO_MANY || attempt === ATTEMPTS) return answer;
      await this.#environment.waitMs(waitSeconds * 1_000);
    }
  }

  async #ask(path: string, bytesMax: number): Promise<Answer & { readonly waitSeconds: number }> {
    const { signal } = this.#environment;
    const timeOut = AbortSignal.timeout(TIME_OUT_MS);
    const init: RequestInit = {
      redirect: 'manual',
      // Without a coding the bytes that arrive are those of the answer, so their bound is one of memory.
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, timeOut]),
    };
    try {
      const response = await this.#environment.fetch(`${this.address}/${path}`, init);
      const { status } = response;
      const waitSeconds = parseRetryAfterSeconds(response);
      if (status === 200) return { status, bytes: await readBody(response, bytesMax, path), waitSeconds };
      await response.body?.cancel();
      return { status, bytes: NOTHING, waitSeconds };
    } catch (error) {
      if (error instanceof CannotCheckError) throw error;
      const reason = timeOut.aborted ? 'no answer in 30 s' : reasonOf(error);
      throw new CannotCheckError(`GET ${this.address}/${path}: ${reason}`, { cause: error });
    }
  }
}

function parseRetryAfterSeconds({ headers }: Response): number {
  const asked = Number(headers.get('retry-after') ?? WAIT_SECONDS.min) || WAIT_SECONDS.min;
  return Math.min(WAIT_SECONDS.max, Math.max(WAIT_SECONDS.min, asked));
}

/** Returns the message of the cause, where `fetch` itself says only `fetch failed`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

async function readBody(response: Response, bytesMax: number, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > bytesMax) throw new CannotCheckError(`GET ${path}: more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a copy of `/log` in a folder. */
export class FolderSource implements Source {
  readonly address: string;

  constructor(folder: string) {
    this.address = folder;
  }

  async read(path: string, bytesMax = OTHER_BYTES_MAX): Promise<Answer> {
    const bytes = await readWhole(join(this.address, path.replace(/^log\//, '')), bytesMax);
    return bytes === undefined ? { status: 404, bytes: NOTHING } : { status: 200, bytes };
  }
}

const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR']);

/** Reads a file of at most so many bytes. Returns undefined when there is none. */
export async function readWhole(path: string, bytesMax: number): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path);
    if (size > bytesMax) throw new CannotCheckError(`${path}: more than ${bytesMax} bytes`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return undefined;
    if (error instanceof CannotCheckError) throw error;
    throw new CannotCheckError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Most bytes of the answers that are kept: more would be a copy of the log. */
const KEPT_BYTES_MAX = 64 * 1_048_576;

/** Answers that are dropped first where there are too many: tiles, which everybody can read again, then texts. */
const DROPPED = ['log/tile/', 'api/'] as const;

/** Keeps the newest answers, so that a contradiction can be shown to others. */
export class RecordingSource implements Source {
  /** The oldest first. */
  readonly answers = new Map<string, Buffer>();
  readonly #source: Source;
  #bytes = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  get address(): string {
    return this.#source.address;
  }

  async read(path: string, bytesMax?: number): Promise<Answer> {
    const answer = await this.#source.read(path, bytesMax);
    if (answer.status === 200) this.#keep(path, answer.bytes);
    return answer;
  }

  #keep(path: string, bytes: Buffer): void {
    this.#drop(path);
    this.answers.set(path, bytes);
    this.#bytes += bytes.length;
    for (const prefix of DROPPED) {
      for (const older of this.answers.keys()) {
        if (this.#bytes <= KEPT_BYTES_MAX) return;
        if (older.startsWith(prefix) && older !== path) this.#drop(older);
      }
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.answers.get(path)?.length ?? 0;
    this.answers.delete(path);
  }
}

/** Statuses of an answer that is kept back, or may come later. */
export const WITHHELD: ReadonlySet<number> = new Set([404, 410, 503]);

/** Reads an answer. Returns undefined when it is kept back. */
export async function readIfThere(source: Source, path: string, bytesMax?: number): Promise<Buffer | undefined> {
  const { status, bytes } = await source.read(path, bytesMax);
  if (status === 200) return bytes;
  if (WITHHELD.has(status)) return undefined;
  throw cannotRead(source, path, status);
}

/** Returns the error for a status that no log gives. */
export function cannotRead({ address }: Source, path: string, status: number): CannotCheckError {
  return new CannotCheckError(`GET ${address}/${path}: ${status}`);
}

/** Returns the address of the installation, which is that of the log without `/log`. Throws for a text that is no address of HTTP. */
export function parseBaseAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new CannotCheckError(`${address} is no address such as https://tenders.example.gov/log`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/log$/, '')}`;
}
