import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import type { FastifyInstance } from 'fastify';
import { TOKENS } from './document-facts.ts';

export type Headers = Readonly<Record<string, string>>;

/** Identity headers of callers, as the gateway signs them. */
export const tenderOwner = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex(TOKENS.tender) });
export const bidOwner = signedIdentity({ broker: 'broker2', tokenHash: sha256Hex(TOKENS.bid) });
export const complaintOwner = signedIdentity({ broker: 'broker3', tokenHash: sha256Hex(TOKENS.complaint) });
export const broker = signedIdentity({ broker: 'broker9' });
export const auction = signedIdentity({ broker: 'auction', group: 'auction' });
export const anonymous = anonymousIdentity();

/** Path and query of an address: what the gateway forwards of it. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Reads from the service. The caller is anonymous unless the headers have another identity. */
export function readsFrom(running: () => { readonly app: FastifyInstance }) {
  const get = async (url: string, headers: Headers = {}) =>
    running().app.inject({ method: 'GET', url, headers: { ...anonymous, ...headers } });
  return {
    get,
    /** The bytes at an address of the document service. */
    bytesAt: async (address: string) => (await get(pathOf(address))).body,
  };
}

const BOUNDARY = 'a-boundary';

/** One part of a form. */
export interface Part {
  /** Value of `Content-Disposition` after `form-data; `. */
  readonly disposition: string;
  readonly type?: string;
  readonly content: string | Buffer;
}

/** A multipart body as a client sends it. */
export function buildForm(...parts: readonly Part[]): { readonly headers: Headers; readonly payload: Buffer } {
  const chunks = parts.flatMap(({ disposition, type, content }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n`),
    Buffer.from(type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

/** A form with one file. */
export function fileForm(content: string | Buffer = 'content', name = 'notice.pdf', type = 'application/pdf') {
  return buildForm({ disposition: `name="file"; filename="${name}"`, type, content });
}

type Method = 'POST' | 'PUT' | 'PATCH';

/** Sends a form. */
export async function sendForm(
  app: FastifyInstance,
  method: Method,
  url: string,
  caller: Headers,
  { headers, payload } = fileForm(),
) {
  return app.inject({ method, url, headers: { ...caller, ...headers }, payload });
}

/** Sends `data`. */
export async function sendJson(app: FastifyInstance, method: Method, url: string, caller: Headers, data: unknown) {
  const headers = { ...caller, 'content-type': 'application/json' };
  return app.inject({ method, url, headers, payload: JSON.stringify({ data }) });
}

/** Posts a document; throws when it is not accepted. Plain JSON: tests assert on its members. */
export async function postDocument(
  app: FastifyInstance,
  url: string,
  caller: Headers,
  form = fileForm(),
): Promise<any> {
  const response = await sendForm(app, 'POST', url, caller, form);
  if (response.statusCode !== 201) throw new Error(`not accepted: ${response.statusCode} ${response.body}`);
  return response.json().data;
}
