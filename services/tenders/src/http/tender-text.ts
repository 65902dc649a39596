import type { Identity } from '@procurement/kit/http/identity';

/**
 * A tender that has an auction shows its method of submission (rulings R44). The texts of clients cannot hold these characters, because
 * quotes in them are escaped, and no other object has the member.
 */
const SUBMISSION_METHOD = ',"submissionMethod":';
const SUBMISSION_METHOD_BYTES = Buffer.from(SUBMISSION_METHOD);
const CONFIG = ',"config":{"hasAuction":false}}';
const CONFIG_BYTES = Buffer.from(CONFIG);

/** Who reads an answer. */
interface Reading {
  readonly identity: Pick<Identity, 'segment'>;
}

/** The answer that shows a tender, made of its public text: on segment 2.5 `config` stands beside `data` when there is no auction. */
export function tenderText({ identity }: Reading, publicText: string): string {
  if (identity.segment !== '2.5' || publicText.includes(SUBMISSION_METHOD)) return publicText;
  return publicText.slice(0, -1) + CONFIG;
}

/** The same of a public text in UTF-8. */
export function tenderBytes({ identity }: Reading, publicText: Buffer): Buffer {
  if (identity.segment !== '2.5' || publicText.includes(SUBMISSION_METHOD_BYTES)) return publicText;
  return Buffer.concat([publicText.subarray(0, -1), CONFIG_BYTES]);
}
