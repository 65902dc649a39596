import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixture, FIXTURES } from '../../proof/test-support/fixtures.ts';
import type { VerifyEnvironment } from '../src/environment.ts';
import { KeptState } from '../src/kept-state.ts';
import { runProgram } from '../src/program.ts';

type Content = string | { readonly base64: string };

/** A small log with all answers that the verifier asks for (docs/spec/proof.md 11). */
export interface Mirror {
  readonly about: string;
  readonly tender: string;
  readonly base: string;
  readonly now: number;
  readonly policy: string;
  readonly saved?: string;
  readonly files: Readonly<Record<string, Content>>;
  readonly expected: Readonly<
    Record<'tender' | 'opening', { readonly findings: readonly string[]; readonly exit: number }>
  >;
}

export const MIRRORS = readdirSync(join(FIXTURES, 'mirrors')).map((file) => file.replace('.json', ''));

export function readMirror(name: string): Mirror {
  return fixture(`mirrors/${name}.json`);
}

export function contentBytes(content: Content): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
}

export interface Answered {
  readonly exit: number;
  readonly printed: string;
}

/** Answer of `--json`. */
export interface JsonAnswer {
  readonly command: string;
  readonly origin: string;
  readonly size: number;
  readonly witnesses: readonly { readonly name: string; readonly time: number }[];
  readonly findings: readonly {
    readonly code: string;
    readonly about: string;
    readonly expected: string;
    readonly found: string;
  }[];
  readonly warnings: readonly string[];
  readonly exit: number;
  readonly error?: string;
}

/** A reader with a folder of its own, before a server that answers from a mirror. Its clock moves only when the verifier waits. */
export class Reader {
  readonly home = mkdtempSync(join(tmpdir(), 'verify-'));
  readonly asked: string[] = [];
  readonly waits: number[] = [];
  readonly state = new KeptState(this.home, {});
  agrees = true;
  mirror: Mirror;
  files: Record<string, Content>;
  /** Answers instead of the mirror. */
  answer: ((path: string) => Response | undefined) | undefined;

  constructor(mirror: Mirror) {
    this.mirror = mirror;
    this.files = { ...mirror.files };
    if (mirror.saved !== undefined) this.state.keepCheckpoint(mirror.base, mirror.saved);
  }

  async run(...args: readonly string[]): Promise<Answered> {
    const printed: string[] = [];
    const environment: VerifyEnvironment = {
      env: { VERIFY_PROCUREMENT_HOME: this.home },
      signal: new AbortController().signal,
      fetch: async (url) => this.#respond(url),
      nowSeconds: () => this.mirror.now + this.waits.reduce((sum, ms) => sum + ms, 0) / 1_000,
      waitMs: async (ms) => void this.waits.push(ms),
      confirm: async () => this.agrees,
      print: (text) => void printed.push(text),
    };
    const exit = await runProgram(args, environment);
    return { exit, printed: printed.join('\n') };
  }

  /** Runs a command after the reader has trusted the log. */
  async check(...args: readonly string[]): Promise<JsonAnswer> {
    await this.run('trust', `${this.mirror.base}/log`, '--yes');
    const { exit, printed } = await this.run('--json', ...args);
    const answer: JsonAnswer = JSON.parse(printed);
    if (answer.exit !== exit) throw new Error(`exit ${exit}, but ${printed}`);
    return answer;
  }

  #respond(url: string): Response {
    const { base } = this.mirror;
    if (!url.startsWith(`${base}/`)) throw new Error(`asked another origin: ${url}`);
    const path = url.slice(base.length + 1);
    this.asked.push(path);
    const given = this.answer?.(path);
    if (given !== undefined) return given;
    const content = this.files[path];
    return content === undefined
      ? new Response('', { status: 404 })
      : new Response(new Uint8Array(contentBytes(content)));
  }
}

/** Codes of the findings, each once, sorted. */
export function codesOf({ findings }: JsonAnswer): readonly string[] {
  return [...new Set(findings.map(({ code }) => code))].toSorted();
}

/** Writes a file below the home of a reader. Returns its path. */
export function fileIn(reader: Reader, name: string, content: string | Uint8Array): string {
  const path = join(reader.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** A copy of the log, as a reader may make it with wget. */
export function writeLogFolder(reader: Reader, name: string, files: Mirror['files']): string {
  for (const [path, content] of Object.entries(files))
    if (path.startsWith('log/')) fileIn(reader, join(name, path.slice(4)), contentBytes(content));
  return join(reader.home, name);
}

/** Returns the mirror `honest` with other answers. */
export function honestWith(files: Mirror['files']): Mirror {
  const honest = readMirror('honest');
  return { ...honest, files: { ...honest.files, ...files } };
}
