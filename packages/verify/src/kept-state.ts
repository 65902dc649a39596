import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@procurement/proof/hash';
import { CannotCheckError } from './report.ts';
import { readWhole } from './source.ts';

/** Address and keys of a log that a reader has pinned. */
export interface Trust {
  /** Address of the log: ends with `/log`, or is the base before it. */
  readonly url: string;
  readonly policy: string;
  /** Keys that sign receipts. */
  readonly receipts: readonly string[];
}

const FILE_BYTES_MAX = 1_048_576;

/** Files of the reader: trusted keys, the newest checkpoint that was seen, evidence. */
export class KeptState {
  readonly #folder: string;

  constructor(folder: string | undefined, env: Readonly<Record<string, string | undefined>>) {
    const home = env['HOME'] ?? homedir();
    this.#folder = folder ?? env['VERIFY_PROCUREMENT_HOME'] ?? join(home, '.verify-procurement');
  }

  /** Returns the address of the log that was trusted last. */
  async currentUrl(): Promise<string | undefined> {
    return (await this.#read('current'))?.trim();
  }

  async trust(url: string): Promise<Trust | undefined> {
    const text = await this.#read(folderName(url), 'trust.json');
    // Written by `keepTrust` only.
    return text === undefined ? undefined : (JSON.parse(text) as Trust);
  }

  keepTrust(trust: Trust): void {
    this.#write([folderName(trust.url), 'trust.json'], `${JSON.stringify(trust, null, 1)}\n`);
    this.#write(['current'], `${trust.url}\n`);
  }

  /** Returns the newest checkpoint of the log that this reader has seen. */
  async checkpoint(url: string): Promise<string | undefined> {
    return this.#read(folderName(url), 'checkpoint');
  }

  keepCheckpoint(url: string, note: string): void {
    this.#write([folderName(url), 'checkpoint'], note);
  }

  /** Writes evidence and returns the path of its file. */
  keepEvidence(url: string, name: string, evidence: unknown): string {
    return this.#write([folderName(url), name], `${JSON.stringify(evidence, null, 1)}\n`);
  }

  async #read(...path: readonly string[]): Promise<string | undefined> {
    return (await readWhole(join(this.#folder, ...path), FILE_BYTES_MAX))?.toString();
  }

  /** Replaces a file as a whole: a command that was ended leaves the former one. */
  #write(path: readonly string[], text: string): string {
    const file = join(this.#folder, ...path);
    const made = `${file}.${process.pid}`;
    try {
      mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
      writeFileSync(made, text, { mode: 0o600 });
      chmodSync(made, 0o600);
      renameSync(made, file);
    } catch (error) {
      throw new CannotCheckError(`${file} cannot be written: ${String(error)}`, { cause: error });
    }
    return file;
  }
}

/** Names the folder of a log by its address. */
function folderName(url: string): string {
  return sha256(url).toString('hex').slice(0, 16);
}
