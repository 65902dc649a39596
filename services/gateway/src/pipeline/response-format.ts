import type { RequestContext } from './request-context.ts';
import { indentJson } from '../json/indent-json.ts';
import { JAVASCRIPT_TYPE, wrapJsonp } from './jsonp.ts';

/** True when the request has a format option, so that the response must be read as text. */
export function needsFormatting(context: RequestContext): boolean {
  return context.pretty || context.jsonpCallback !== undefined;
}

/** The formatted text, and its content type when that changed. Refusals are never wrapped as JSONP (http.md 4.1). */
export function formatResponse(
  context: RequestContext,
  status: number,
  text: string,
): { readonly text: string; readonly type?: string } {
  const indented = context.pretty ? indentJson(text) : text;
  if (context.jsonpCallback === undefined || status >= 400) return { text: indented };
  return { text: wrapJsonp(context.jsonpCallback, indented), type: JAVASCRIPT_TYPE };
}

/** Format options of a query (http.md 5.6). */
export function parseFormatOptions(query: string): { readonly pretty: boolean; readonly callback: string } {
  if (!query.includes('opt_')) return { pretty: false, callback: '' };
  const parameters = new URLSearchParams(query);
  return {
    pretty: (parameters.getAll('opt_pretty').at(-1) ?? '') !== '',
    callback: parameters.getAll('opt_jsonp').at(-1) ?? '',
  };
}
