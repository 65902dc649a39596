import { decodeText } from './hash.ts';
import { HASH, ID, parseInteger, valuesOfLines } from './lines.ts';
import { openNote, signNote, type Signer, type Verifier } from './notes.ts';
import type { Seal } from './seals.ts';

/** A statement of what a write of a bid has stored (docs/spec/proof.md 5.3). Times are microseconds since 1970. */
export interface Receipt {
  /** Name of the log. The key of receipts has its name with `/bids` after it. */
  readonly log: string;
  readonly seen: bigint;
  readonly tender: string;
  readonly bid: string;
  readonly version: bigint;
  readonly state: ReceiptState;
  readonly at: bigint;
  /** SHA-256 of salt and text of the bid, in hex (`bidDigest`). */
  readonly sha256: string;
  readonly salt: string;
}

type ReceiptState = 'draft' | 'active' | 'withdrawn';

const HEADER = 'procurement-receipt/1';
const NAMES = ['log', 'seen', 'tender', 'bid', 'version', 'state', 'at', 'sha256', 'salt'] as const;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

function isState(state: string): state is ReceiptState {
  return state === 'draft' || state === 'active' || state === 'withdrawn';
}

function writeReceipt(receipt: Receipt): string {
  return `${HEADER}\n${NAMES.map((name) => `${name} ${receipt[name]}\n`).join('')}`;
}

/** Signs a receipt. Returns the note. */
export function signReceipt(receipt: Receipt, signer: Signer): string {
  return signNote(writeReceipt(receipt), [signer]);
}

/** Returns the value of the header `Procurement-Receipt`. */
export function receiptHeader(note: string): string {
  return Buffer.from(note).toString('base64url');
}

/** Returns the note of a header; undefined where it is no base64url without padding. */
export function noteOfHeader(header: string): string | undefined {
  const bytes = Buffer.from(header, 'base64url');
  return BASE64URL.test(header) && bytes.toString('base64url') === header ? decodeText(bytes) : undefined;
}

/** Reads a receipt and verifies it. Returns undefined for a wrong signature, a key of another log, and any other spelling. */
export function openReceipt(note: string, verifiers: readonly Verifier[]): Receipt | undefined {
  const opened = openNote(note, verifiers);
  const [header, ...lines] = opened?.text.split('\n') ?? [];
  const values = valuesOfLines(lines.slice(0, -1), NAMES);
  if (opened === undefined || values === undefined || header !== HEADER) return undefined;
  const [log = '', seenText, tender = '', bid = '', versionText, state = '', atText, digest = '', salt = ''] = values;
  const [seen, version, at] = [parseInteger(seenText), parseInteger(versionText), parseInteger(atText)];
  if (seen === undefined || version === undefined || at === undefined || !isState(state)) return undefined;
  if (!ID.test(tender) || !ID.test(bid) || !HASH.test(digest) || !HASH.test(salt)) return undefined;
  if (!opened.signatures.some(({ verifier }) => verifier.name === `${log}/bids`)) return undefined;
  const receipt = { log, seen, tender, bid, version, state, at, sha256: digest, salt };
  return writeReceipt(receipt) === opened.text ? receipt : undefined;
}

/** Compares a seal with a receipt that was signed before it. Returns the code of the finding; undefined where they agree. */
export function judgeReceipt(receipt: Receipt, seal: Seal): 'receipt' | 'receipt-later' | undefined {
  const sealed = seal.bids.find(({ id }) => id === receipt.bid);
  if (receipt.state === 'draft') return undefined;
  if (receipt.state === 'withdrawn') return sealed === undefined ? undefined : 'receipt';
  const withdrawn = seal.withdrawn.find(({ id }) => id === receipt.bid);
  const found = sealed ?? withdrawn;
  if (found === undefined || found.version < receipt.version) return 'receipt';
  if (found.version > receipt.version) return 'receipt-later';
  return sealed?.digest === receipt.sha256 ? undefined : 'receipt';
}
