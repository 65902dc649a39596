import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fixture, testSigner } from '../test-support/fixtures.ts';
import {
  addCheckpointBody,
  checkpointText,
  keysText,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  type Checkpoint,
} from './checkpoints.ts';
import { openNote, parseVkey, signatureLine, makeSigner, signNote, verifyCosignature, type Verifier } from './notes.ts';
import { hasQuorum, parsePolicy, writePolicy } from './policy.ts';
import { verifyConsistency } from './tree.ts';

interface KeyVector {
  readonly name: string;
  readonly label: string;
  readonly keyId: string;
  readonly type: Verifier['type'];
  readonly vkey: string;
}

interface Pair {
  readonly first: string;
  readonly second: string;
}

const notes = fixture<{
  readonly keys: Readonly<Record<'log' | 'bids' | 'w1' | 'w2', KeyVector>>;
  readonly policy: string;
  readonly checkpoint: { readonly note: string; readonly origin: string; readonly size: number; readonly root: string };
  readonly cosigned: string;
  readonly addCheckpoint: { readonly request: string; readonly answer: string };
  readonly c2spExample: { readonly vkey: string; readonly note: string };
  readonly refused: readonly { readonly what: string; readonly note: string }[];
}>('notes.json');
const evidence = fixture<{
  readonly sameSize: Pair;
  readonly prefix: Pair & { readonly rootInSecond: string; readonly proof: readonly string[] };
  readonly notEvidence: readonly (Pair & { readonly what: string })[];
}>('equivocation.json');

const signerOfVector = ({ name, label, type }: KeyVector) => testSigner(name, label, type);
const log = signerOfVector(notes.keys.log);
const witnesses = [signerOfVector(notes.keys.w1), signerOfVector(notes.keys.w2)] as const;
const verifiers = witnesses.map(({ verifier }) => verifier);
const [one, two] = verifiers as [Verifier, Verifier];

describe('keys', () => {
  it.each(Object.values(notes.keys))('reads and makes the key $label', ({ name, label, keyId, type, vkey }) => {
    expect(parseVkey(vkey)).toMatchObject({ name, id: keyId, type, vkey });
    expect(testSigner(name, label, type).verifier.vkey).toBe(vkey);
  });

  it.each([
    ['another name', notes.keys.log.vkey.replace('procurement', 'x')],
    ['a kind of key that is not known', notes.keys.log.vkey.replace('+AR', '+Ah')],
    ['a key that is cut off', notes.keys.log.vkey.slice(0, -4)],
    ['no key', 'procurement.example/log'],
  ])('refuses %s', (_, vkey) => {
    expect(parseVkey(vkey)).toBeUndefined();
  });

  it('signs only with Ed25519, under a name without blank and plus', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => makeSigner('a', privateKey)).toThrow('not Ed25519');
    expect(() => makeSigner('a b', log.privateKey)).toThrow('no name');
  });
});

describe('notes', () => {
  it('opens the example of C2SP', () => {
    const { vkey, note } = notes.c2spExample;
    const opened = openNote(note, [parseVkey(vkey) as Verifier]);
    expect(opened?.text).toBe('This is an example message.\n');
    expect(opened?.signatures).toHaveLength(1);
  });

  it.each(notes.refused)('refuses: $what', ({ note }) => {
    expect(openCheckpoint(note, [log.verifier])).toBeUndefined();
  });

  it('refuses a wrong signature of a known key beside a good one', () => {
    const other = signNote('other\n', [log]).split('\n').at(-2);
    expect(openNote(`${signNote('text\n', [log])}`, [log.verifier])?.text).toBe('text\n');
    expect(openNote(`${signNote('text\n', [witnesses[0]])}${other}\n`, [log.verifier, one])).toBeUndefined();
  });

  it('refuses control characters, and more lines than a log has', () => {
    expect(openNote(signNote('a\u001b[2J\n', [log]), [log.verifier])).toBeUndefined();
    const line = signatureLine('text\n', log);
    expect(openNote(`text\n\n${line.repeat(100)}`, [log.verifier])?.signatures).toHaveLength(1);
    expect(openNote(`text\n\n${line.repeat(101)}`, [log.verifier])).toBeUndefined();
  });
});

describe('checkpoints', () => {
  const { note, origin, size, root } = notes.checkpoint;
  const checkpoint: Checkpoint = { origin, size, root: Buffer.from(root, 'hex') };

  it('signs and reads a checkpoint', () => {
    expect(signCheckpoint(checkpoint, [log])).toBe(note);
    expect(parseCheckpoint(note)).toEqual(checkpoint);
    expect(openCheckpoint(note, [log.verifier], verifiers)).toMatchObject({ checkpoint, cosignatures: [] });
  });

  it('is cosigned by witnesses', () => {
    const text = checkpointText(checkpoint);
    const lines = witnesses.map((witness, n) => signatureLine(text, witness, 1_778_603_539 + n));
    expect(note + lines.join('')).toBe(notes.cosigned);
    const { cosignatures } = openCheckpoint(notes.cosigned, [log.verifier], verifiers) ?? {};
    expect(cosignatures?.map(({ seconds }) => seconds)).toEqual([1_778_603_539, 1_778_603_540]);
    expect(lines[0]).toBe(notes.addCheckpoint.answer);
    expect(verifyCosignature(text, notes.addCheckpoint.answer, one)).toBe(1_778_603_539);
    expect(verifyCosignature(text, notes.addCheckpoint.answer, two)).toBeUndefined();
    expect(verifyCosignature(`${text}more\n`, notes.addCheckpoint.answer, one)).toBeUndefined();
  });

  it('is not signed by a witness alone, nor by the log under another name', () => {
    const text = checkpointText(checkpoint);
    expect(
      openCheckpoint(`${text}\n${signatureLine(text, witnesses[0], 1)}`, [log.verifier], verifiers),
    ).toBeUndefined();
  });

  it('is proven to a witness', () => {
    const [first, second, ...others] = notes.addCheckpoint.request.split('\n');
    expect(first).toBe('old 16');
    expect(others[0]).toBe('');
    expect(addCheckpointBody(16, [Buffer.from(second ?? '', 'base64')], note)).toBe(notes.addCheckpoint.request);
  });

  it('names the keys of the log', () => {
    expect(keysText([log.verifier], [parseVkey(notes.keys.bids.vkey) as Verifier])).toBe(
      `procurement-keys/1\nlog ${notes.keys.log.vkey}\nreceipts ${notes.keys.bids.vkey}\n`,
    );
  });
});

