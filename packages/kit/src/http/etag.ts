import { createHash } from 'node:crypto';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from './server.ts';

/** Hexadecimal characters of a hash in an ETag: 128 bits. */
const HASH_LENGTH = 32;

/**
 * The ETag of an object that has no public revision: a hash of what its GET shows on 2.5. The version of its row would change with each
 * other part of its parent, and not with its documents, which another service keeps. Documents are read before the lock: one that is
 * added meanwhile is not noticed. The suffix is the segment; the gateway replaces it on other segments, whose answers differ.
 */
export function etagOf(shown: string): string {
  return etagOfHash(hashOfShown(shown));
}

/** The hash in the ETag of what GET shows. */
export function hashOfShown(shown: string): string {
  return createHash('sha256').update(shown).digest('hex').slice(0, HASH_LENGTH);
}

/** The ETag with a hash that is known. */
export function etagOfHash(hash: string): string {
  return `"${hash}-2.5"`;
}

/** The ETag of a public revision on segment 2.5 (http.md 5.4). */
export function revisionEtag(revision: number | bigint): string {
  return `"${revision}-2.5"`;
}

/** Whether a list of ETags, of any segment, names this one. `*` names every existing object. */
export function namesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const wanted = withoutSegment(etag);
  // Proxies that compress answers mark ETags as weak.
  return header.split(',').some((tag) => withoutSegment(tag.trim().replace(/^W\//, '')) === wanted);
}

function withoutSegment(tag: string): string {
  return tag.replace(/-[\d.]+"$/, '');
}

/**
 * 412 `request.precondition` with the present ETag when the request has an `If-Match` that does not name it (http.md 5.4).
 * `present` is called only for a request with one. Call it after all other refusals, under the lock of the write: only those who may
 * change the object receive its ETag.
 */
export function preconditionRefusal(request: FastifyRequest, present: () => string): Problem | undefined {
  const ifMatch = request.headers['if-match'];
  if (ifMatch === undefined) return undefined;
  const etag = present();
  return namesEtag(ifMatch, etag) ? undefined : problem('request.precondition', {}, { etag });
}

/** Answers a GET: 200 with the text and its ETag, or 304 without a body when `If-None-Match` names it. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string, etag: string): FastifyReply {
  reply.header('etag', etag);
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch !== undefined && namesEtag(ifNoneMatch, etag)) return reply.code(304).send();
  return sendJson(reply, 200, text);
}
