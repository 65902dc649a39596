import { BufferReader } from 'pg-protocol/dist/buffer-reader.js';
import { textOfUtf8, UTF8_SHORT_BYTES } from '../runtime/utf8.ts';

// pg gives every value as a string, and reading a text took up to nine tenths of the time of a query for a large tender. Its reader cannot
// be replaced otherwise: pg makes a string of a value before anybody can ask for its bytes.
const { string: readShort } = BufferReader.prototype;

BufferReader.prototype.string = function (this: BufferReader, length: number): string {
  return length < UTF8_SHORT_BYTES ? readShort.call(this, length) : textOfUtf8(this.bytes(length));
};
