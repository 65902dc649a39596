/** Why a page cannot be shown (portal.md 5.7). */
export type PageError =
  | { readonly kind: 'no-page' | 'no-tender' | 'away' }
  | { readonly kind: 'too-many'; readonly seconds: string }
  /** A request that no page reads: a form that is too long, or of another kind. `status` is one of HTTP below 500. */
  | { readonly kind: 'unread'; readonly status: number }
  | { readonly kind: 'failed'; readonly requestId: string };

/** Ends a route with the page of an error. */
export class PageRefusal extends Error {
  readonly page: PageError;
  constructor(page: PageError) {
    super(page.kind);
    this.page = page;
  }
}
