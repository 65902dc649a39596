import type { RequestContext } from '../request/request-context.ts';
import { indentJson } from '../json/indent-json.ts';
import { wrapJsonp } from './jsonp.ts';

/** True when the request has a format option, so that the response must be read as text. */
export function needsFormatting(context: RequestContext): boolean {
  return context.pretty || context.jsonpCallback !== undefined;
}

/** How a text is changed for a request. */
export interface TextFormat {
  readonly pretty: boolean;
  readonly callback?: string;
}

/** Refusals are never wrapped as JSONP (http.md 4.1). */
export function formatOf({ pretty, jsonpCallback }: RequestContext, status: number): TextFormat {
  return { pretty, ...(jsonpCallback === undefined || status >= 400 ? {} : { callback: jsonpCallback }) };
}

export function formatText({ pretty, callback }: TextFormat, text: string): string {
  const indented = pretty ? indentJson(text) : text;
  return callback === undefined ? indented : wrapJsonp(callback, indented);
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
