import { randomBytes } from 'node:crypto';
import { VERSIONS_SKIPPED } from '@procurement/kit/messaging/publish/accept-loss';
import { KEY_ID_BYTES, makeSecretBox, SECRET_BYTES_ADDED } from '@procurement/kit/runtime/secret-box';

/** What an encrypted bid is bound to. */
export interface BidIdentity {
  readonly id: string;
  readonly tenderId: string;
  readonly version: number;
}

/** A text of a bid with the salt that was drawn when it was written: the digest of a bid is of both (docs/spec/proof.md 5.1). */
export interface SaltedText {
  readonly salt: Buffer;
  readonly text: string;
}

/** Encrypts the texts of bids (docs/spec/proof.md 2.1). */
export interface BidBox {
  /** Id of the key that encrypts: the first bytes of what `seal` makes. */
  readonly keyId: Buffer;
  /** Draws a salt, unless an encrypted text is only encrypted again: then it stays, and so do digests that were told of the bid. */
  seal(bid: BidIdentity, text: string, salt?: Buffer): Buffer;
  /** Throws when the key is not there any more, the bytes were changed, or they are of another bid, version or tender. */
  open(bid: BidIdentity, sealed: Buffer): SaltedText;
}

const SALT_BYTES = 32;
/** Bytes that encryption adds to a text: id of the key, nonce, tag, salt of the bid. */
export const SEALED_BYTES_ADDED = KEY_ID_BYTES + SECRET_BYTES_ADDED + SALT_BYTES;

export function makeBidBox(keys: readonly string[]): BidBox {
  const box = makeSecretBox(keys, { setting: 'BIDS_KEYS', info: 'bids', keyIdInfo: 'bids key id' });
  const keyId = Buffer.from(box.keyId, 'hex');
  return {
    keyId,
    seal(bid, text, salt = randomBytes(SALT_BYTES)) {
      // Without the salt, a hash of the plain text would tell whoever can guess the text whether the guess is right.
      const salted = Buffer.concat([salt, Buffer.from(text)]);
      return Buffer.concat([keyId, box.seal(formatName(bid), salted, bid.tenderId).sealed]);
    },
    open(bid, sealed) {
      const secret = { keyId: keyIdOf(sealed), sealed: sealed.subarray(KEY_ID_BYTES) };
      const salted = box.open(formatName(bid), secret, bid.tenderId);
      return { salt: salted.subarray(0, SALT_BYTES), text: salted.toString('utf8', SALT_BYTES) };
    },
  };
}

/** Id of the key of an encrypted bid, in hex. */
export function keyIdOf(sealed: Buffer): string {
  return sealed.toString('hex', 0, KEY_ID_BYTES);
}

function formatName({ id, tenderId, version }: BidIdentity): string {
  // `accept-loss` raises the versions of all bids, also of those that nobody can decrypt at that moment.
  return `bid ${tenderId} ${id} ${version % VERSIONS_SKIPPED}`;
}
