import type { RequestContext } from './request-context.ts';
import { indentJson } from '../json/indent-json.ts';
import { JAVASCRIPT_TYPE, wrapJsonp } from './jsonp.ts';

/** True when an answer has to be seen as text, because the request asked for another form of it. */
export function needsFormatting(context: RequestContext): boolean {
  return context.pretty || context.jsonpCallback !== undefined;
}

/** The text as asked for, and its content type when that changed. Refusals are never wrapped in a call (http.md 4.1). */
export function formatResponse(
  context: RequestContext,
  status: number,
  text: string,
): { readonly text: string; readonly type?: string } {
  const indented = context.pretty ? indentJson(text) : text;
  if (context.jsonpCallback === undefined || status >= 400) return { text: indented };
  return { text: wrapJsonp(context.jsonpCallback, indented), type: JAVASCRIPT_TYPE };
}

/** What the query asks of the form of an answer (http.md 5.6). */
export function parseFormatOptions(query: string): { readonly pretty: boolean; readonly callback: string } {
  if (!query.includes('opt_')) return { pretty: false, callback: '' };
  const parameters = new URLSearchParams(query);
  return {
    pretty: (parameters.getAll('opt_pretty').at(-1) ?? '') !== '',
    callback: parameters.getAll('opt_jsonp').at(-1) ?? '',
  };
}
