import type { RequestOptions } from './broker.ts';

// Part of the golden recordings.
const BOUNDARY = 'part-of-a-form';

/** A request with a file in a form, as browsers and `curl -F file=@…` send it. */
export function fileUpload(name: string, type: string, content: string, fieldName = 'file'): RequestOptions {
  const partHeaders = `Content-Disposition: form-data; name="${fieldName}"; filename="${name}"\r\nContent-Type: ${type}`;
  return {
    raw: `--${BOUNDARY}\r\n${partHeaders}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
