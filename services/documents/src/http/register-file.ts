import { invalid, problem } from '@procurement/contracts/problems/problems';
import { hashError } from '@procurement/contracts/resources/document';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { mediaType, readJsonBody } from '@procurement/kit/http/body';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { openForm } from '../files/multipart-form.ts';
import { bodyTimeouts, fileTimeouts, readBodyBytes } from './read-body-bytes.ts';
import { requestedBody } from './body-kind.ts';
import { requireUploader } from './uploader.ts';

const MD5: ReadonlyMap<string, number> = new Map([['md5', 32]]);

/**
 * `POST /register`: registers a file by its hash; 201 with the address for its upload, and the address by which the API accepts
 * it (http.md 2.8). Refusals: 404 `file.hash-missing`, 422 of the hash.
 */
export function registerFile(deps: Deps): Handler {
  return async (request, reply) => {
    const owner = requireUploader(request);
    const data = await readSentData(deps, request);
    const { hash } = data;
    if (typeof hash !== 'string') throw new ProblemError(problem('file.hash-missing'));
    const fault = hashError(hash, MD5) ?? (hash === hash.toLowerCase() ? undefined : 'Hash value is not hexadecimal.');
    if (fault !== undefined) {
      throw new ProblemError(invalid([{ location: 'body', name: 'hash', description: [fault] }]));
    }
    const [id, md5] = [deps.ids.next(), hash.slice('md5:'.length)];
    await deps.fileRecords.registerUpload({ id, origin: 'service', owner }, md5);
    const upload = deps.signedUrls.upload(id);
    const url = deps.signedUrls.registration(id, md5);
    reply.header('location', upload);
    return sendJson(reply, 201, JSON.stringify({ data: { ...data, url }, upload_url: upload }));
  };
}

/** The data of the request: `data` of a JSON body, or the fields of a form. */
async function readSentData(deps: Deps, request: FastifyRequest): Promise<Readonly<Record<string, unknown>>> {
  const contentType = request.headers['content-type'];
  switch (mediaType(contentType)) {
    case 'multipart/form-data':
      return Object.fromEntries(
        (await openForm(requestedBody(request), { contentType, fileNames: [], timeouts: fileTimeouts(deps) })).fields,
      );
    case 'application/json': {
      const body = readJsonBody(contentType, await readBodyBytes(requestedBody(request), bodyTimeouts(deps)));
      if (body.kind === 'data') return body.data;
      // `data` that is no object counts as a missing hash; a body that is no JSON is refused as such.
      throw new ProblemError(body.problem.code === 'body.no-data' ? problem('file.hash-missing') : body.problem);
    }
    default: {
      const text = (await readBodyBytes(requestedBody(request), bodyTimeouts(deps))).toString('utf8');
      return Object.fromEntries(new URLSearchParams(text));
    }
  }
}
