import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { parseQuery } from './path.ts';
import { openFilePart, storeFormFile, uploadHandler } from './store-form-file.ts';
import { fileIdOf, requireUploader } from './uploader.ts';

/**
 * `POST /upload/{doc_id}`: the file that was registered, once; 200 with its addresses (http.md 2.8). Refusals: 403 of the
 * address, 404 `file.unknown`, 403 `request.forbidden` for another broker than the one that registered it, 403 `file.uploaded`, 403 `file.checksum`, after which the client may try again.
 */
export function uploadRegistered(deps: Deps): Handler {
  return uploadHandler(async (request) => {
    const broker = requireUploader(request);
    const file = await openFilePart(deps, request);
    const id = fileIdOf(request);
    const refused = deps.signedUrls.verifyUpload(id, parseQuery(request));
    if (refused !== undefined) throw new ProblemError(refused);
    const record = await deps.fileRecords.find(id);
    if (record === undefined || record.state === 'dropped') throw new ProblemError(problem('file.unknown'));
    if (record.owner !== broker) throw new ProblemError(problem('request.forbidden'));
    if (!(await deps.fileRecords.claimUpload(id))) throw new ProblemError(problem('file.uploaded'));
    return storeFormFile(deps, id, file, (digest) => {
      if (digest.md5 !== record.expectedMd5) throw new ProblemError(problem('file.checksum'));
    });
  });
}
