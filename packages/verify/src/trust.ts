import { sha256, decodeText } from '@procurement/proof/hash';
import { openNote, parseVkey, type Verifier } from '@procurement/proof/notes';
import { parsePolicy, type Policy } from '@procurement/proof/policy';
import { CannotCheckError, FindingError } from './report.ts';
import { readIfThere, type Source } from './source.ts';

/** Reads a policy. Throws for a text that is none. */
export function requirePolicy(text: string, where: string): Policy {
  const policy = parsePolicy(text);
  if (policy === undefined)
    throw new CannotCheckError(`${where} is no policy: lines of log, witness, group and quorum`);
  return policy;
}

/** Reads the list of keys of the log, which a trusted key must have signed. Returns the keys of receipts. */
export async function readReceiptKeys(source: Source, { logs }: Policy): Promise<readonly Verifier[]> {
  const bytes = await readIfThere(source, 'log/keys');
  if (bytes === undefined) return [];
  const opened = openNote(decodeText(bytes) ?? '', logs);
  const [header, ...lines] = opened?.text.trimEnd().split('\n') ?? [];
  if (header !== 'procurement-keys/1')
    throw new FindingError('signature', 'log/keys', 'signed by the key of the log', 'another text');
  const keys: Verifier[] = [];
  for (const line of lines) {
    const [kind, vkey = ''] = line.split(' ');
    const verifier = kind === 'receipts' ? parseVkey(vkey) : undefined;
    if (verifier !== undefined) keys.push(verifier);
  }
  return keys;
}

/** Policy and keys that a log suggests to trust. */
export interface Suggestion {
  readonly text: string;
  readonly policy: Policy;
  readonly receipts: readonly Verifier[];
}

export async function readSuggestion(source: Source): Promise<Suggestion> {
  const bytes = await readIfThere(source, 'log/policy');
  if (bytes === undefined) throw new CannotCheckError(`${source.address}/log/policy: there is no log`);
  const text = decodeText(bytes) ?? '';
  const policy = requirePolicy(text, `${source.address}/log/policy`);
  return { text, policy, receipts: await readReceiptKeys(source, policy) };
}

/** Writes the keys for a person, who compares them with those that the operator and the witnesses have published elsewhere. */
export function suggestionText({ text, policy, receipts }: Suggestion): string {
  const keys = [
    ...policy.logs.map((verifier) => ['log', verifier] as const),
    ...[...policy.witnesses].map(([name, verifier]) => [`witness ${name}`, verifier] as const),
    ...receipts.map((verifier) => ['receipts', verifier] as const),
  ];
  const lines = keys.map(
    ([role, { name, vkey }]) => `${role}: ${name}\n  SHA-256 of its key ${sha256(vkey).toString('hex')}`,
  );
  return `${text.trimEnd()}\n\n${lines.join('\n')}\nSHA-256 of the policy ${sha256(text).toString('hex')}`;
}
