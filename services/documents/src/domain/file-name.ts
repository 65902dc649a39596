/**
 * Cleans a file name: takes the part after the last slash or backslash, removes control characters and direction marks, and
 * collapses blanks (http.md 2.3). Undefined when nothing or only dots are left.
 */
export function cleanName(given: string): string | undefined {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = last.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
  return /^\.*$/.test(name) ? undefined : name;
}

// Control characters, direction marks (which make `fdp.exe` look like `exe.pdf`), and lone surrogates.
const INVISIBLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const TOKEN = /^[\w!#$&+.^`|~-]+$/;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * The `Content-Disposition` of a download (RFC 6266): a plain token as it is, printable ASCII in quotes, any other name
 * percent-encoded, first in `filename` for old clients, then in `filename*` by RFC 5987 (http.md 2.5).
 */
export function contentDisposition(name: string): string {
  if (TOKEN.test(name)) return `attachment; filename=${name}`;
  if (PRINTABLE_ASCII.test(name) && !/["\\%]/.test(name)) return `attachment; filename="${name}"`;
  const encoded = percentEncoded(name);
  return `attachment; filename=${encoded}; filename*=utf-8''${encoded}`;
}

/** Percent-encodes all but the characters that RFC 5987 allows. Lone surrogates cannot be encoded and are removed. */
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

/** Format of a file of unknown type. */
export const DEFAULT_FORMAT = 'application/octet-stream';

/** The media type of a file name's extension (http.md 2.3). */
export function formatOfName(name: string): string {
  const dot = name.lastIndexOf('.');
  return FORMAT_BY_EXTENSION.get(dot < 0 ? '' : name.slice(dot + 1).toLowerCase()) ?? DEFAULT_FORMAT;
}

/** The media type of a content type, without its parameters; undefined when a record cannot hold it. */
export function formatOfType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type !== undefined && /^[-\w]+\/[-.\w+]+$/.test(type) ? type : undefined;
}
