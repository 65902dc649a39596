import type { FastifyRequest } from 'fastify';

/** Tokens of an object, in an answer beside its `data`. */
export type AccessTokens = Readonly<Record<string, string>>;

/** Selects the tokens that the answer to a creation shows; `transfer` on segment 2.5 only (http.md 3.6). */
export function selectAccessTokens(
  { identity }: Pick<FastifyRequest, 'identity'>,
  { token, transfer }: { readonly token: string; readonly transfer: string },
): AccessTokens {
  return identity.segment === '2.5' ? { token, transfer } : { token };
}

/** Writes tokens into the body of an answer, before its other members. */
export function withAccess(text: string, access: AccessTokens | undefined): string {
  return access === undefined ? text : `{"access":${JSON.stringify(access)},${text.slice(1)}`;
}
