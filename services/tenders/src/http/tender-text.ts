import type { Identity } from '@procurement/kit/http/identity';
import { encodeUtf8 } from '@procurement/kit/runtime/utf8';

/**
 * A tender that has an auction shows its method of submission (rulings R44). The texts of clients cannot hold these characters, because
 * quotes in them are escaped, and no other object has the member.
 */
const SUBMISSION_METHOD = Buffer.from(',"submissionMethod":');
const CONFIG = Buffer.from(',"config":{"hasAuction":false}}');

/** Who reads an answer. */
interface Reading {
  readonly identity: Pick<Identity, 'segment'>;
}

/** The answer that shows a tender, made of its public text: on segment 2.5 `config` stands beside `data` when there is no auction. */
export function tenderText({ identity }: Reading, publicText: string | Buffer): Buffer {
  const bytes = typeof publicText === 'string' ? encodeUtf8(publicText) : publicText;
  if (identity.segment !== '2.5' || bytes.includes(SUBMISSION_METHOD)) return bytes;
  return Buffer.concat([bytes.subarray(0, -1), CONFIG]);
}
