import { hostOf, requestBase, type AddressedRequest } from '@procurement/kit/http/host-of';
import type { Config } from './config.ts';

/** Where a visitor finds the pages and the API. */
export interface Origins {
  readonly own: string;
  readonly api: string;
}

/** Finds them by the settings, or by the checked host of the request in a sandbox. Undefined: the request names no usable host. */
export function findOrigins(
  request: AddressedRequest,
  { PUBLIC_URL, API_PUBLIC_URL }: Pick<Config, 'PUBLIC_URL' | 'API_PUBLIC_URL'>,
): Origins | undefined {
  const own = PUBLIC_URL ?? requestBase(request);
  if (own === undefined || hostOf(request) === undefined) return undefined;
  // `:8080`: the same host with another port, so that a sandbox works from another machine.
  const api = API_PUBLIC_URL.startsWith(':') ? own.replace(/(?::\d+)?$/, API_PUBLIC_URL) : API_PUBLIC_URL;
  return { own, api };
}

const POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types page',
].join('; ');

/**
 * The policy of every page: script and style come from the asset folder only, and nothing from another host (portal.md 12). A source with a
 * path needs a host; one that is an IPv6 literal is no valid source, so it becomes `'self'`.
 */
export function contentSecurityPolicy(own: string): string {
  // Not by `URL`, which took a fifteenth of the work for a page.
  const [host = ''] = own.slice(own.indexOf('//') + 2).split('/', 1);
  const folder = host.startsWith('[') ? "'self'" : `${host}/assets/`;
  return `script-src ${folder}; style-src ${folder}; ${POLICY}`;
}