describe('evidence of two trees', () => {
  const open = (note: string) => openCheckpoint(note, [log.verifier]);

  it('is two roots of one size', () => {
    const [first, second] = [open(evidence.sameSize.first), open(evidence.sameSize.second)];
    expect(first?.checkpoint.size).toBe(second?.checkpoint.size);
    expect(first?.checkpoint.root).not.toEqual(second?.checkpoint.root);
  });

  it('is a beginning with another root', () => {
    const { rootInSecond, proof } = evidence.prefix;
    const [first, second] = [open(evidence.prefix.first)?.checkpoint, open(evidence.prefix.second)?.checkpoint];
    const given = {
      first: first?.size ?? 0,
      second: second?.size ?? 0,
      secondRoot: second?.root ?? Buffer.alloc(32),
      proof: proof.map((hash) => Buffer.from(hash, 'base64')),
    };
    expect(verifyConsistency({ ...given, firstRoot: Buffer.from(rootInSecond, 'base64') })).toBe(true);
    expect(verifyConsistency({ ...given, firstRoot: first?.root ?? Buffer.alloc(32) })).toBe(false);
  });

  it.each(evidence.notEvidence)('is not: $what', ({ first, second }) => {
    const [a, b] = [open(first)?.checkpoint, open(second)?.checkpoint];
    expect(a !== undefined && b !== undefined && (a.size !== b.size || a.root.equals(b.root))).toBe(true);
  });
});

describe('policies', () => {
  const policy = parsePolicy(notes.policy);

  it('reads the policy', () => {
    expect(policy?.logs.map(({ vkey }) => vkey)).toEqual([notes.keys.log.vkey]);
    expect([...(policy?.witnesses.keys() ?? [])]).toEqual(['one', 'two']);
  });

  it.each<[count: string, ...cases: readonly (readonly [signed: readonly Verifier[], isEnough: boolean])[]]>([
    ['any', [[], false], [[one], true], [[two], true]],
    ['all', [[one], false], [[one, two], true]],
    ['2', [[two], false], [[one, two], true]],
  ])('judges a group of which %s must sign', (count, ...cases) => {
    const read = parsePolicy(notes.policy.replace('any-witness any', `any-witness ${count}`));
    for (const [signed, isEnough] of cases) expect(read && hasQuorum(read, signed)).toBe(isEnough);
  });

  it.each([
    ['none', [], true],
    ['one', [two], false],
    ['one', [one], true],
  ])('judges the quorum %s', (quorum, signed, isEnough) => {
    const read = parsePolicy(notes.policy.replace(/quorum .*/, `quorum ${quorum}`));
    expect(read && hasQuorum(read, signed)).toBe(isEnough);
  });

  it('judges groups of groups', () => {
    const text = notes.policy
      .replace('quorum', 'group both all any-witness two\nquorum')
      .replace(/quorum .*/, 'quorum both');
    const read = parsePolicy(text);
    expect(read && hasQuorum(read, [one])).toBe(false);
    expect(read && hasQuorum(read, [two])).toBe(true);
  });

  it.each([
    ['no log', notes.policy.replace(/^log .*\n/, '')],
    ['no quorum', notes.policy.replace(/quorum .*\n/, '')],
    ['two quorums', `${notes.policy}quorum none\n`],
    ['an unknown line', `${notes.policy}more 1\n`],
    ['an unknown member', notes.policy.replace('one two', 'one three')],
    ['a member twice', notes.policy.replace('one two', 'one one')],
    ['more than it has', notes.policy.replace('any one', '3 one')],
    ['a witness twice', notes.policy.replace(/witness two .*/, `witness two ${notes.keys.w1.vkey}`)],
    ['a name twice', notes.policy.replace('witness two', 'witness one')],
    ['a key of a log as a witness', notes.policy.replace(/witness two .*/, `witness two ${notes.keys.log.vkey}`)],
    ['a line of the prototype', `${notes.policy}constructor 1\n`],
  ])('refuses %s', (_, text) => {
    expect(parsePolicy(text)).toBeUndefined();
  });

  it('writes what it reads', () => {
    const named = verifiers.map((verifier, n) => ({ name: `w${n}`, verifier, address: 'http://127.0.0.1:1' }));
    const read = parsePolicy(`# ours\n\n${writePolicy([log.verifier], named, 2)}`);
    expect(read && hasQuorum(read, verifiers)).toBe(true);
    expect(read && hasQuorum(read, [one])).toBe(false);
    expect(parsePolicy(writePolicy([log.verifier], [], 0))?.quorum).toBe('none');
  });
});
