import type { SignedUrls } from './files/signed-urls.ts';
import type { DocumentVersion, StoredRecord } from './domain/document.ts';

/** A version as somebody sees it. */
export type DocumentView = StoredRecord & { readonly url: string };

/** `public`: with the permanent address of the file. `sealed`: with one of the API, where access is judged (http.md 2.5). */
export type Audience = 'public' | 'sealed';

/** Makes records of versions. Addresses are of segment 2.5; the gateway turns those of the API into the request's. */
export function makeDocumentView(
  apiBase: string,
  signedUrls: SignedUrls,
): (version: DocumentVersion, audience: Audience) => DocumentView {
  return ({ tenderId, parent, fileId, record }, as) => {
    // Only bids are ever sealed.
    const path = `tenders/${tenderId}/bids/${parent.id}/documents/${record.id}?download=${fileId}`;
    return { ...record, url: as === 'public' ? signedUrls.permanent(fileId) : `${apiBase}/api/2.5/${path}` };
  };
}
