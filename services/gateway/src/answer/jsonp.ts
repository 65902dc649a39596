/** Content type of JSONP (http.md 5.6). */
export const JAVASCRIPT_TYPE = 'application/javascript; charset=UTF-8';

const CALLBACK_NAME = /^[$A-Za-z_][$0-9A-Za-z_.[\]]*$/;
const CALLBACK_LENGTH_MAX = 128;

/** True for the name of a function (`show`, `app.handlers[0]`). Any other text would be injected script. */
export function isCallbackName(name: string): boolean {
  return name.length <= CALLBACK_LENGTH_MAX && CALLBACK_NAME.test(name) && !name.endsWith('.');
}

/**
 * Wraps a JSON text in a call. The leading comment keeps the callback name from being the first bytes, which could imitate another
 * file format. The two line separators are legal in JSON but not in older scripts.
 */
export function wrapJsonp(callback: string, json: string): string {
  return `/**/${callback}(${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')});`;
}
