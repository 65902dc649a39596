/**
 * The name of a file without what could be mistaken for something else: the part after the last slash or backslash, without
 * control characters and marks that turn the direction of text, runs of blanks as one (http.md 2.3). Undefined: nothing is
 * left, or only dots are.
 */
export function cleanName(given: string): string | undefined {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = last.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
  return /^\.*$/.test(name) ? undefined : name;
}

// Control characters; marks of direction, by which `exe.pdf` can be made to look like `fdp.exe`; halves of characters.
const INVISIBLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const TOKEN = /^[\w!#$&+.^`|~-]+$/;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * The header by which a browser keeps a file instead of showing it (RFC 6266): a plain name as it is, one with blanks in
 * quotes, any other percent-encoded, for old clients first and by RFC 5987 after it (http.md 2.5).
 */
export function contentDisposition(name: string): string {
  if (TOKEN.test(name)) return `attachment; filename=${name}`;
  if (PRINTABLE_ASCII.test(name) && !/["\\%]/.test(name)) return `attachment; filename="${name}"`;
  const encoded = percentEncoded(name);
  return `attachment; filename=${encoded}; filename*=utf-8''${encoded}`;
}

/** Everything but the characters that RFC 5987 lets stand. Half a character, which cannot be encoded, is left out. */
function percentEncoded(name: string): string {
  const whole = name.replaceAll(INVISIBLE, '');
  return encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const FORMAT_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['rtf', 'application/rtf'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['yaml', 'text/yaml'],
  ['yml', 'text/yaml'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['zip', 'application/zip'],
  ['rar', 'application/vnd.rar'],
  ['7z', 'application/x-7z-compressed'],
  ['p7s', 'application/pkcs7-signature'],
]);

/** Of bytes that nothing is known of. */
export const DEFAULT_FORMAT = 'application/octet-stream';

/** The media type that the extension of a name speaks of (http.md 2.3). */
export function formatOfName(name: string): string {
  const dot = name.lastIndexOf('.');
  return FORMAT_BY_EXTENSION.get(dot < 0 ? '' : name.slice(dot + 1).toLowerCase()) ?? DEFAULT_FORMAT;
}

/** The format that a content type gives, without its parameters; undefined when it is none that a record can hold. */
export function formatOfType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type !== undefined && /^[-\w]+\/[-.\w+]+$/.test(type) ? type : undefined;
}
