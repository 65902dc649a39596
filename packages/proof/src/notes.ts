import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { bytesOfBase64, sha256 } from './hash.ts';

// C2SP signed-note, with the two kinds of signatures that the log needs: Ed25519, and cosignature/v1 of tlog-cosignature.

export const ED25519 = 1;
export const COSIGNATURE = 4;
type KeyType = typeof ED25519 | typeof COSIGNATURE;

/** A public key with the name of its owner. */
export interface Verifier {
  readonly name: string;
  /** First eight hex digits of the hash of name and key. */
  readonly id: string;
  readonly type: KeyType;
  readonly key: KeyObject;
  readonly vkey: string;
}

export interface Signer {
  readonly verifier: Verifier;
  readonly privateKey: KeyObject;
}

/** A signature that was verified. */
export interface Signature {
  readonly verifier: Verifier;
  /** When a witness says that it signed, in seconds since 1970. */
  readonly seconds?: number;
  /** Its line of the note, with the line feed. */
  readonly line: string;
}

export interface OpenedNote {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** ASN.1 before the 32 bytes of a public Ed25519 key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const NAME = /^[^\s+\p{Cc}]+$/u;
/** Name, id and base64, with a plus between them. Only base64 may have one itself. */
const VKEY = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/;
const LINE = /^\u2014 ([^ ]+) ([^ ]+)$/;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** Most lines of signatures. No log has so many, and each line of a known key costs a verification. */
const SIGNATURES_MAX = 100;
/** Notes are text: line feeds, and no other control character. */
const TEXT = /^[^\p{Cc}]*$/u;

function isKeyType(type: number | undefined): type is KeyType {
  return type === ED25519 || type === COSIGNATURE;
}

function hashKeyId(name: string, typed: Uint8Array): string {
  return sha256(name, '\n', typed).subarray(0, ID_BYTES).toString('hex');
}

/** Reads a verifier key: `<name>+<id>+<base64 of type and key>`. */
export function parseVkey(vkey: string): Verifier | undefined {
  const [, name = '', id, data = ''] = VKEY.exec(vkey) ?? [];
  const typed = bytesOfBase64(data);
  const type = typed?.[0];
  if (!NAME.test(name) || typed?.length !== 1 + KEY_BYTES || !isKeyType(type) || hashKeyId(name, typed) !== id)
    return undefined;
  const key = createPublicKey({ key: Buffer.concat([SPKI, typed.subarray(1)]), format: 'der', type: 'spki' });
  return { name, id, type, key, vkey };
}

/** Returns the signer of this name. Throws for a key that is not Ed25519, and for a name with a blank or a plus. */
export function makeSigner(name: string, privateKey: KeyObject, type: KeyType = ED25519): Signer {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new RangeError('the key is not Ed25519');
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return { verifier: makeVerifier(name, raw, type), privateKey };
}

/** Returns the verifier of a public key of 32 bytes under a name. Throws RangeError where one of them is none. */
export function makeVerifier(name: string, raw: Buffer, type: KeyType = ED25519): Verifier {
  const typed = Buffer.concat([Buffer.from([type]), raw]);
  const verifier = parseVkey(`${name}+${hashKeyId(name, typed)}+${typed.toString('base64')}`);
  if (verifier === undefined) throw new RangeError(`${name} is no name of a key, or its key has not 32 bytes`);
  return verifier;
}

/** Returns the text that a witness signs: the time, and the text of the checkpoint. */
function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

/** Signs a text, which ends with a line feed. A witness also signs the time, in seconds since 1970. */
export function signatureLine(text: string, { verifier, privateKey }: Signer, seconds = 0): string {
  const id = Buffer.from(verifier.id, 'hex');
  const parts = [id];
  if (verifier.type === COSIGNATURE) {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigUInt64BE(BigInt(seconds));
    parts.push(time, sign(null, Buffer.from(cosignedText(text, seconds)), privateKey));
  } else parts.push(sign(null, Buffer.from(text), privateKey));
  return `\u2014 ${verifier.name} ${Buffer.concat(parts).toString('base64')}\n`;
}

/** Signs a text, which ends with a line feed, with each of the keys. */
export function signNote(text: string, signers: readonly Signer[]): string {
  return `${text}\n${signers.map((signer) => signatureLine(text, signer)).join('')}`;
}

/** Splits a note into its text and its lines of signatures, and verifies nothing. Returns undefined for anything else. */
function splitNote(note: string): { text: string; lines: string[] } | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 1 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  if (!TEXT.test(text.replaceAll('\n', '')) || lines.length > SIGNATURES_MAX) return undefined;
  if (lines.some((line) => readLine(line) === undefined)) return undefined;
  return { text, lines };
}

/** A line of a note: name, hash of the key, signature. */
interface Line {
  readonly name: string;
  readonly id: string;
  readonly bytes: Buffer;
}

function readLine(line: string): Line | undefined {
  const [, name = '', value = ''] = LINE.exec(line) ?? [];
  const bytes = bytesOfBase64(value);
  if (!NAME.test(name) || bytes === undefined || bytes.length <= ID_BYTES) return undefined;
  return { name, id: bytes.subarray(0, ID_BYTES).toString('hex'), bytes: bytes.subarray(ID_BYTES) };
}

function isLineOf(line: Line, verifier: Verifier): boolean {
  return line.name === verifier.name && line.id === verifier.id;
}

/** Verifies a signature. Returns the time in it, if it has one; undefined when it is wrong. */
function verified(text: string, { bytes }: Line, { type, key }: Verifier): { seconds?: number } | undefined {
  if (type === ED25519)
    return bytes.length === SIGNATURE_BYTES && verify(null, Buffer.from(text), key, bytes) ? {} : undefined;
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const seconds = Number(bytes.readBigUInt64BE());
  const message = Buffer.from(cosignedText(text, seconds));
  return Number.isSafeInteger(seconds) && verify(null, message, key, bytes.subarray(TIME_BYTES))
    ? { seconds }
    : undefined;
}

/** Verifies a line of a witness over the text of a checkpoint. Returns the time in it, in seconds since 1970; undefined when it is wrong. */
export function verifyCosignature(text: string, line: string, witness: Verifier): number | undefined {
  const read = readLine(line.replace(/\n$/, ''));
  return read !== undefined && isLineOf(read, witness) ? verified(text, read, witness)?.seconds : undefined;
}

/**
 * Reads a note and verifies it. Lines of unknown keys are passed over. Returns undefined when it is no note, when no known key has signed it,
 * or when a signature of a known key is wrong.
 */
export function openNote(note: string, known: readonly Verifier[]): OpenedNote | undefined {
  const { text, lines } = splitNote(note) ?? { text: '', lines: [] };
  const signatures: Signature[] = [];
  for (const line of lines) {
    const read = readLine(line);
    const verifier = known.find((one) => read !== undefined && isLineOf(read, one));
    if (read === undefined || verifier === undefined) continue;
    const good = verified(text, read, verifier);
    if (good === undefined) return undefined;
    // A second line of the same key says nothing new.
    if (!signatures.some((one) => one.verifier.vkey === verifier.vkey))
      signatures.push({ verifier, ...good, line: `${line}\n` });
  }
  return signatures.length === 0 ? undefined : { text, signatures };
}
