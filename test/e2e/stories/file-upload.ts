import type { RequestOptions } from '../../support/broker.ts';

const BOUNDARY = 'part-of-a-form';

/** A file in a form, as browsers and `curl -F file=@…` send it. */
export function fileUpload(name: string, type: string, content: string): RequestOptions {
  const partHeaders = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`;
  return {
    raw: `--${BOUNDARY}\r\n${partHeaders}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
