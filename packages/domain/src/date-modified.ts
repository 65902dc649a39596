/**
 * Placeholder for `dateModified`, whose value is the position in the feed and is assigned by the database at the end of the
 * transaction. It precedes all text of clients, so it is the first occurrence in the view.
 */
export const DATE_MODIFIED_PLACEHOLDER = '\u0001dateModified\u0001';

const PLACEHOLDER_TEXT = JSON.stringify(DATE_MODIFIED_PLACEHOLDER).slice(1, -1);

/** Splits the JSON text of a view before and after the value of `dateModified`. Throws for a text without the placeholder. */
export function splitAtDateModified(text: string): { readonly head: string; readonly tail: string } {
  const at = text.indexOf(PLACEHOLDER_TEXT);
  if (at < 0) throw new Error('a view without dateModified');
  return { head: text.slice(0, at), tail: text.slice(at + PLACEHOLDER_TEXT.length) };
}
