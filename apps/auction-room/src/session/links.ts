import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Master keys of links and sessions, newest first: the first makes, all check (auction-room.md 10.1). */
export interface MasterKey {
  readonly number: number;
  readonly key: Buffer;
}

/** The owner of a link: a bid in an auction. */
export interface LinkOwner {
  readonly auctionId: string;
  readonly bid: string;
  /** Grows when the link is renewed: the old one opens nothing any more. */
  readonly generation: number;
}

const HASH_CHARACTERS = 40;

/** Name of a link in the limits: all its sessions, and requests with its secret, count against the same limits. */
export function linkName({ auctionId, bid, generation }: LinkOwner): string {
  return `${auctionId} ${bid} ${generation}`;
}

/** HMAC of several texts under one key, as hex. They are separated by NUL, which no id contains. */
export function hmacHex({ key }: MasterKey, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\0')).digest('hex');
}

/** `hash` of a participation link. Derived, so the database holds no secret. */
export function linkHash(keys: readonly MasterKey[], owner: LinkOwner): string {
  const [newest] = keys;
  if (newest === undefined) throw new Error('no master key');
  return hashUnder(newest, owner);
}

/** Whether a link opens the bid. Takes the same time for every wrong one. */
export function isLinkHash(keys: readonly MasterKey[], owner: LinkOwner, given: string): boolean {
  const number = Number(/^(\d{1,9})-/.exec(given)?.[1] ?? Number.NaN);
  const named = keys.find((key) => key.number === number);
  const [first] = keys;
  const key = named ?? first;
  if (key === undefined) return false;
  const isRight = equalTexts(hashUnder(key, owner), given);
  return isRight && named !== undefined;
}

/** Compares hashes of both, so that the time does not show where they differ. */
export function equalTexts(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

function hashUnder(key: MasterKey, { auctionId, bid, generation }: LinkOwner): string {
  return `${key.number}-${hmacHex(key, 'link', auctionId, bid, String(generation)).slice(0, HASH_CHARACTERS)}`;
}
