import { valueEnd } from '../json/json-scanner.ts';
import { rewriteDocumentUrls, type SegmentUrlBase } from './segment-urls.ts';

/** Documents at any depth of a JSON text as older segments show them: with URLs of the segment, without `sha256`. */
export function rewriteDocuments(text: string, urlBase: SegmentUrlBase): string {
  return withoutDigests(rewriteDocumentUrls(text, urlBase));
}

/** Inside a string the quotes would be escaped, so this is a member. Of what these segments show only documents have one of this name. */
const DIGEST = /,"sha256":"[0-9a-f]{64}"|"sha256":"[0-9a-f]{64}",?/g;

/** What is no JSON passes unchanged, as everywhere in the codecs. */
function withoutDigests(text: string): string {
  return text.includes('"sha256":') && valueEnd(text, 0) === text.length ? text.replace(DIGEST, '') : text;
}
