import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TokenStore } from '@procurement/client';
import { UsageError } from './failures.ts';

export interface Profile {
  readonly url: string;
  readonly key?: string;
}

interface ProfileFile {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Only the owner may read keys and tokens. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;
const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** Ids come from answers and become names of files. */
const OBJECT_ID = /^[0-9a-f]{32}$/;

/** Profiles and owner tokens in a folder of the user. Each token has a file of its own, so that two commands at once lose none. */
export class Profiles {
  readonly #folder: string;
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
    const home = env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config');
    this.#folder = env['PROCUREMENT_CONFIG'] ?? join(home, 'procurement');
  }

  list(): ProfileFile {
    const path = this.#path;
    const text = readIfThere(path);
    if (text === undefined) return { profiles: {} };
    if ((statSync(path).mode & OTHERS) !== 0) {
      throw new UsageError(`${path} holds keys and is open to other users. Correct it: chmod 600 ${path}`);
    }
    // Written by `#save` only.
    return JSON.parse(text) as ProfileFile;
  }

  add(name: string, profile: Profile): void {
    if (!PROFILE_NAME.test(name)) throw new UsageError('a name has small letters, digits and hyphens');
    const { profiles } = this.list();
    this.#save({ current: name, profiles: { ...profiles, [name]: profile } });
  }

  use(name: string): void {
    const file = this.list();
    this.#existing(file, name);
    this.#save({ ...file, current: name });
  }

  /** Its tokens stay: they cannot be answered again. */
  remove(name: string): void {
    const { current, profiles } = this.list();
    this.#existing({ profiles }, name);
    const rest = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name));
    this.#save({ profiles: rest, ...(current === undefined || current === name ? {} : { current }) });
  }

  /** The profile to use; PROCUREMENT_URL and PROCUREMENT_KEY are one without a file. */
  selected(name: string | undefined): Profile & { readonly name: string } {
    const { PROCUREMENT_URL: url, PROCUREMENT_KEY: key } = this.#env;
    if (name === undefined && url !== undefined)
      return { name: 'environment', url, ...(key === undefined ? {} : { key }) };
    const file = this.list();
    const selected = name ?? file.current;
    if (selected === undefined) {
      throw new UsageError('there is no profile. Make one: procurement key add <name> --url <address>');
    }
    return { name: selected, ...this.#existing(file, selected) };
  }

  /** Owner tokens of a profile. */
  tokens(profileName: string): TokenStore {
    const tokenPath = (objectId: string): string | undefined =>
      OBJECT_ID.test(objectId) ? join(this.#folder, 'tokens', profileName, `${objectId}.json`) : undefined;
    return {
      get(objectId) {
        const path = tokenPath(objectId);
        const text = path === undefined ? undefined : readIfThere(path);
        return text === undefined ? undefined : JSON.parse(text);
      },
      set(objectId, access) {
        const path = tokenPath(objectId);
        if (path !== undefined) writePrivately(path, JSON.stringify(access));
      },
    };
  }

  get #path(): string {
    return join(this.#folder, 'profiles.json');
  }

  #existing({ profiles }: ProfileFile, name: string): Profile {
    const profile = profiles[name];
    if (profile === undefined) throw new UsageError(`there is no profile ${name}. See: procurement key list`);
    return profile;
  }

  #save(file: ProfileFile): void {
    writePrivately(this.#path, `${JSON.stringify(file, null, 2)}\n`);
  }
}

/** Replaces a file at once: after an interruption it is the old one or the new one. */
export function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const temporary = `${path}.${process.pid}.new`;
  try {
    writeFileSync(temporary, text, { mode: FILE_MODE });
    chmodSync(temporary, FILE_MODE);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
