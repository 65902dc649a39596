import { equalTexts, hmacHex, type MasterKey } from './links.ts';

/** Who sent a request: the bidder of one auction. Nothing of it is stored at the server. */
export interface Session {
  readonly auctionId: string;
  readonly bid: string;
  /** Generation of the link that opened it: a renewed link ends the session. */
  readonly generation: number;
  /** Number among the sessions of the bid: newer ones end it. */
  readonly entry: number;
  readonly id: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** Where the page leads back to. */
  readonly returnUrl?: string;
}

export const SESSION_SECONDS_MAX = 7 * 24 * 3_600;
const COOKIE = 'room';

/** Value of the cookie: `v1.payload.mac`. */
export function sealSession(keys: readonly MasterKey[], session: Session): string {
  const [newest] = keys;
  if (newest === undefined) throw new Error('no master key');
  const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
  return `v1.${payload}.${hmacHex(newest, 'session', payload)}`;
}

/** The session of a cookie; undefined when it is forged, of another auction, or over. */
export function openSession(
  keys: readonly MasterKey[],
  cookie: string | undefined,
  expected: { readonly auctionId: string; readonly nowSeconds: number },
): Session | undefined {
  const [version, payload = '', mac = ''] = (cookie ?? '').split('.');
  if (version !== 'v1' || !keys.some((key) => equalTexts(hmacHex(key, 'session', payload), mac))) return undefined;
  // Safe cast: the MAC proves that this file wrote it.
  const session = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Session;
  const isValid = session.auctionId === expected.auctionId && session.expiresAt > expected.nowSeconds;
  return isValid ? session : undefined;
}

/** The token that every change of a session needs. */
export function csrfOf(keys: readonly MasterKey[], { id }: Session): string {
  const [newest] = keys;
  if (newest === undefined) throw new Error('no master key');
  return hmacHex(newest, 'csrf', id);
}

export function isCsrf(keys: readonly MasterKey[], { id }: Session, given: string): boolean {
  return keys.some((key) => equalTexts(hmacHex(key, 'csrf', id), given));
}

/** Value of one cookie in a `Cookie` header. */
export function cookieNamed(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

export function sessionCookie(header: string | undefined): string | undefined {
  return cookieNamed(header, COOKIE);
}

/** `Set-Cookie` of a session, or the one that removes it. The path keeps it away from other auctions. */
export function setCookie(
  auctionId: string,
  value: string | undefined,
  { isSecure }: { readonly isSecure: boolean },
): string {
  const age = value === undefined ? 0 : SESSION_SECONDS_MAX;
  const secure = isSecure ? '; Secure' : '';
  return `${COOKIE}=${value ?? ''}; Path=/tenders/${auctionId}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
