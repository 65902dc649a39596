/**
 * The file name of a `Content-Disposition` (http.md 2.3). The header's bytes are given as latin1. `filename*` (RFC 5987) takes
 * precedence over `filename`, which may be raw UTF-8, an RFC 2047 encoded word, or hold HTML character references. Null when
 * the bytes are not valid in their charset; undefined when there is no name.
 */
export function parseFileName(disposition: string): string | null | undefined {
  const parameters = parseParameters(disposition);
  const extended = extendedName(parameters);
  if (extended !== undefined) return extended;
  const plain = parameters.get('filename');
  if (plain === undefined) return undefined;
  const text = decodeUtf8(Buffer.from(plain, 'latin1'));
  if (text === undefined) return null;
  const word = decodeEncodedWords(text);
  return word === undefined ? decodeCharacterReferences(text) : word;
}

/** Value of the parameter `name` of a part. */
export function fieldName(disposition: string): string | undefined {
  const name = parseParameters(disposition).get('name');
  return name === undefined ? undefined : decodeUtf8(Buffer.from(name, 'latin1'));
}

// A token or a quoted string, in which a backslash escapes the next character.
const PARAMETER = /;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^;]*))/g;

function parseParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token] of header.matchAll(PARAMETER)) {
    // Kept for brokers: browsers quote Windows paths without escaping backslashes, so only `\"` and `\\` are unescaped.
    const value = quoted === undefined ? (token ?? '').trim() : quoted.replaceAll(/\\(["\\])/g, '$1');
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/** `utf-8''%D1%83`, in one piece or in the continuations of RFC 2231 (`filename*0*`, `filename*1*`). */
function extendedName(parameters: ReadonlyMap<string, string>): string | null | undefined {
  let value = parameters.get('filename*');
  if (value === undefined && (parameters.has('filename*0*') || parameters.has('filename*0'))) {
    const pieces: string[] = [];
    for (let n = 0; n < CONTINUATIONS_MAX; n += 1) {
      const piece = parameters.get(`filename*${n}*`) ?? parameters.get(`filename*${n}`);
      if (piece === undefined) break;
      pieces.push(piece);
    }
    value = pieces.join('');
  }
  if (value === undefined) return undefined;
  const match = /^([^']*)'[^']*'([\s\S]*)$/.exec(value);
  const [charset, encoded] = match === null ? ['utf-8', value] : [(match[1] ?? '').toLowerCase(), match[2] ?? ''];
  return decodeText(charset, decodePercent(encoded)) ?? null;
}

const CONTINUATIONS_MAX = 100;

function decodePercent(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

const ENCODED_WORD = /=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi;

/** Decodes RFC 2047 encoded words; undefined when the text has none, null when one cannot be decoded. */
function decodeEncodedWords(text: string): string | null | undefined {
  if (text.search(ENCODED_WORD) < 0) return undefined;
  let isReadable = true;
  // Blanks between two encoded words belong to the encoding.
  const joined = text.replaceAll(/(\?=)\s+(?==\?)/g, '$1');
  const read = joined.replaceAll(ENCODED_WORD, (_whole, charset: string, how: string, data: string) => {
    const bytes =
      how.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64')
        : decodePercent(data.replaceAll('_', ' ').replaceAll('=', '%'));
    const part = decodeText(charset.toLowerCase(), bytes);
    isReadable &&= part !== undefined;
    return part ?? '';
  });
  return isReadable ? read : null;
}

/** `&#1091;` and `&#x443;`, which old browsers write for characters that the encoding of their form lacks. */
function decodeCharacterReferences(text: string): string {
  return text.replaceAll(/&#(?:(\d{1,7})|x([0-9a-f]{1,6}));/gi, (whole, decimal?: string, hex?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

function decodeUtf8(bytes: Buffer): string | undefined {
  return decodeText('utf-8', bytes);
}

function decodeText(charset: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
