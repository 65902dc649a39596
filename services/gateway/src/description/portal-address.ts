import Negotiator from 'negotiator';
import type { FastifyRequest } from 'fastify';
import { requestBase, type AddressedRequest } from '@procurement/kit/http/host-of';

/** `PORTAL_PUBLIC_URL` for a visitor: an address, or `:8088`, which is that port on the host of the request (portal.md 1.2). */
export function portalAddress(setting: string | undefined, request: AddressedRequest): string | undefined {
  if (setting?.startsWith(':') !== true) return setting?.replace(/\/$/, '');
  const base = requestBase(request);
  if (base === undefined) return undefined;
  const address = new URL(base);
  address.port = setting.slice(1);
  return address.origin;
}

/** Whether a client names `text/html`, as browsers do. A wildcard does not count: curl and programs send it. */
export function namesHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return new Negotiator({ headers }).mediaTypes().includes('text/html');
}

/** The path of the portal in the language of a visitor: Ukrainian where it is preferred, else English. */
export function portalPath({ headers }: Pick<FastifyRequest, 'headers'>): '/' | '/en' {
  return new Negotiator({ headers }).languages(['en', 'uk'])[0] === 'uk' ? '/' : '/en';
}
