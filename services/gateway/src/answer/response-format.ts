import type { RequestContext } from '../request/request-context.ts';

/** True when the request has a format option, so that the response must be read as text. */
export function needsFormatting(context: RequestContext): boolean {
  return context.pretty || context.jsonpCallback !== undefined;
}

/** The callback of JSONP. Refusals are never wrapped (http.md 4.1). */
export function callbackOf({ jsonpCallback }: RequestContext, status: number): string | undefined {
  return status >= 400 ? undefined : jsonpCallback;
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
