/** The type of the elements, by its object id, which is the same in all releases of PostgreSQL. */
const TEXT_OID = 25;
const HEADER_BYTES = 12;
const DIMENSION_BYTES = 8;

/**
 * The value of a parameter `text[]` in the binary form of PostgreSQL: pg sends Buffers so. For texts of kilobytes: in the text form each quote
 * and each backslash of each element is escaped here and read one by one there. Halves of surrogate pairs become U+FFFD, as in all
 * texts that pg sends; a text with NUL is refused by the database (22021).
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  let bytes = HEADER_BYTES + (texts.length === 0 ? 0 : DIMENSION_BYTES) + 4 * texts.length;
  for (const length of lengths) bytes += length;
  const array = Buffer.allocUnsafe(bytes);
  let at = array.writeInt32BE(texts.length === 0 ? 0 : 1, 0);
  // No element is null.
  at = array.writeInt32BE(0, at);
  at = array.writeInt32BE(TEXT_OID, at);
  if (texts.length === 0) return array;
  at = array.writeInt32BE(texts.length, at);
  // The index of the first element.
  at = array.writeInt32BE(1, at);
  texts.forEach((text, n) => {
    at = array.writeInt32BE(lengths[n] ?? 0, at);
    at += array.write(text, at);
  });
  return array;
}
