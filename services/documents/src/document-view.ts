import type { SignedUrls } from './files/signed-urls.ts';
import type { DocumentVersion, StoredRecord } from './domain/document.ts';

/** A version as a caller sees it. */
export type DocumentView = StoredRecord & { readonly sha256?: string; readonly url: string };

/** `public`: with the permanent address of the file. `sealed`: with an API address, where access is checked (http.md 2.5). */
export type Audience = 'public' | 'sealed';

/** Makes the views of versions. API addresses are of segment 2.5; the gateway rewrites them to the segment of the request. */
export function makeDocumentView(
  apiBase: string,
  signedUrls: SignedUrls,
): (version: DocumentVersion, audience: Audience) => DocumentView {
  return ({ tenderId, parent, fileId, sha256, record }, audience) => {
    // Only documents of bids are ever sealed.
    const path = `tenders/${tenderId}/bids/${parent.id}/documents/${record.id}?download=${fileId}`;
    const digest = sha256 === undefined ? {} : { sha256 };
    return {
      ...record,
      ...digest,
      url: audience === 'public' ? signedUrls.permanent(fileId) : `${apiBase}/api/2.5/${path}`,
    };
  };
}
