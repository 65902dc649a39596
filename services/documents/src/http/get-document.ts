import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendTagged } from '@procurement/kit/http/etag';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import type { DocumentVersion, ParentKind } from '../domain/document.ts';
import { contentDisposition } from '../domain/file-name.ts';
import { documentEtag } from './document.etag.ts';
import { parseQuery } from './path.ts';
import { visibleDocument } from './visible-parent.ts';

/** Seconds for which a download address is valid (http.md 2.5). */
const DOWNLOAD_VALID_SECONDS = 300;

/**
 * `GET .../documents/{id}`: the newest version and the earlier ones, oldest first; with `?download=` a 302 to the file of one
 * version. 403 `document.sealed`, 404 `document.download` (http.md 2.4, 2.5).
 */
export function getDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { history, audience } = await visibleDocument(deps, request, kind);
    const fileId = parseQuery(request).get('download');
    if (fileId) return redirectToFile(deps, reply, history, fileId);
    const versions = history.map((version) => deps.documentView(version, audience));
    const text = JSON.stringify({ data: { ...versions.at(-1), previousVersions: versions.slice(0, -1) } });
    return sendTagged(request, reply, text, documentEtag(deps, history.at(-1) ?? history[0], audience));
  };
}

async function redirectToFile(
  deps: Deps,
  reply: FastifyReply,
  history: readonly DocumentVersion[],
  fileId: string,
): Promise<FastifyReply> {
  const version = history.findLast((one) => one.fileId === fileId);
  if (version === undefined) throw new ProblemError(problem('document.download'));
  const expires = Math.floor(deps.clock.now() / 1_000_000) + DOWNLOAD_VALID_SECONDS;
  const downloadUrl = deps.signedUrls.temporary(fileId, expires);
  return reply
    .code(302)
    .headers({
      location: downloadUrl,
      'content-type': version.record.format,
      'content-disposition': contentDisposition(version.record.title),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    })
    .send(JSON.stringify(downloadUrl));
}
