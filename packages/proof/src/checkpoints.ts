import { bytesOfBase64, HASH_BYTES } from './hash.ts';
import { ED25519, openNote, signNote, type Signature, type Signer, type Verifier } from './notes.ts';

// Checkpoints of C2SP tlog-checkpoint, and the request of tlog-witness.

/** A statement about a log: its name, the number of its leaves, and their root. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Text that was signed. */
  readonly text: string;
  /** Signatures of the log. */
  readonly signatures: readonly Signature[];
  /** Signatures of known witnesses. */
  readonly cosignatures: readonly Signature[];
}

const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

export function signCheckpoint(checkpoint: Checkpoint, signers: readonly Signer[]): string {
  return signNote(checkpointText(checkpoint), signers);
}

/** Reads a checkpoint, with or without signatures, which it does not verify. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const [origin = '', size = '', rootText = '', ...others] = note.split('\n');
  const root = bytesOfBase64(rootText);
  // Further lines are extensions, up to the blank line before the signatures.
  if (origin === '' || !SIZE.test(size) || root?.length !== HASH_BYTES || others.length === 0) return undefined;
  return Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root } : undefined;
}

/** Reads a checkpoint and verifies it: a key of the log whose name is the origin must have signed it. */
export function openCheckpoint(
  note: string,
  log: readonly Verifier[],
  witnesses: readonly Verifier[] = [],
): OpenedCheckpoint | undefined {
  const opened = openNote(note, [...log, ...witnesses]);
  const checkpoint = parseCheckpoint(opened?.text ?? '');
  if (opened === undefined || checkpoint === undefined) return undefined;
  const isOfLog = ({ verifier }: Signature) => verifier.type === ED25519 && verifier.name === checkpoint.origin;
  const signatures = opened.signatures.filter(isOfLog);
  if (signatures.length === 0) return undefined;
  const cosignatures = opened.signatures.filter(({ seconds }) => seconds !== undefined);
  return { checkpoint, text: opened.text, signatures, cosignatures };
}

/** Writes the body of `POST <witness>/add-checkpoint`: the proof leads from the size that the witness knows to the checkpoint. */
export function addCheckpointBody(old: number, proof: readonly Uint8Array[], note: string): string {
  return `old ${old}\n${proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')}\n${note}`;
}

/** Writes the text of `/log/keys`: the keys of the log and of receipts. */
export function keysText(log: readonly Verifier[], receipts: readonly Verifier[]): string {
  const lines = [...log.map(({ vkey }) => `log ${vkey}\n`), ...receipts.map(({ vkey }) => `receipts ${vkey}\n`)];
  return `procurement-keys/1\n${lines.join('')}`;
}
