import { sha256 } from './hash.ts';
import { HASH, ID, parseInteger, valuesOfLines } from './lines.ts';

/** The set of bids that was fixed in public at the closing (docs/spec/proof.md 5.1). Times are microseconds since 1970. */
export interface Seal {
  readonly tender: string;
  readonly end: bigint;
  readonly at: bigint;
  readonly salt: string;
  /** Bids that take part, in the order of registration. */
  readonly bids: readonly SealedBid[];
  readonly withdrawn: readonly WithdrawnBid[];
}

export interface WithdrawnBid {
  readonly id: string;
  readonly version: bigint;
}

export interface SealedBid extends WithdrawnBid {
  /** SHA-256 of salt and text of the bid, in hex (`bidDigest`). */
  readonly digest: string;
}

const HEADER = 'procurement-seal/1';
const NAMES = ['tender', 'end', 'at', 'salt'];

export function writeSeal({ tender, end, at, salt, bids, withdrawn }: Seal): string {
  const sealed = bids.map(({ id, version, digest }) => `bid ${id} ${version} ${digest}\n`);
  const gone = withdrawn.map(({ id, version }) => `withdrawn ${id} ${version}\n`);
  return `${HEADER}\ntender ${tender}\nend ${end}\nat ${at}\nsalt ${salt}\n${sealed.join('')}${gone.join('')}`;
}

/** Reads a seal. Returns undefined for any other spelling than that of `writeSeal`, and where a bid has two lines. */
export function parseSeal(text: string): Seal | undefined {
  const [header, ...lines] = text.split('\n');
  const [tender = '', endText, atText, salt = ''] = valuesOfLines(lines.slice(0, NAMES.length), NAMES) ?? [];
  const [end, at] = [parseInteger(endText), parseInteger(atText)];
  if (header !== HEADER || !ID.test(tender) || end === undefined || at === undefined || !HASH.test(salt))
    return undefined;
  const bids: SealedBid[] = [];
  const withdrawn: WithdrawnBid[] = [];
  for (const line of lines.slice(NAMES.length, -1)) {
    const [kind, id = '', versionText, digest = ''] = line.split(' ');
    const version = parseInteger(versionText);
    if (!ID.test(id) || version === undefined) return undefined;
    if (kind === 'withdrawn') withdrawn.push({ id, version });
    else if (HASH.test(digest)) bids.push({ id, version, digest });
    else return undefined;
  }
  const ids = [...bids, ...withdrawn].map(({ id }) => id);
  const seal = { tender, end, at, salt, bids, withdrawn };
  return new Set(ids).size === ids.length && writeSeal(seal) === text ? seal : undefined;
}

/** Returns the `hash` of `bidsSeal`. */
export function sealHash(text: string): string {
  return `sha256:${sha256(text).toString('hex')}`;
}

/** Returns the digest of a bid in seals and receipts, in hex, from its salt of 32 bytes and its text. */
export function bidDigest(salt: Uint8Array, text: Uint8Array | string): string {
  return sha256(salt, text).toString('hex');
}
