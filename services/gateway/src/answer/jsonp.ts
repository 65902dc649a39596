import { replaceBytes } from './replace-bytes.ts';

/** Content type of JSONP (http.md 5.6). */
export const JAVASCRIPT_TYPE = 'application/javascript; charset=UTF-8';

const CALLBACK_NAME = /^[$A-Za-z_][$0-9A-Za-z_.[\]]*$/;
const CALLBACK_LENGTH_MAX = 128;

/** True for the name of a function (`show`, `app.handlers[0]`). Any other text would be injected script. */
export function isCallbackName(name: string): boolean {
  return name.length <= CALLBACK_LENGTH_MAX && CALLBACK_NAME.test(name) && !name.endsWith('.');
}

const LINE_SEPARATOR = Buffer.from('\u2028');
const PARAGRAPH_SEPARATOR = Buffer.from('\u2029');

/**
 * Wraps JSON in UTF-8 in a call. The leading comment keeps the callback name from being the first bytes, which could imitate another
 * file format. The two line separators are legal in JSON but not in older scripts. Bytes, because 1.7 MB take less than a millisecond
 * so, and twelve as text.
 */
export function wrapJsonp(callback: string, json: Buffer): Buffer {
  const lines = replaceBytes(json, LINE_SEPARATOR, '\\u2028');
  const escaped = replaceBytes(lines, PARAGRAPH_SEPARATOR, '\\u2029');
  return Buffer.concat([Buffer.from(`/**/${callback}(`), escaped, Buffer.from(');')]);
}
