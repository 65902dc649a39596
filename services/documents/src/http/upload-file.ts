import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { openFilePart, storeFormFile, uploadHandler } from './store-form-file.ts';
import { requireUploader } from './uploader.ts';

/** `POST /upload`: a file that was not registered before; 200 with its addresses (http.md 2.8). */
export function uploadFile(deps: Deps): Handler {
  return uploadHandler(async (request, reply) => {
    const owner = requireUploader(request);
    const file = await openFilePart(deps, request);
    const id = deps.ids.next();
    await deps.fileRecords.beginUpload({ id, origin: 'service', owner });
    const response = await storeFormFile(deps, id, file);
    reply.header('location', response.get_url);
    return response;
  });
}
