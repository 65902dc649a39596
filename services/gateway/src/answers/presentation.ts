import type { Exchange } from '../exchange.ts';
import { indentJson } from './indent-json.ts';
import { SCRIPT_TYPE, wrapInCall } from './jsonp.ts';

/** True when an answer has to be seen as text, because the request asked for another form of it. */
export function wantsAnotherForm(exchange: Exchange): boolean {
  return exchange.pretty || exchange.callback !== undefined;
}

/** The text as asked for, and its content type when that changed. Refusals are never wrapped in a call (http.md 4.1). */
export function presented(
  exchange: Exchange,
  status: number,
  text: string,
): { readonly text: string; readonly type?: string } {
  const indented = exchange.pretty ? indentJson(text) : text;
  if (exchange.callback === undefined || status >= 400) return { text: indented };
  return { text: wrapInCall(exchange.callback, indented), type: SCRIPT_TYPE };
}

/** What the query asks of the form of an answer (http.md 5.6). */
export function formOf(query: string): { readonly pretty: boolean; readonly callback: string } {
  if (!query.includes('opt_')) return { pretty: false, callback: '' };
  const parameters = new URLSearchParams(query);
  return {
    pretty: (parameters.getAll('opt_pretty').at(-1) ?? '') !== '',
    callback: parameters.getAll('opt_jsonp').at(-1) ?? '',
  };
}
