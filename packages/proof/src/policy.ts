import { COSIGNATURE, ED25519, parseVkey, type Verifier } from './notes.ts';

// C2SP tlog-policy: which logs a reader trusts, and which witnesses must have seen a checkpoint.

export interface Policy {
  readonly logs: readonly Verifier[];
  readonly witnesses: ReadonlyMap<string, Verifier>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Name of a witness or a group; `none`: no cosignature is needed. */
  readonly quorum: string;
}

interface Group {
  /** How many of the members must have signed. */
  readonly needed: number;
  readonly members: readonly string[];
}

const NONE = 'none';
/** Most lines of a policy. Those of readers have a handful; groups of groups of groups would take long to judge. */
const LINES_MAX = 1_000;

/** The policy as far as it was read. */
interface Reading {
  readonly logs: Verifier[];
  readonly witnesses: Map<string, Verifier>;
  readonly groups: Map<string, Group>;
  quorum: string | undefined;
}

function isFree(name: string | undefined, { witnesses, groups }: Reading): name is string {
  return name !== undefined && name !== '' && name !== NONE && !witnesses.has(name) && !groups.has(name);
}

function isNamed(name: string, { witnesses, groups }: Reading): boolean {
  return witnesses.has(name) || groups.has(name);
}

/** Readers of the kinds of lines. Each returns false for a wrong line. Names are defined before they are used, so no group contains itself. */
const READERS: Readonly<Record<string, (words: readonly string[], reading: Reading) => boolean>> = {
  log([vkey = '', , ...others], { logs }) {
    const verifier = parseVkey(vkey);
    if (verifier?.type !== ED25519 || others.length > 0 || logs.some((one) => one.vkey === vkey)) return false;
    logs.push(verifier);
    return true;
  },
  witness([name, vkey = '', , ...others], reading) {
    const verifier = parseVkey(vkey);
    if (verifier?.type !== COSIGNATURE || others.length > 0 || !isFree(name, reading)) return false;
    // One witness under two names would be a quorum by itself.
    if ([...reading.witnesses.values()].some((one) => one.vkey === vkey)) return false;
    reading.witnesses.set(name, verifier);
    return true;
  },
  group([name, count = '', ...members], reading) {
    if (!isFree(name, reading) || members.length === 0 || new Set(members).size !== members.length) return false;
    const counts: Readonly<Record<string, number>> = { any: 1, all: members.length };
    const needed = counts[count] ?? (/^[1-9][0-9]{0,3}$/.test(count) ? Number(count) : 0);
    if (needed < 1 || needed > members.length || !members.every((member) => isNamed(member, reading))) return false;
    reading.groups.set(name, { needed, members });
    return true;
  },
  quorum([name = '', ...others], reading) {
    if (others.length > 0 || reading.quorum !== undefined || (name !== NONE && !isNamed(name, reading))) return false;
    reading.quorum = name;
    return true;
  },
};

/** Reads a policy. Returns undefined where a line is unknown or wrong, or where log or quorum is missing. */
export function parsePolicy(text: string): Policy | undefined {
  const reading: Reading = { logs: [], witnesses: new Map(), groups: new Map(), quorum: undefined };
  const lines = text.split('\n');
  if (lines.length > LINES_MAX) return undefined;
  for (const line of lines) {
    const [kind = '', ...words] = line.trim().split(/[ \t]+/);
    if (kind === '' || kind.startsWith('#')) continue;
    const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
    if (read === undefined || !read(words, reading)) return undefined;
  }
  const { quorum, ...others } = reading;
  return quorum === undefined || others.logs.length === 0 ? undefined : { ...others, quorum };
}

/** Says whether the keys that have signed are a quorum. */
export function hasQuorum({ witnesses, groups, quorum }: Policy, signed: readonly Verifier[]): boolean {
  const keys = new Set(signed.map(({ vkey }) => vkey));
  // In the order of the file: the members of a group stand before it.
  const good = new Set([...witnesses].flatMap(([name, { vkey }]) => (keys.has(vkey) ? [name] : [])));
  for (const [name, { needed, members }] of groups)
    if (members.filter((member) => good.has(member)).length >= needed) good.add(name);
  return quorum === NONE || good.has(quorum);
}

/** A witness with the address at which a log asks it. */
export interface NamedWitness {
  readonly name: string;
  readonly verifier: Verifier;
  readonly address?: string;
}

/** Writes the policy that a log suggests, in which `needed` of its witnesses must have signed. */
export function writePolicy(logs: readonly Verifier[], witnesses: readonly NamedWitness[], needed: number): string {
  const lines = logs.map(({ vkey }) => `log ${vkey}\n`);
  for (const { name, verifier, address } of witnesses)
    lines.push(`witness ${name} ${verifier.vkey}${address === undefined ? '' : ` ${address}`}\n`);
  if (needed > 0) lines.push(`group witnesses ${needed} ${witnesses.map(({ name }) => name).join(' ')}\n`);
  return `${lines.join('')}quorum ${needed > 0 ? 'witnesses' : NONE}\n`;
}
