/**
 * Content of the `Authorization` header: missing, an API key, or unreadable. An empty user in Basic (`Basic Og==`) counts as
 * missing: a feed synchroniser without a key sends it (clients.md).
 */
export type Credentials =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'key'; readonly key: string };

const MISSING = { kind: 'missing' } as const;
const UNREADABLE = { kind: 'unreadable' } as const;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const KEY_LENGTH_MAX = 512;

/**
 * Reads `Basic base64(key:anything)` and `Bearer key` (http.md 3.1), schemes in any case. Another scheme or malformed base64 is
 * `unreadable`, which counts as an unknown key.
 */
export function readCredentials(header: string | undefined): Credentials {
  const text = header?.trim() ?? '';
  if (text === '') return MISSING;
  const [scheme = '', value = '', ...rest] = text.split(/\s+/);
  if (rest.length > 0) return UNREADABLE;
  switch (scheme.toLowerCase()) {
    case 'basic':
      return readBasic(value);
    case 'bearer':
      return toCredentials(value);
    default:
      return UNREADABLE;
  }
}

/** User and password of Basic credentials; undefined when one is empty or the header is not Basic. */
export function readUserAndPassword(header: string): { readonly user: string; readonly password: string } | undefined {
  const [scheme = '', value = '', ...rest] = header.trim().split(/\s+/);
  if (rest.length > 0 || scheme.toLowerCase() !== 'basic' || !BASE64.test(value)) return undefined;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [user, password] = [pair.slice(0, Math.max(colon, 0)), pair.slice(colon + 1)];
  return user === '' || password === '' || password.length > KEY_LENGTH_MAX ? undefined : { user, password };
}

function readBasic(value: string): Credentials {
  if (!BASE64.test(value)) return UNREADABLE;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  // Some clients of brokers leave out the colon. The password is ignored.
  return toCredentials(colon < 0 ? pair : pair.slice(0, colon));
}

function toCredentials(key: string): Credentials {
  if (key === '') return MISSING;
  return key.length > KEY_LENGTH_MAX ? UNREADABLE : { kind: 'key', key };
}
