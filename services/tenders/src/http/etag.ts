/** The ETag of a public revision on segment 2.5 (http.md 5.4). The gateway replaces the suffix on other segments. */
export function revisionEtag(rev: bigint): string {
  return `"${rev}-2.5"`;
}
